package jtl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// typical is a sample as most are.
func typical(i int) *Sample {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	s := &Sample{
		Label: fmt.Sprintf("/api/v1/item/%d", i%40), Code: "200", Message: "OK", ThreadName: fmt.Sprintf("tg 1-%d", i%200+1),
		DataType: "text", Success: true, HTTP: true, URL: fmt.Sprintf("http://127.0.0.1:8099/api/v1/item/%d", i%40),
		Start: 1_700_000_000_000 + int64(i), Elapsed: 20 + r.Int64N(400), Bytes: 1263 + r.Int64N(4000), SentBytes: 124,
		GroupThreads: 200, AllThreads: 200, SampleCount: 1,
	}
	s.Latency = s.Elapsed - 2
	s.End = s.Start + s.Elapsed
	return s
}

// file is a result file of n typical samples.
func file(n int, format Format) []byte {
	c := DefaultConfig()
	c.Format = format
	b := c.AppendStart(nil)
	for i := range n {
		if format == XML {
			b = c.AppendXML(b, typical(i))
		} else {
			b = c.AppendRow(b, typical(i))
		}
	}
	if format == XML {
		b = append(b, xmlEnd...)
	}
	return b
}

func BenchmarkAppendRow(b *testing.B) {
	c, s := DefaultConfig(), typical(5)
	row := c.AppendRow(nil, s)
	b.SetBytes(int64(len(row)))
	b.ReportAllocs()
	for b.Loop() {
		row = c.AppendRow(row[:0], s)
	}
}

func BenchmarkAppendXML(b *testing.B) {
	c, s := DefaultConfig(), typical(5)
	row := c.AppendXML(nil, s)
	b.SetBytes(int64(len(row)))
	b.ReportAllocs()
	for b.Loop() {
		row = c.AppendXML(row[:0], s)
	}
}

func BenchmarkWriter(b *testing.B) {
	w, err := Create(b.TempDir()+"/x.jtl", DefaultConfig(), CreateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	s := typical(5)
	b.SetBytes(int64(len(w.cfg.AppendRow(nil, s))))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := w.Write(s); err != nil {
				b.Error(err)
				return
			}
		}
	})
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

func benchmarkRead(b *testing.B, format Format) {
	data := file(100_000, format)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(data), ReadOptions{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				rep, err := r.Read(func(int, *Row) error { return nil })
				if err != nil || rep.Rows != 100_000 {
					b.Fatal(rep, err)
				}
			}
		})
	}
}

func BenchmarkReadCSV(b *testing.B) { benchmarkRead(b, CSV) }
func BenchmarkReadXML(b *testing.B) { benchmarkRead(b, XML) }
