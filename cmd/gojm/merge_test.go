package main

import (
	"slices"
	"testing"
)

// Hosts have the shortest names that tell files apart.
func TestHostsOf(t *testing.T) {
	for _, tt := range []struct{ paths, want []string }{
		{[]string{"x/one.jtl.gz"}, []string{"one"}},
		{[]string{"ha/r.jtl", "hb/r.jtl", "hb/s.jtl"}, []string{"ha/r", "hb/r", "s"}},
		{[]string{"1/a/r.jtl", "2/a/r.csv"}, []string{"1/a/r", "2/a/r"}},
		{[]string{"r.jtl", "r.csv"}, []string{"r.jtl", "r.csv"}},
		{[]string{"r.jtl", "./r.jtl"}, []string{"r", "r"}},
		{[]string{"/r.jtl", "/a/r.jtl"}, []string{"r.jtl", "a/r"}},
	} {
		if got := hostsOf(tt.paths); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.paths, got, tt.want)
		}
	}
}
