package http_test

import (
	"strings"
	"testing"
)

// second runs a page and then a request with a pre-processor, and returns the
// request's line and body.
func second(t *testing.T, page, pre, method, path, props string) string {
	t.Helper()
	got := ""
	p := serve(t, func(head string, body []byte) string {
		if strings.HasPrefix(head, "GET /page") {
			return reply("200 OK", page, "Content-Type: text/html")
		}
		got = strings.TrimSuffix(line(head), " HTTP/1.1") + " " + string(body)
		return reply("200 OK", "")
	})
	host, port, _ := strings.Cut(p.Addr().String(), ":")
	defaults := element("ConfigTestElement", "HttpDefaultsGui", "d", str("HTTPSampler.domain", host)+str("HTTPSampler.port", port))
	plan{body: defaults + element("HTTPSamplerProxy", "HttpTestSampleGui", "page", str("HTTPSampler.path", "/page")) +
		element("HTTPSamplerProxy", "HttpTestSampleGui", "r", str("HTTPSampler.path", path)+str("HTTPSampler.method", method)+props, pre)}.run(t)
	return strings.TrimSpace(got)
}

func TestURLRewriting(t *testing.T) {
	rewrite := func(props ...string) string {
		return element("URLRewritingModifier", "URLRewritingModifierGui", "u", str("argument_name", "sid")+strings.Join(props, ""))
	}
	path := boolean("path_extension", true)
	for _, c := range []struct{ name, page, pre, method, path, want string }{
		{"argument", `<a href="x?sid=42&y=1">`, rewrite(), "GET", "/x", "GET /x?sid=42"},
		{"hidden field", `<input type=hidden name="sid" value="a&b">`, rewrite(), "POST", "/x", "POST /x sid=a%26b"},
		{"value before name", `<input value='7' name='sid'>`, rewrite(), "GET", "/x", "GET /x?sid=7"},
		{"replaced", `x?sid=42"`, rewrite(), "GET", "/x?a=1", "GET /x?a=1&sid=42"},
		{"none", `nothing`, rewrite(), "GET", "/x", "GET /x?sid="},
		{"path", `x;sid=42"`, rewrite(path), "GET", "/x", "GET /x;sid=42"},
		{"path, replaced", `x;sid=42"`, rewrite(path), "POST", "/x;sid=1?q", "POST /x?q;sid=42"},
		{"no equals", `x;sid42;y"`, rewrite(path, boolean("path_extension_no_equals", true)), "GET", "/x", "GET /x;sid42"},
		{"question mark", `x;sid=42?y"`, rewrite(path, boolean("path_extension_no_questionmark", true)), "GET", "/x", "GET /x;sid=42"},
	} {
		if got := second(t, c.page, c.pre, c.method, c.path, ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLinkParser(t *testing.T) {
	parser := element("AnchorModifier", "AnchorModifierGui", "a", "")
	for _, c := range []struct{ name, page, method, path, props, want string }{
		{"link", `<a href="/b/2?x=1">two</a><a href="/a">one</a>`, "GET", "/b/.*", "", "GET /b/2?x=1"},
		{"by argument", `<a href="/b?y=1">1</a><a href="/b?x=2&z=3">2</a>`, "GET", "/b", arguments(false, argument{"x", ""}), "GET /b?x=2&z=3"},
		{"base", `<base href="/d/"><a href="e">1</a>`, "GET", "/d/.", "", "GET /d/e"},
		{"script links", `<a href="javascript:void(0)">1</a>`, "GET", "/.*", "", "GET /.*"},
		{"frame", `<frameset><frame src="/f"></frameset>`, "GET", "/f", "", "GET /f"},
		{"form", `<form action="/do"><input name="n" value="v 1"><select name="s"><option value="o"></select><textarea name="t">x</textarea></form>`, "POST", "/do",
			arguments(true, argument{"n", ".*"}, argument{"s", ".*"}, argument{"t", "x"}), "POST /do n=v+1&s=o&t=x"},
		{"no match", `<a href="/a">one</a>`, "GET", "/b", "", "GET /b"},
	} {
		if got := second(t, c.page, parser, c.method, c.path, c.props); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
