package http_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// line is the first line of a request head.
func line(head string) string {
	l, _, _ := strings.Cut(head, "\r\n")
	return l
}

// value is that of a request header.
func value(head, name string) string {
	for l := range strings.SplitSeq(head, "\r\n") {
		if n, v, ok := strings.Cut(l, ": "); ok && strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

// What is asked for after each kind of redirect (RFC 9110, section 15.4).
func TestRedirectMethods(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
		want   string
	}{
		{"GET", 301, "GET "}, {"POST", 301, "GET "}, {"PUT", 302, "GET "}, {"POST", 303, "GET "}, {"HEAD", 302, "HEAD "},
		{"GET", 307, "GET "}, {"POST", 307, "POST a=1"}, {"PUT", 308, "PUT a=1"}, {"POST", 308, "POST a=1"}, {"HEAD", 308, "HEAD "},
		{"POST", 300, ""}, {"GET", 304, ""}, {"GET", 305, ""},
	} {
		var got string
		p := serve(t, func(head string, body []byte) string {
			if strings.Contains(line(head), "/start") {
				return reply(fmt.Sprintf("%d Moved", c.status), "", "Location: /end")
			}
			got = strings.Fields(head)[0] + " " + string(body)
			return reply("200 OK", "")
		})
		rows := plan{body: request("r", c.method, p.url("/start"), boolean("HTTPSampler.follow_redirects", true), arguments(false, argument{"a", "1"}))}.run(t)
		if got != c.want {
			t.Errorf("%s %d: asked for %q, want %q", c.method, c.status, got, c.want)
		}
		if len(rows) == 0 || rows[0]["success"] != "true" {
			t.Errorf("%s %d: %v", c.method, c.status, rows)
		}
	}
}

// Headers of the header manager go to every host, as in JMeter.
func TestRedirectToAnotherHost(t *testing.T) {
	var seen string
	other := serve(t, func(head string, _ []byte) string {
		seen = value(head, "X-Token") + " " + value(head, "Host")
		return reply("200 OK", "there")
	})
	first := serve(t, func(string, []byte) string { return reply("302 Found", "", "Location: "+other.url("/x")) })
	rows := plan{body: request("r", "GET", first.url("/"), boolean("HTTPSampler.follow_redirects", true), "") + headerManager("X-Token", "t")}.run(t)
	if want := "t " + other.Addr().String(); seen != want {
		t.Errorf("%q, want %q", seen, want)
	}
	if rows[0]["URL"] != other.url("/x") || rows[0]["responseCode"] != "200" {
		t.Errorf("%v", rows[0])
	}
}

func TestAutomaticRedirectsEnd(t *testing.T) {
	for _, c := range []struct{ location, want string }{
		{"/loop", "org.apache.http.client.ClientProtocolException"},
		{"/a b", "org.apache.http.client.ClientProtocolException"},
		{"ftp://x:21/", "org.apache.http.conn.UnsupportedSchemeException"},
	} {
		p := serve(t, func(string, []byte) string { return reply("302 Found", "", "Location: "+c.location) })
		rows := plan{body: request("r", "GET", p.url("/loop"), boolean("HTTPSampler.auto_redirects", true))}.run(t)
		if want := "Non HTTP response code: " + c.want; rows[0]["responseCode"] != want {
			t.Errorf("%s: %v, want %s", c.location, rows[0], want)
		}
	}
}

// The address of a sample that redirects by itself is what HttpClient asked for.
func TestAutomaticRedirectAddress(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("200 OK", "") })
	for path, want := range map[string]string{
		"/p?q=a#part": "/p?q=a", "?q=1": "/?q=1", "": "/", "/a//b": "/a/b", "/\u00e4": "/\u00e4",
	} {
		rows := plan{body: request("r", "GET", p.url(path), boolean("HTTPSampler.auto_redirects", true))}.run(t)
		if got := rows[0]["URL"]; got != p.url(want) {
			t.Errorf("%q: %s, want %s", path, got, p.url(want))
		}
	}
}

