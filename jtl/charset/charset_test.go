package charset

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

// What Java 17 makes of malformed UTF-8: one U+FFFD for what could have begun a
// character, one for a whole surrogate.
func TestMalformedUTF8(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"caf\xc3\xa9", "café"},
		{"\xff\xfe\xfd\xe4\xbda\xf0\x9f\x98\x80\xed\xa0\x80\xc0\xaf", "���" + "�a😀�" + "��"},
		{"\xf0\x9f\x98", "�"},
		{"\xf0\x9fa", "�a"},
		{"\xe0\x80\x80", "���"},
		{"\xf5\x80", "��"},
		{"\xed\xa0", "�"},
		{"\xf4\x90\x80\x80", "����"},
	} {
		if got := string(ValidUTF8([]byte(tc.in))); got != tc.want {
			t.Errorf("ValidUTF8(%q) = %q, want %q", tc.in, got, tc.want)
		}
		got, err := io.ReadAll(UTF8.NewReader(iotest.OneByteReader(bytes.NewReader([]byte(tc.in)))))
		if string(got) != tc.want || err != nil {
			t.Errorf("read %q = %q, %v, want %q", tc.in, got, err, tc.want)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, tc := range []struct{ name, canonical, in, want string }{
		{"latin1", "ISO-8859-1", "\x80\x9f\xe9", "\u0080\u009fé"},
		{"iso-8859-15", "ISO-8859-15", "\x80\x9f\xa4", "\u0080\u009f€"},
		{"ISO8859_9", "ISO-8859-9", "\x81\xfe", "\u0081ş"},
		{"ascii", "US-ASCII", "caf\xc3\xa9", "caf��"},
		{"cp1252", "windows-1252", "\x80\x81", "€�"},
		{"UTF-32", "UTF-32", "\x00\x00\x00a", "a"},
	} {
		c, ok := Lookup(tc.name)
		if !ok || c.Name() != tc.canonical || c.Decode([]byte(tc.in)) != tc.want {
			t.Errorf("%s: %v, %v", tc.name, c, ok)
			continue
		}
		got, err := io.ReadAll(c.NewReader(bytes.NewReader([]byte(tc.in))))
		if string(got) != tc.want || err != nil {
			t.Errorf("%s: read %q, %v", tc.name, got, err)
		}
	}
	c, _ := Lookup("ISO-8859-15")
	if got := c.Encode("a\u0080€日b"); string(got) != "a\x80\xa4?b" {
		t.Errorf("encoded %q", got)
	}
	for _, name := range []string{"nope", " UTF-8", "UTF-8 ", "x-user-defined", "utf-8,text/html", "'UTF-8'", ""} {
		if c, ok := Lookup(name); ok {
			t.Errorf("%q is %s", name, c.Name())
		}
	}
}
