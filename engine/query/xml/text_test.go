package xml

import "testing"

func TestTextIsNotDecodedAgain(t *testing.T) {
	const text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\r\n<a>\u00e9</a>"
	doc, err := ParseText(text, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.Root().StringValue(); got != "\u00e9" {
		t.Errorf("%q", got)
	}
}

func TestWellFormed(t *testing.T) {
	for text, want := range map[string]string{
		"<a/>":                  "",
		"<x:a/>":                "",
		"<!DOCTYPE a><a/>":      msgDoctype,
		"<?xml version='1.0'?>": "Premature end of file.",
		"<a></b>":               `The element type "a" must be terminated by the matching end-tag "</a>".`,
	} {
		got := ""
		if err := WellFormed(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
