package java

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCharsetReader(t *testing.T) {
	for _, tc := range []struct{ charset, bytes, want string }{
		{"UTF-8", "grün €", "grün €"},
		{"UTF-8", "a\xffb", "a\uFFFDb"},
		{"ISO-8859-1", "gr\xfcn\n", "grün\n"},
		{"ISO-8859-1", "\x80", "\u0080"},
		{"US-ASCII", "a\xfcb", "a\uFFFDb"},
		{"windows-1252", "\x80", "€"},
		{"UTF-16", "\xff\xfea\x00\xac\x20", "a€"},
		{"UTF-16", "\x00a\x20\xac", "a€"},
		{"UTF-16LE", "a\x00\n\x00", "a\n"},
		{"Shift_JIS", "\x83\x5c", "ソ"},
	} {
		cs, ok := LookupCharset(tc.charset)
		if !ok {
			t.Fatalf("no charset %s", tc.charset)
		}
		got, err := io.ReadAll(cs.NewReader(iotest.OneByteReader(strings.NewReader(tc.bytes))))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %q is read as %q, %v; want %q", tc.charset, tc.bytes, got, err, tc.want)
		}
	}
}