// HttpClient resolves by RFC 3986, and the address of a sample that fails on the way
// stays the first.
func TestAutomaticRedirectTargets(t *testing.T) {
	for location, want := range map[string]string{"../../x": "/x", "?q=1": "/a/b?q=1", "./c/../d": "/a/d"} {
		var asked string
		p := serve(t, func(head string, _ []byte) string {
			asked = strings.Fields(head)[1]
			if asked == "/a/b" {
				return reply("302 Found", "", "Location: "+location)
			}
			return reply("200 OK", "")
		})
		plan{body: request("r", "GET", p.url("/a/b"), boolean("HTTPSampler.auto_redirects", true))}.run(t)
		if asked != want {
			t.Errorf("%s: %s, want %s", location, asked, want)
		}
	}
	p := serve(t, func(string, []byte) string { return reply("302 Found", "", "Location: http://127.0.0.1:1/") })
	rows := plan{body: request("r", "GET", p.url("/first"), boolean("HTTPSampler.auto_redirects", true))}.run(t)
	if rows[0]["URL"] != p.url("/first") || rows[0]["success"] != "false" {
		t.Errorf("%v", rows[0])
	}
}

// An empty Location is a redirect to the page itself; none, with 307, an error of
// those that follow by themselves.
func TestRedirectToNothing(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("302 Found", "", "Location:") })
	rows := plan{body: request("r", "GET", p.url("/"), boolean("HTTPSampler.follow_redirects", true))}.run(t)
	if got := rows[0]["responseMessage"]; got != "Non HTTP response message: Exceeded maximum number of redirects: 20" {
		t.Errorf("empty: %s", got)
	}
	p = serve(t, func(string, []byte) string { return reply("307 Temporary Redirect", "") })
	rows = plan{body: request("r", "GET", p.url("/"), boolean("HTTPSampler.auto_redirects", true))}.run(t)
	if got := rows[0]["responseCode"]; got != "Non HTTP response code: org.apache.http.client.ClientProtocolException" {
		t.Errorf("none: %s", got)
	}
}

// A Transfer-Encoding by hand fails a request with a body, and no other.
func TestTransferEncodingByHand(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("200 OK", "") })
	for method, want := range map[string]string{"GET": "200", "POST": "Non HTTP response code: org.apache.http.client.ClientProtocolException"} {
		rows := plan{body: request("r", method, p.url("/"), "") + headerManager("Transfer-Encoding", "identity")}.run(t)
		if got := rows[0]["responseCode"]; got != want {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
}

// The exact bytes of the kinds of bodies.
func TestBodies(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "up.txt"), []byte("file\x00data"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := func(rows ...[3]string) string {
		var b strings.Builder
		for _, r := range rows {
			b.WriteString(`<elementProp name="" elementType="HTTPFileArg">` + str("File.path", r[0]) + str("File.paramname", r[1]) + str("File.mimetype", r[2]) + `</elementProp>`)
		}
		return `<elementProp name="HTTPsampler.Files" elementType="HTTPFileArgs"><collectionProp name="HTTPFileArgs.files">` + b.String() + `</collectionProp></elementProp>`
	}
	multi := boolean("HTTPSampler.DO_MULTIPART_POST", true)
	for _, c := range []struct{ name, method, props, kind, body string }{
		{"form", "POST", arguments(true, argument{"a b", "c&d"}, argument{"", "x"}, argument{"${nope}", "y"}, argument{"e", ""}), "application/x-www-form-urlencoded; charset=UTF-8", "a+b=c%26d&e="},
		{"encoded form", "POST", arguments(false, argument{"q", "p+q%20%41"}), "application/x-www-form-urlencoded; charset=UTF-8", "q=p+q+A"},
		{"raw", "PUT", arguments(false, argument{"", "one"}, argument{"", "two"}), "text/plain; charset=UTF-8", "onetwo"},
		{"form in Shift_JIS", "POST", str("HTTPSampler.contentEncoding", "shift_jis") + arguments(true, argument{"q", "\u30a2 \u4e9c"}), "application/x-www-form-urlencoded; charset=Shift_JIS", "q=%83A+%88%9F"},
		{"raw in latin", "POST", str("HTTPSampler.contentEncoding", "ISO-8859-1") + arguments(false, argument{"", "caf\u00e9 \u4f60"}), "text/plain; charset=ISO-8859-1", "caf\xe9 ?"},
		{"nothing", "DELETE", "", "application/x-www-form-urlencoded; charset=UTF-8", ""},
		{"file as body", "POST", files([3]string{"up.txt", "", "text/x-up"}), "text/x-up", "file\x00data"},
		{"multipart", "POST", multi + arguments(false, argument{"a", "1"}), "multipart/form-data; boundary=B",
			"--B\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n1\r\n--B--\r\n"},
		{"browser multipart", "POST", multi + boolean("HTTPSampler.BROWSER_COMPATIBLE_MULTIPART", true) + arguments(false, argument{`q"`, "1"}) + files([3]string{"up.txt", "f", "text/x-up"}), "multipart/form-data; boundary=B",
			"--B\r\nContent-Disposition: form-data; name=\"q\\\"\"\r\n\r\n1\r\n--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"up.txt\"\r\nContent-Type: text/x-up\r\n\r\nfile\x00data\r\n--B--\r\n"},
	} {
		var kind, body string
		p := serve(t, func(head string, b []byte) string {
			kind, body = value(head, "Content-Type"), string(b)
			return reply("200 OK", "")
		})
		plan{body: request("r", c.method, p.url("/"), c.props), workDir: dir}.run(t)
		if m := regexp.MustCompile(`boundary=([-\w]{30,40})$`).FindStringSubmatch(kind); m != nil {
			kind, body = strings.ReplaceAll(kind, m[1], "B"), strings.ReplaceAll(body, m[1], "B")
		}
		if kind != c.kind || body != c.body {
			t.Errorf("%s:\n got %q %q\nwant %q %q", c.name, kind, body, c.kind, c.body)
		}
	}
}

func TestMissingFile(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("200 OK", "") })
	rows := plan{workDir: t.TempDir(), body: request("r", "POST", p.url("/"), `<elementProp name="HTTPsampler.Files" elementType="HTTPFileArgs"><collectionProp name="HTTPFileArgs.files"><elementProp name="" elementType="HTTPFileArg">`+
		str("File.path", "a//nope.txt")+str("File.paramname", "")+str("File.mimetype", "")+`</elementProp></collectionProp></elementProp>`)}.run(t)
	if got := rows[0]["responseCode"]; got != "Non HTTP response code: java.io.FileNotFoundException" {
		t.Error(got)
	}
	if got := rows[0]["responseMessage"]; !strings.HasSuffix(got, "/a/nope.txt (No such file or directory)") {
		t.Error(got)
	}
}

