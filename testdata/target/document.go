package target

// Compressed bodies stand here ready made: what a compressor makes of a text may
// change with its version, recorded byte counts do not.
const (
	gzipDoc    = "\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xffJ\xce\xcf-(J-.NMQH\xcaO\xa9T\x18\xe5\x8f\xf2G\xf9\xa3\xfcQ\xfe(\x9f\x18> \x00\x00\xff\xff\xf5\xa3\xf7\xb4@\x06\x00\x00" // 100 times "compressed body "
	deflateDoc = "x\x9cJIM\xcbI,IMQH\xcaO\xa9T\x18\xe5\x8d\xf2Fy\xa3\xbcQ\x1e\xady\x80\x00\x00\x00\xff\xff\xe3N\x03["                                                           // 100 times "deflated body "
)

const cssDoc = `body{background:url(/img/bg.png)} @import url('/css2/b.css');`

const badPageDoc = `<html><body><img src="/status/404"><img src="/img/a.png"><p>unclosed`

const jsonDoc = `{"shop":{"items":[{"kind":"tool","maker":"Ada Forge","name":"Hammer","price":8.95},{"kind":"toy","maker":"Bo Lindt","name":"Kite","price":12.99},{"kind":"toy","maker":"Cy Ortega","name":"Yo-yo","code":"Y-553-2","price":8.99}],"van":{"color":"red","price":19.95}},"limit":10,"empty":[],"nothing":null,"flag":true,"text":"a \"quoted\" value","unicode":"caf\u00e9","nested":{"a":{"b":{"c":[1,2,3]}}}}`

const xmlDoc = `<?xml version="1.0" encoding="UTF-8"?>
<orders xmlns:x="urn:x"><order id="1" status="open"><item sku="A1" qty="2">Apple</item><item sku="B2" qty="1">Bread</item><x:note>first</x:note></order><order id="2" status="closed"><item sku="C3" qty="5">Corn</item></order><total>8</total></orders>`

const soapDoc = `<?xml version="1.0"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><ns2:getPriceResponse xmlns:ns2="urn:shop"><return>42.5</return></ns2:getPriceResponse></soapenv:Body></soapenv:Envelope>`

const htmlDoc = `<!DOCTYPE html><html><head><title>Shop &amp; Co</title><meta name="csrf" content="tok-123"></head><body><form action="/form" method="post"><input type="hidden" name="csrf_token" value="abc-DEF-789"><input type="text" name="user" value=""><select name="size"><option value="s">S</option><option value="m" selected>M</option></select></form><ul><li class="item" data-id="11"><a href="/item/11">Eleven</a></li><li class="item" data-id="22"><a href="/item/22?x=1&amp;y=2">Twenty-two</a></li><li class="item last" data-id="33"><a href="/item/33">Thirty-three</a></li></ul><p>Price: <b>$10.50</b></p></body></html>`

const pageDoc = `<html><head><link rel="stylesheet" href="/css/a.css"><script src="/js/a.js"></script><link rel="icon" href="/img/favicon.ico"></head><body background="/img/body.png"><img src="/img/a.png"><img src="/img/a.png"><img src="img/rel.png"><input type="image" src="/img/button.png"><iframe src="/ok"></iframe><table background="/img/table.png"><tr><td style="background:url('/img/style.png')">x</td></tr></table><script>var inline=1;</script></body></html>`
