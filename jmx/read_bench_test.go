package jmx

import (
	"bytes"
	"io"
	"testing"
)

// large is a plan of about size bytes, in JMeter's form.
func large(tb testing.TB, size int) []byte {
	tb.Helper()
	one, err := Read("testdata/plans/jmeter-2.3-httpsampler.jmx")
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if err := one.Encode(&b); err != nil {
		tb.Fatal(err)
	}
	group := one.Roots[0].Children[0]
	for range size / b.Len() {
		one.Roots[0].Append(group.Clone())
	}
	b.Reset()
	if err := one.Encode(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func BenchmarkDecode(b *testing.B) {
	plan := large(b, 4<<20)
	b.SetBytes(int64(len(plan)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(bytes.NewReader(plan), "plan.jmx"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	plan := large(b, 4<<20)
	t, err := Decode(bytes.NewReader(plan), "plan.jmx")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(plan)))
	b.ReportAllocs()
	for b.Loop() {
		if err := t.Encode(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
