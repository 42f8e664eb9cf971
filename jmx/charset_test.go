package jmx

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

func TestCharset(t *testing.T) {
	doc := func(declared, text string) string {
		return "<?xml version='1.0' encoding='" + declared + "'?>" + before + `<A guiclass="" testname="` + text + `"/>` + after
	}
	utf16 := func(e unicode.Endianness, bom unicode.BOMPolicy) string {
		s, err := unicode.UTF16(e, bom).NewEncoder().String(doc("UTF-16", "café €"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := []struct{ name, src, want string }{
		{"utf-8", doc("UTF-8", "café €"), "café €"},
		{"utf-8 with mark", "\ufeff" + doc("UTF-8", "café €"), "café €"},
		{"utf-8 though declared otherwise", doc("ISO-8859-1", "café €"), "café €"},
		{"iso-8859-1", doc("ISO-8859-1", "caf\xe9"), "café"},
		{"windows-1252", doc("windows-1252", "caf\xe9 \x80"), "café €"},
		{"Java's name", doc("Cp1252", "caf\xe9 \x80"), "café €"},
		{"not utf-8", doc("UTF-8", "caf\xe9"), "caf\ufffd"},
		{"unknown", doc("x-none", "caf\xe9"), "caf\ufffd"},
		{"utf-16, big", utf16(unicode.BigEndian, unicode.UseBOM), "café €"},
		{"utf-16, little", utf16(unicode.LittleEndian, unicode.UseBOM), "café €"},
		{"utf-16, no mark", utf16(unicode.LittleEndian, unicode.IgnoreBOM), "café €"},
	}
	for _, test := range tests {
		if got := decode(t, test.src).Roots[0].Name; got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestEscapes passes every character through a file, and every one as a
// reference into a tree.
func TestEscapes(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r < 0x3000 || r >= 0xD7F0 && r < 0xE010 || r >= 0xFF00 && r < 0x10010 || r >= 0x10EFF0 {
			if r < 0xD800 || r >= 0xE000 {
				all.WriteRune(r)
			}
		}
	}
	want := all.String() + "\r\n \U0010FFFD\U0010FFFD\U0010F000\x00"
	tree := &Tree{Roots: []*Node{{Class: "A", GUI: "g", Name: want, Enabled: true, Props: []*Prop{{Name: want, Value: want}}}}}
	n := decode(t, encode(t, tree)).Roots[0]
	for i, got := range []string{n.Name, n.Props[0].Name, n.Props[0].Value} {
		if got != want {
			t.Errorf("%d: not the same", i)
		}
	}
	for src, want := range map[string]string{
		"&#x1;&#0;&#13;&#xD;":        "\x01\x00\r\r",
		"\r\n\r":                     "\n\n",
		"&#xd83d;&#xde00;":           "😀",
		"&#xd83d;x":                  "\ufffdx",
		"&#x10FFFD;&#x10F001;":       "\U0010FFFD\U0010F001",
		"&#xDBFF;&#xDFFD;\U0010F001": "\U0010FFFD\U0010F001",
		"<![CDATA[&#x1;\x02<]]>":     "&#x1;\x02<",
		"a<!-- \x01 -->b<?c d?>":     "ab",
	} {
		tree := decode(t, before+`<A guiclass=""><stringProp name="a">`+src+`</stringProp></A>`+after)
		if got := tree.Roots[0].Text("a"); got != want {
			t.Errorf("%s: %q", src, got)
		}
		roundTrip(t, tree)
	}
}
