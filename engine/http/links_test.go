package http

import (
	"strings"
	"testing"
)

const links = "http://a.test/d/page"

func found(t *testing.T, media, page, agent string) string {
	t.Helper()
	list, err := linksOf(media, page, at(t, links), agent)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, l := range list {
		out = append(out, strings.TrimPrefix(l.text, "http://a.test/"))
	}
	return strings.Join(out, " ")
}

// Which parts of a page are downloaded, by JMeter's parser.
func TestLinksOfPages(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<body background=b.png><td background=t.png>`, "d/b.png d/t.png"},
		{`<IMG SRC='/i.png'><img src=" j.png ">`, "i.png d/j.png"},
		{`<img src=i.png><img src=i.png>`, "d/i.png"},
		{`<script src=s.js>var a = "<img src=x.png>";</script>`, "d/s.js"},
		{`<frame src=f><iframe src=g></iframe><embed src=e><bgsound src=h>`, "d/f d/g d/e d/h"},
		{`<input type=IMAGE src=i.png><input src=no.png>`, "d/i.png"},
		{`<link rel=stylesheet href=a.css><link rel=Icon href=b.ico><link rel="shortcut icon" href=c.ico><link rel=preload href=d>`, "d/a.css d/b.ico d/c.ico d/d"},
		{`<link rel=alternate href=a><link rel="stylesheet x" href=b><link href=c>`, ""},
		{`<object codebase=c data=d></object>`, "d/c d/d"},
		{`<applet codebase=c archive=a.jar code=x><applet codebase=c code=x><applet code=y>`, "d/c/a.jar d/c/x d/y"},
		{`<p style="background:url('s.png')"><p style="background:url(no.png)">`, "d/s.png"},
		{`<img srcset=a.png data-src=b.png><video src=v poster=p></video><a href=x>`, ""},
		{`<img src="data:image/png;base64,x">`, ""},
		{`<!-- <img src=c.png> --><noscript><img src=n.png></noscript><img src=i.png>`, "d/i.png"},
		{`<img src=a.png><base href=/other/><img src=b.png>`, "d/a.png other/b.png"},
		{`<img src="a.png?x=1&amp;y=2">`, "d/a.png?x=1&y=2"},
		{`<img src=&#x69;.png alt="=&"><plaintext><img src="&amp;eacute;">`, "d/=i.png d/&eacute;"},
		{`<applet codebase=c>`, "d/c/null"},
		{"<img src=\"a\n.png\">", "d/a.png"},
	} {
		if got := found(t, "text/html", c.page, ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

func TestConditionalComments(t *testing.T) {
	page := `<!--[if IE]><img src=a><![endif]--><!--[if lt IE 7]><img src=b><![endif]--><!--[if gte IE 8]><img src=c><![endif]-->` +
		`<!--[if (gt IE 7)&(lte IE 9)]><img src=d><![endif]--><!--[if !IE]><!--><img src=f><!--<![endif]--><![if !IE]><img src=g><![endif]><img src=e>`
	for agent, want := range map[string]string{
		"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)": "d/b d/e",
		"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.0)": "d/c d/d d/e",
		"Mozilla/5.0 (compatible; MSIE 10.0)":                "d/f d/g d/e",
		"Mozilla/5.0 Firefox/130.0":                          "d/f d/g d/e",
	} {
		if got := found(t, "text/html", page, agent); got != want {
			t.Errorf("%s: %q, want %q", agent, got, want)
		}
	}
}

func TestLinksOfStyleSheets(t *testing.T) {
	for css, want := range map[string]string{
		`@import "a.css"; @import url(b.css); @import url('c.css') screen; @import url( "d.css" );`: "d/a.css d/b.css d/c.css d/d.css",
		`@charset "UTF-8"; /* @import "no.css"; */ p{background:url(i.png)} @import "a.css";`:       "d/a.css",
		`p{ @import "no.css"; }`:             "",
		`p{content:"}"; } @import 'a';`:      "d/a",
		`p{} @import 'a'`:                    "", // no semicolon
		`@import"a";}`:                       "d/a",
		`@import a; p{} @import "b";`:        "d/b", // no rule: gone with what follows up to a brace
		`@import "a" layer(x); @import "b";`: "",
		`@import "a" screen and (width:1px), (color); @import "b"; ; @import "c";`: "d/a d/b",
		`@layer x; @import "a"; p{} @import "&amp;&eacute;";`:                      "d/&&eacute;",
		`@import "a.css"; @import "a.css";`:                                        "d/a.css d/a.css",
		`@media print{ p{} } @import "b";`:                                         "d/b",
	} {
		if got := found(t, "text/css", css, ""); got != want {
			t.Errorf("%s: %q, want %q", css, got, want)
		}
	}
	if got := found(t, "application/javascript", `@import "a"; <img src=b>`, ""); got != "" {
		t.Errorf("script: %q", got)
	}
}

func FuzzLinks(f *testing.F) {
	f.Add(`<img src=a><base href="//x"><p style="url('b')">`)
	f.Add(`@import url("a"); p{`)
	f.Add(`<!--[if lt IE 7]><!--[if IE]><img src=a><![endif]-->`)
	f.Fuzz(func(t *testing.T, s string) {
		base := at(t, links)
		for _, media := range []string{"text/html", "text/css"} {
			list, err := linksOf(media, s, base, "MSIE 6.0;")
			if err != nil {
				continue
			}
			for _, l := range list {
				if l == nil || l.text == "" {
					t.Fatalf("%q: empty link", s)
				}
			}
		}
	})
}
