package config

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// A record cut out of the text by readRecord means the same when it is written
// again with every field in quotes.
func FuzzReadRecord(f *testing.F) {
	for _, s := range []string{"", "a,b\n", "\"a\"\"b\",\"c\nd\"\r\n1", "a\"b", "\"a\"b", "\"a", ",\n,", "\r", "é;ü\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := strings.NewReader(text)
		for range len(text) + 1 {
			left := r.Len()
			fields, err := readRecord(r, nil, ',')
			if err != nil {
				if _, ok := err.(quoteError); !ok {
					t.Fatalf("%q: %v", text, err)
				}
				if r.Len() == left {
					t.Fatalf("%q: no progress over %v", text, err)
				}
				continue
			}
			if len(fields) == 0 {
				if r.Len() > 0 {
					t.Fatalf("%q: an end before the end", text)
				}
				return
			}
			var again []string
			for _, x := range fields {
				again = append(again, `"`+strings.ReplaceAll(x, `"`, `""`)+`"`)
			}
			back, err := readRecord(strings.NewReader(strings.Join(again, ",")), nil, ',')
			if err != nil || !slices.Equal(back, fields) {
				t.Fatalf("%q is %q, again %q, %v", text, fields, back, err)
			}
		}
		if _, _, err := r.ReadRune(); err != io.EOF {
			t.Fatalf("%q: not read to its end", text)
		}
	})
}

func TestSplitNames(t *testing.T) {
	for _, tc := range []struct {
		list string
		want []string
	}{
		{"", nil}, {"a", []string{"a"}}, {"a,,,b", []string{"a", "b"}}, {",a, b ,", []string{"a", "b"}}, {",", nil}, {" ", []string{""}},
	} {
		if got := splitNames(tc.list); !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, want %q", tc.list, got, tc.want)
		}
	}
}