// The order of headers on the wire.
func TestHeaderOrder(t *testing.T) {
	var got string
	p := serve(t, func(head string, _ []byte) string {
		got, _, _ = strings.Cut(head, "X-Peer")
		return reply("200 OK", "")
	})
	plan{
		props: map[string]string{"httpclient4.default_user_agent_disabled": "false"},
		body:  request("r", "POST", p.url("/x"), arguments(false, argument{"a", "1"})) + headerManager("x-CASE", "1", "X-Twice", "1", "X-Twice", "2", "Content-Length", "9", "X-Long", "caf\u00e9\u4f60"),
	}.run(t)
	want := "POST /x HTTP/1.1\r\nConnection: keep-alive\r\nx-CASE: 1\r\nX-Twice: 1\r\nX-Twice: 2\r\nX-Long: caf\xe9?\r\nContent-Length: 3\r\n" +
		"Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\nHost: " + p.Addr().String() + "\r\nUser-Agent: Apache-HttpClient/4.5.14 (Java/17.0.15)\r\n\r\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// A result without a name is what JMeter makes of an address that cannot be.
func TestUnknownImplementation(t *testing.T) {
	rows := plan{body: request("r", "GET", "http://127.0.0.1:1/", str("HTTPSampler.implementation", "Foo"))}.run(t)
	if got := rows[0]["responseMessage"]; got != "Non HTTP response message: Unknown implementation type: 'Foo'" {
		t.Error(got)
	}
}

// Parallel downloads keep the order of the page, share cookies, and do not run
// more at once than the pool allows.
func TestParallelResources(t *testing.T) {
	var page strings.Builder
	for i := range 20 {
		fmt.Fprintf(&page, "<img src='/i%d.png'>", i)
	}
	var at, most atomic.Int64
	var mu sync.Mutex
	cookies := map[string]bool{}
	p := serve(t, func(head string, _ []byte) string {
		if strings.HasPrefix(head, "GET /page") {
			return reply("200 OK", page.String(), "Content-Type: text/html", "Set-Cookie: s=1")
		}
		n := at.Add(1)
		defer at.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		mu.Lock()
		cookies[value(head, "Cookie")] = true
		mu.Unlock()
		return reply("200 OK", line(head), "Content-Type: image/png")
	})
	rows := plan{body: element("CookieManager", "CookiePanel", "c", "") + headerManager("X-N", "${__counter(TRUE)}") +
		request("r", "GET", p.url("/page"), boolean("HTTPSampler.image_parser", true), boolean("HTTPSampler.concurrentDwn", true), str("HTTPSampler.concurrentPool", "4")),
		props: map[string]string{"jmeter.save.saveservice.subresults": "true"}}.run(t)
	if len(rows) == 0 || rows[0]["success"] != "true" {
		t.Fatalf("%v", rows)
	}
	for i, r := range rows[2:] {
		if want := p.url(fmt.Sprintf("/i%d.png", i)); r["URL"] != want || r["label"] != fmt.Sprintf("r-%d", i+1) {
			t.Errorf("%v, want %s", r, want)
		}
	}
	if len(rows) != 22 || most.Load() > 4 || len(cookies) != 1 || !cookies["s=1"] {
		t.Errorf("%d rows, %d at once, cookies %v", len(rows), most.Load(), cookies)
	}
}

// A stop now cuts requests short, downloads too, and leaves nothing behind.
func TestStopNow(t *testing.T) {
	for _, c := range []struct{ name, url, more string }{
		{"waiting for an answer", "/never", ""},
		{"inside a body", "/half", ""},
		{"downloading", "/page", boolean("HTTPSampler.image_parser", true) + boolean("HTTPSampler.concurrentDwn", true)},
	} {
		started := make(chan struct{}, 16)
		quit := make(chan struct{})
		p := serve(t, func(head string, _ []byte) string {
			switch {
			case strings.HasPrefix(head, "GET /page"):
				return reply("200 OK", "<img src=/never?1><img src=/never?2>", "Content-Type: text/html")
			case strings.HasPrefix(head, "GET /half"):
				started <- struct{}{}
				return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
			}
			started <- struct{}{}
			<-quit
			return ""
		})
		compiled, _ := plan{body: request("r", "GET", p.url(c.url), c.more)}.compile(t)
		runner := compiled.Start()
		done := make(chan error)
		go func() { done <- runner.Run() }()
		<-started
		runner.Stop(true, "test")
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: still running", c.name)
		}
		close(quit)
	}
}

