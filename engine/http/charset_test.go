package http

import (
	"strings"
	"testing"
)

// JMeter looks for one spelling of the meta element, in any case, among the first
// 2000 bytes.
func TestCharsetInPage(t *testing.T) {
	meta := func(charset string) string {
		return `<META http-equiv="Content-Type" CONTENT="text/html; charset=` + charset + `">`
	}
	for page, want := range map[string]string{
		"": "", "<": "", "<<<": "", "plain text": "",
		meta("ISO-8859-1"):                     "ISO-8859-1",
		"<html><head>" + meta("utf-8"):         "utf-8",
		"\xfc\xfe\xff<b>" + meta("latin1"):     "latin1", // before anything says how to read it
		"<meta charset=utf-8>":                 "",
		`<meta  http-equiv="content-type">`:    "",
		strings.TrimSuffix(meta("cut"), `">`):  "",
		strings.Repeat(" ", 1900) + meta("x"):  "x",
		strings.Repeat(" ", 1950) + meta("x"):  "",
		"<" + strings.Repeat("<", 1990) + ">":  "",
		strings.Repeat("x", 2100) + meta("up"): "",
	} {
		if got := charsetInPage([]byte(page)); got != want {
			t.Errorf("%.60q: %q, want %q", page, got, want)
		}
	}
}

// Seen on JMeter 5.6.3.
func TestHeadersThatAreNotASCII(t *testing.T) {
	if got := string(appendHeaderText(nil, "caf\u00e9 \u4f60\U0001F600")); got != "caf\xe9 ???" {
		t.Errorf("HttpClient: %q", got)
	}
}
