package xml

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorsNameThePlace(t *testing.T) {
	for doc, want := range map[string]Error{
		"":                 {"Premature end of file.", 1, 1},
		"x":                {"Content is not allowed in prolog.", 1, 1},
		"<a></b>":          {`The element type "a" must be terminated by the matching end-tag "</a>".`, 1, 7},
		"<a>\n<b>\n</a>":   {`The element type "b" must be terminated by the matching end-tag "</b>".`, 3, 4},
		"<a/><b/>":         {"The markup in the document following the root element must be well-formed.", 1, 6},
		"<a>&x;</a>":       {`The entity "x" was referenced, but not declared.`, 1, 7},
		"<a><!-- -- --><a": {`The string "--" is not permitted within comments.`, 1, 11},
		"<a b/>":           {`Attribute name "b" associated with an element type "a" must be followed by the ' = ' character.`, 1, 5},
	} {
		_, err := Parse([]byte(doc), false)
		var e *Error
		if !errors.As(err, &e) || e.Text != want.Text {
			t.Errorf("%q: %v, want %v", doc, err, want)
			continue
		}
		if doc != "" && e.Line != want.Line {
			t.Errorf("%q: line %d, want %d", doc, e.Line, want.Line)
		}
	}
}

func TestEncodings(t *testing.T) {
	for doc, want := range map[string]string{
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>": "é",
		"\xef\xbb\xbf<a>é</a>":                                              "é",
		"\xff\xfe<\x00a\x00>\x00\xe9\x00<\x00/\x00a\x00>\x00":               "é",
		"<a>x\r\ny\rz</a>":                                                  "x\ny\nz",
		"<!DOCTYPE a [<!ENTITY b \"c&d;\"><!ENTITY d 'e'>]><a>&b;&#65;</a>": "ceA",
	} {
		n, err := Parse([]byte(doc), false)
		if err != nil {
			t.Errorf("%q: %v", doc, err)
			continue
		}
		if got := n.StringValue(); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// Entities that grow without end are refused, and none is fetched.
func TestEntityBombIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">`)
	for i := 1; i < 10; i++ {
		name := string(rune('0' + i))
		b.WriteString(`<!ENTITY e` + name + ` "` + strings.Repeat("&e"+string(rune('0'+i-1))+";", 10) + `">`)
	}
	b.WriteString(`]><a>&e9;</a>`)
	if _, err := Parse([]byte(b.String()), false); err == nil {
		t.Error("no error")
	}
	if _, err := Parse([]byte(`<!DOCTYPE a [<!ENTITY x "&x;">]><a>&x;</a>`), false); err == nil {
		t.Error("no error for an entity within itself")
	}
}

func TestNamespaces(t *testing.T) {
	const text = `<r xmlns="urn:d" xmlns:p="urn:p"><p:a p:b="1" c="2"/></r>`
	n, err := Parse([]byte(text), true)
	if err != nil {
		t.Fatal(err)
	}
	a := n.Root().Children[0]
	if a.Local != "a" || a.Space != "urn:p" || a.Attrs[1].Space != "urn:p" || a.Attrs[0].Space != "" {
		t.Errorf("%+v", a)
	}
	if got := string(a.AppendXML(nil)); got != `<p:a xmlns="urn:d" xmlns:p="urn:p" c="2" p:b="1"/>` {
		t.Errorf("%s", got)
	}
	if _, err := Parse([]byte(`<q:a/>`), true); err == nil || err.Error() != `The prefix "q" for element "q:a" is not bound.` {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a b='1' c:d="&#x41;">x&b;<![CDATA[y]]><!--z--><?p q?></a>`, `<a`, `<a>]]></a>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse([]byte(text), len(text)%2 == 0)
		if (n == nil) == (err == nil) {
			t.Fatalf("%v and %v", n, err)
		}
		if err != nil {
			return
		}
		if n.Root() == nil {
			t.Fatal("no root element")
		}
		again, err := Parse(n.AppendXML(nil), false)
		if err != nil {
			t.Fatalf("%q prints as %s: %v", text, n.AppendXML(nil), err)
		}
		if got, want := again.StringValue(), n.StringValue(); got != want {
			t.Fatalf("%q prints as %s", text, n.AppendXML(nil))
		}
	})
}
