package assertion

import (
	"strings"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

// diffText writes how two texts differ, as a failed "Equals" shows it: common
// parts and differences, each cut short, the difference between marks.
type diffText struct {
	length     int
	start, end string
}

func newDiffText(p *elem.Props) diffText {
	d := diffText{length: 100, start: p.Property("assertion.equals_diff_delta_start", "[[["), end: p.Property("assertion.equals_diff_delta_end", "]]]")}
	if n, ok := vu.ParseInt(p.Property("assertion.equals_section_diff_len", "")); ok {
		d.length = int(n)
	}
	return d
}

// Lengths and cuts are in UTF-16 units, as Java counts.
type units = []uint16

func (d diffText) head(s units) string { // its beginning
	if len(s) <= d.length {
		return string(utf16.Decode(s))
	}
	return string(utf16.Decode(s[:d.length])) + "..."
}

func (d diffText) tail(s units) string { // its end
	if len(s) <= d.length {
		return string(utf16.Decode(s))
	}
	return "..." + string(utf16.Decode(s[len(s)-d.length:]))
}

func (d diffText) text(received, comparison string) string {
	r, c := utf16.Encode([]rune(received)), utf16.Encode([]rune(comparison))
	first := 0
	for first < min(len(r), len(c)) && r[first] == c[first] {
		first++
	}
	before := d.tail(r[:first])
	lastR, lastC := len(r)-1, len(c)-1
	for lastR > first && lastC > first && r[lastR] == c[lastC] {
		lastR--
		lastC--
	}
	after := d.head(r[lastR+1:])
	var diffR, diffC string
	if after == "" {
		diffR, diffC = d.head(r[first:]), d.head(c[first:])
	} else {
		diffR, diffC = d.head(r[first:lastR+1]), d.head(c[first:lastC+1])
	}
	lr, lc := len(utf16.Encode([]rune(diffR))), len(utf16.Encode([]rune(diffC)))
	if lr > lc {
		diffC += strings.Repeat(" ", lr-lc)
	} else {
		diffR += strings.Repeat(" ", lc-lr)
	}
	return "\n\n****** received  : " + before + d.start + diffR + d.end + after +
		"\n\n****** comparison: " + before + d.start + diffC + d.end + after + "\n\n"
}