func TestBasicThroughProxy(t *testing.T) {
	var heads []string
	p := serve(t, func(head string, _ []byte) string {
		heads = append(heads, head)
		if value(head, "Proxy-Authorization") == "" {
			return reply("407 Proxy Authentication Required", "", `Proxy-Authenticate: Basic realm="p"`)
		}
		return reply("200 OK", "through")
	})
	host, port, _ := strings.Cut(p.Addr().String(), ":")
	rows := plan{body: request("r", "GET", "http://shop.test/x", str("HTTPSampler.proxyHost", host), str("HTTPSampler.proxyPort", port), str("HTTPSampler.proxyUser", "u"), str("HTTPSampler.proxyPass", "p"))}.run(t)
	if rows[0]["responseCode"] != "200" || len(heads) != 2 {
		t.Fatalf("%v %q", rows, heads)
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("u:p"))
	if line(heads[1]) != "GET http://shop.test/x HTTP/1.1" || value(heads[1], "Proxy-Authorization") != want || value(heads[1], "Host") != "shop.test" {
		t.Errorf("%q", heads[1])
	}
}

func TestCacheVaries(t *testing.T) {
	var lines []string
	p := serve(t, func(head string, _ []byte) string {
		lines = append(lines, value(head, "Accept-Language")+" "+value(head, "If-None-Match"))
		return reply("200 OK", "x", "ETag: \""+value(head, "Accept-Language")+"\"", "Vary: Accept-Language")
	})
	ask := func(lang string) string {
		return element("HTTPSamplerProxy", "HttpTestSampleGui", lang, str("HTTPSampler.path", p.url("/"))+boolean("HTTPSampler.use_keepalive", true), headerManager("Accept-Language", lang))
	}
	plan{body: element("CacheManager", "CacheManagerGui", "c", boolean("useExpires", false)) + ask("de") + ask("fr") + ask("de")}.run(t)
	if got, want := strings.Join(lines, "|"), `de |fr |de "de"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
	var lines []string
	p := serve(t, func(head string, _ []byte) string {
		lines = append(lines, strings.Fields(head)[1]+value(head, "If-None-Match"))
		return reply("200 OK", "x", `ETag: "e"`)
	})
	plan{body: element("CacheManager", "CacheManagerGui", "c", str("maxSize", "1")) + request("a", "GET", p.url("/a")) + request("b", "GET", p.url("/b")) + request("a", "GET", p.url("/a")) + request("a", "GET", p.url("/a"))}.run(t)
	if got, want := strings.Join(lines, " "), `/a /b /a /a"e"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// With a new user for each iteration cookies and connections start anew.
func TestNewUserEachIteration(t *testing.T) {
	for newUser, want := range map[bool]string{true: "1: 2:", false: "1: 1:s=1"} {
		var mu sync.Mutex
		var got []string
		connections := map[string]int{}
		p := serve(t, func(head string, _ []byte) string {
			mu.Lock()
			defer mu.Unlock()
			from := value(head, "X-Peer")
			if connections[from] == 0 {
				connections[from] = len(connections) + 1
			}
			got = append(got, fmt.Sprintf("%d:%s", connections[from], value(head, "Cookie")))
			return reply("200 OK", "", "Set-Cookie: s=1")
		})
		plan{loops: 2, newUser: newUser, body: element("CookieManager", "CookiePanel", "c", boolean("CookieManager.controlledByThreadGroup", true)) + request("r", "GET", p.url("/"))}.run(t)
		if strings.Join(got, " ") != want {
			t.Errorf("new user %t: %q, want %q", newUser, got, want)
		}
	}
}

func TestAccessLog(t *testing.T) {
	dir := t.TempDir()
	log := `10.0.0.1 - - [1/Jan/2020:00:00:00 +0000] "GET /a?x=1&y=b%20c HTTP/1.1" 200 10

10.0.0.2 - - [1/Jan/2020:00:00:00 +0000] "POST /b?z=2 HTTP/1.1" 200 10
`
	if err := os.WriteFile(filepath.Join(dir, "access.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	var lines []string
	p := serve(t, func(head string, body []byte) string {
		lines = append(lines, line(head)+" "+value(head, "Connection")+" "+string(body))
		return reply("200 OK", "")
	})
	host, port, _ := strings.Cut(p.Addr().String(), ":")
	rows := plan{loops: 5, workDir: dir, body: element("AccessLogSampler", "TestBeanGUI", "log", str("logFile", "access.log")+str("domain", host)+str("portString", port)+
		str("parserClassName", "org.apache.jmeter.protocol.http.util.accesslog.TCLogParser"))}.run(t)
	if got, want := strings.Join(lines, "|"), "GET /a?x=1&y=b%20c HTTP/1.1 close |POST /b HTTP/1.1 close z=2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(rows) != 3 || rows[0]["label"] != p.url("/a?x=1&y=b%20c") || rows[1]["label"] != p.url("/b")+"\nQuery Data: z=2" ||
		rows[2]["label"] != "" || rows[2]["responseMessage"] != "Non HTTP response message: No entries found" {
		t.Errorf("%v", rows)
	}
}

// All threads meet the same visitors, and each of them is met by one at a time.
// At the end of the log they are forgotten.
func TestAccessLogVisitors(t *testing.T) {
	dir := t.TempDir()
	log := "10.0.0.1 GET /a\n10.0.0.2 GET /b\n10.0.0.1 GET /a\n"
	if err := os.WriteFile(filepath.Join(dir, "access.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	at, fresh := map[string]int{}, 0
	p := serve(t, func(head string, _ []byte) string {
		path := strings.Fields(head)[1]
		mu.Lock()
		at[path]++
		if at[path] > 1 {
			t.Errorf("%s: %d at once", path, at[path])
		}
		if value(head, "Cookie") == "" {
			fresh++
		}
		mu.Unlock()
		time.Sleep(time.Millisecond) // so that others come by
		mu.Lock()
		at[path]--
		mu.Unlock()
		return reply("200 OK", "", "Set-Cookie: seen=1; Path=/")
	})
	host, port, _ := strings.Cut(p.Addr().String(), ":")
	sampler := element("AccessLogSampler", "TestBeanGUI", "log", str("logFile", "access.log")+str("domain", host)+str("portString", port)+
		str("parserClassName", "org.apache.jmeter.protocol.http.util.accesslog.TCLogParser")+str("filterClassName", "org.apache.jmeter.protocol.http.util.accesslog.SessionFilter"))
	rows := plan{threads: 4, loops: 3, workDir: dir, body: sampler}.run(t)
	if len(rows) != 12 || fresh != 2 {
		t.Errorf("%d rows, %d requests without a cookie", len(rows), fresh)
	}
	fresh = 0
	rows = plan{loops: 8, workDir: dir, body: sampler}.run(t) // 3, the end, 3, the end
	if len(rows) != 8 || fresh != 4 || rows[3]["responseCode"] != "Non HTTP response code: java.lang.Error" {
		t.Errorf("%d rows, %d requests without a cookie: %v", len(rows), fresh, rows)
	}
}

// A proxy of the command line is for some hosts; what a proxy was answered with
// goes with later requests, too.
func TestProxyOfTheCommandLine(t *testing.T) {
	var heads []string
	proxy := serve(t, func(head string, _ []byte) string {
		heads = append(heads, line(head)+" "+value(head, "Proxy-Authorization"))
		if value(head, "Proxy-Authorization") == "" {
			return reply("407 Proxy Authentication Required", "", `Proxy-Authenticate: Basic realm="p"`)
		}
		return reply("200 OK", "through")
	})
	direct := serve(t, func(string, []byte) string { return reply("302 Found", "", "Location: http://shop.test/b") })
	host, port, _ := strings.Cut(proxy.Addr().String(), ":")
	p := plan{body: request("a", "GET", "http://shop.test/a") + request("b", "GET", direct.url("/"), boolean("HTTPSampler.follow_redirects", true)),
		system: map[string]string{"http.proxyHost": host, "http.proxyPort": port, "http.nonProxyHosts": "*.0.0.1|other"},
		props:  map[string]string{"http.proxyUser": "u", "http.proxyPass": "p"}}
	rows := p.run(t)
	want := "GET http://shop.test/a HTTP/1.1 |GET http://shop.test/a HTTP/1.1 Basic dTpw|GET http://shop.test/b HTTP/1.1 Basic dTpw"
	if got := strings.Join(heads, "|"); got != want || rows[1]["responseCode"] != "200" || rows[1]["URL"] != "http://shop.test/b" {
		t.Errorf("%s\nwant %s\n%v", got, want, rows)
	}
}

// The connection counts also where an answer to a challenge followed on it.
func TestConnectTimeOfAChallenge(t *testing.T) {
	p := serve(t, func(head string, _ []byte) string {
		if value(head, "Authorization") == "" {
			time.Sleep(20 * time.Millisecond)
			return reply("401 Unauthorized", "", `WWW-Authenticate: Digest realm="r", nonce="n"`)
		}
		return reply("200 OK", "in")
	})
	auth := element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list"><elementProp name="" elementType="Authorization">`+
		str("Authorization.url", p.url("/"))+str("Authorization.username", "u")+str("Authorization.password", "p")+str("Authorization.realm", "")+
		str("Authorization.mechanism", "DIGEST")+`</elementProp></collectionProp>`)
	rows := plan{loops: 2, body: auth + request("r", "GET", p.url("/"))}.run(t)
	for i, r := range rows {
		var elapsed, connect int
		fmt.Sscan(r["elapsed"], &elapsed)
		fmt.Sscan(r["Connect"], &connect)
		if elapsed < 20 || connect >= elapsed || r["responseCode"] != "200" {
			t.Errorf("row %d: elapsed %d, connect %d: %v", i, elapsed, connect, r)
		}
	}
}

func TestExpectContinue(t *testing.T) {
	l := serveRaw(t, "HTTP/1.1 100 Continue\r\n\r\n", reply("200 OK", "done"))
	rows := plan{body: request("r", "POST", l.url("/"), arguments(false, argument{"a", "1"})) + headerManager("Expect", "100-continue")}.run(t)
	if rows[0]["responseCode"] != "200" || l.early != 0 {
		t.Errorf("%v; %d bytes of the body came unasked", rows[0], l.early)
	}
}
