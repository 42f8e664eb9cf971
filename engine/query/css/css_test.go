package css

import (
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for query, want := range map[string]string{
		"":             "String must not be empty",
		"p!":           "Could not parse query 'p!': unexpected token at '!'",
		"p:hover":      "Could not parse query 'p:hover': unexpected token at ''",
		"p:not()":      ":not(selector) sub-select must not be empty",
		"p:eq(x)":      "Index must be numeric",
		"p:has(b":      "Did not find balanced marker at 'b'",
		":nth-child()": "Could not parse nth-index '': unexpected format",
		strings.Repeat("p:not(", 200) + strings.Repeat(")", 200): "nested too deeply",
	} {
		if _, err := Compile(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for page, want := range map[string]string{
		`<a href="http://h/x">`:                            "http://h/x",
		`<a href="/x">`:                                    "",
		`<base href="http://h/a/b"><a href="x?y=1">`:       "http://h/a/x?y=1",
		`<base href="/rel"><a href="x">`:                   "",
		`<base href="http://h/"><a name="no address">`:     "",
		`<base href="http://h/"><a href="http://%zz/bad">`: "",
	} {
		doc, err := Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Compile("a")
		if err != nil {
			t.Fatal(err)
		}
		if got := Attr(s.Select(doc)[0], "abs:href"); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

func TestDeepPagesAreToldOf(t *testing.T) {
	if _, err := Parse(strings.Repeat("<div>", 5000)); err == nil {
		t.Error("a page of 5000 levels is read")
	}
}

func FuzzSelect(f *testing.F) {
	for _, query := range []string{"div > p:nth-child(2n+1), [a^='b']", "p:has(> b):not(.x):contains(t)", "a:matches(x+)", ">", "\\", ":is(", "*|a", "[a~=(]"} {
		f.Add(query, `<div a="b c"><p class=x>t<b>u</b></p></div>`)
	}
	f.Fuzz(func(t *testing.T, query, page string) {
		if len(query) > 200 || len(page) > 500 {
			return
		}
		s, err := Compile(query)
		if err != nil {
			return
		}
		doc, err := Parse(page)
		if err != nil {
			return
		}
		for _, n := range s.Select(doc) {
			Text(n)
		}
	})
}
