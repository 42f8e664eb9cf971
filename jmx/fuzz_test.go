package jmx

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

// FuzzDecode: no input makes it panic, every error is an *Error, and what is
// read is the same after it was written.
func FuzzDecode(f *testing.F) {
	entries, err := os.ReadDir("testdata/quirks")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		if b, err := os.ReadFile("testdata/quirks/" + e.Name()); err == nil && bytes.Contains(b, []byte("<")) {
			f.Add(b)
		}
	}
	for _, name := range []string{"jmeter-2.3-httpsampler", "jmeter-2x-style", "jtl-collectors", "throughput-percent"} {
		b, err := os.ReadFile("testdata/plans/" + name + ".jmx")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tree, err := Decode(bytes.NewReader(src), "x.jmx")
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.File != "x.jmx" || e.Msg == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		roundTrip(t, tree)
	})
}
