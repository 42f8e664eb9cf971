package vu

import (
	"slices"
	"strings"
	"testing"
)

func TestListing(t *testing.T) {
	var l Listing
	values := map[string]string{"a10": "1", "a2": "2", "a-1": "3", "a": "4", "B": "5", "a02": "6", "a2b": "7"}
	var names []string
	for n := range values {
		names = append(names, n)
	}
	slices.Sort(names)
	l.Section("Things", names, func(n string) string { return values[n] })
	l.Section("None", nil, nil)
	if got := strings.Join(names, " "); got != "B a a02 a2 a2b a10 a-1" {
		t.Errorf("order: %s", got)
	}
	if want := "Things:\nB=5\na=4\na02=6\na2=2\na2b=7\na10=1\na-1=3\n\nNone:\n\n"; l.Body() != want {
		t.Errorf("body %q, want %q", l.Body(), want)
	}
	if l.Titles() != "Things\nNone\n" {
		t.Errorf("titles %q", l.Titles())
	}
}
