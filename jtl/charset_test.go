package jtl

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Bytes that are not UTF-8 never make two texts one, in either format.
func TestStrangeBytesStayApart(t *testing.T) {
	csv, xml := "elapsed,label\n", "<testResults version=\"1.2\">\n"
	for c := 0x80; c < 0x100; c++ {
		csv += fmt.Sprintf("1,a%cb\n", 0xfffd)
		csv = strings.Replace(csv, "\ufffd", string([]byte{byte(c)}), 1)
		xml += "<sample t=\"1\" lb=\"a" + string([]byte{byte(c)}) + "b &#233;\"/>\n"
	}
	for _, data := range []string{csv, xml + "</testResults>\n"} {
		r, err := NewReader(iotest.OneByteReader(strings.NewReader(data)), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r.opt.Workers = 1
		labels := map[string]bool{}
		rep, err := r.Read(func(_ int, row *Row) error {
			if !utf8.Valid(row.Label) || r.d.info.Format == XML && !strings.HasSuffix(string(row.Label), "b é") {
				return fmt.Errorf("%q", row.Label)
			}
			labels[string(row.Label)] = true
			return nil
		})
		if err != nil || len(labels) != 0x80 || rep.Decoded != 0x80 {
			t.Errorf("%d labels, %+v, %v", len(labels), rep, err)
		}
	}
}

// Text comes whole out of whatever pieces it is read in.
func TestTextInPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < 300_000 {
		text.WriteString([]string{"é", "€", "😀", "a", "&lt;", "&amp;x", "\n"}[rnd.IntN(7)])
	}
	want := strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(text.String())
	for _, data := range []string{text.String(), "<![CDATA[" + want + "]]>"} {
		data = "<testResults version=\"1.2\"><sample><java.net.URL>" + data + "</java.net.URL></sample></testResults>"
		for _, step := range []int{1, 7, 4096, 70_001} {
			r, err := NewReader(strings.NewReader(data), ReadOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			p := newXMLParser(&r.d, r.opt)
			p.tokens.reset(&steps{data: []byte(data), n: step}, -1)
			p.tokens.buf = make([]byte, 0, 4096)
			got := ""
			if err := p.parse(func(nodes []xmlNode) error { got = string(nodes[0].row.URL); return nil }); err != nil || got != want {
				t.Errorf("in steps of %d: %d bytes instead of %d, %v", step, len(got), len(want), err)
			}
		}
	}
}

// steps reads so many bytes at a time.
type steps struct {
	data []byte
	n    int
}

func (s *steps) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.data)
	s.data = s.data[n:]
	return n, nil
}

func TestUTF16(t *testing.T) {
	const data = "elapsed,label,success\n1,caf\u00e9,true\n2,\U0001f600,true\n"
	for _, test := range []struct {
		name  string
		order unicode.Endianness
		bom   unicode.BOMPolicy
	}{{"le", unicode.LittleEndian, unicode.IgnoreBOM}, {"be", unicode.BigEndian, unicode.IgnoreBOM},
		{"le bom", unicode.LittleEndian, unicode.UseBOM}, {"be bom", unicode.BigEndian, unicode.UseBOM}} {
		wide, err := unicode.UTF16(test.order, test.bom).NewEncoder().String(data)
		if err != nil {
			t.Fatal(err)
		}
		for first, want := range map[int64]string{1: "café 😀 ", 3: "😀 "} {
			r, err := NewReader(strings.NewReader(wide), ReadOptions{Workers: 1, FirstLine: first, Config: &Config{Delimiter: ',', Time: true, Label: true, Success: true}})
			if err != nil {
				t.Error(test.name, err)
				continue
			}
			got := ""
			if _, err := r.Read(func(_ int, row *Row) error { got += string(row.Label) + " "; return nil }); err != nil || got != want || r.Info().Charset != "UTF-16" {
				t.Errorf("%s from line %d: %q %v", test.name, first, got, err)
			}
		}
	}
}

// Zeros behind gzip's data, and more members, are no damage.
func TestGzipMembers(t *testing.T) {
	member := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first, second, zeros := member("elapsed,label\n1,a\n"), member("2,b\n"), make([]byte, 1000)
	for _, test := range []struct {
		data    []byte
		rows    int64
		damaged bool
	}{
		{slices.Concat(first, second), 2, false},
		{slices.Concat(first, zeros), 1, false},
		{slices.Concat(first, zeros, second, zeros), 2, false},
		{slices.Concat(first, zeros, []byte("something else")), 1, true},
	} {
		r, err := NewReader(iotest.OneByteReader(bytes.NewReader(test.data)), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Read(func(int, *Row) error { return nil })
		if rep.Rows != test.rows || (rep.Damaged != nil) != test.damaged || (err != nil) != test.damaged || rep.Truncated {
			t.Errorf("%d bytes: %+v %v", len(test.data), rep, err)
		}
	}
}

func TestZip(t *testing.T) {
	const data = "elapsed,label\n1,a\n2,b\n"
	for _, test := range []struct {
		names string
		want  string
	}{{"r.jtl", ""}, {"folder/ folder/r.jtl __MACOSX/r.jtl", ""}, {"", "holds no file"}, {"a.jtl b.jtl", `holds 2 files ("a.jtl", "b.jtl" ...)`}} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range strings.Fields(test.names) {
			w, err := z.Create(name)
			if err == nil && !strings.HasSuffix(name, "/") {
				_, err = w.Write([]byte(data))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(bytes.NewReader(b.Bytes()), ReadOptions{})
		if err != nil {
			if test.want == "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: %v", test.names, err)
			}
			continue
		}
		rep, err := r.Read(func(int, *Row) error { return nil })
		if err != nil || rep.Rows != 2 || test.want != "" || r.Close() != nil {
			t.Errorf("%q: %+v %v", test.names, rep, err)
		}
		if _, err := NewReader(iotest.OneByteReader(bytes.NewReader(b.Bytes())), ReadOptions{}); err == nil {
			t.Error("read from a stream")
		}
	}
}

// An archive that lacks its end is read up to there.
func TestCutZip(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("r.jtl")
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	fmt.Fprint(w, "elapsed,label\n")
	for i := range n {
		fmt.Fprintf(w, "%d,a\n", i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{b.Len() / 2, b.Len() - 40} {
		r, err := NewReader(bytes.NewReader(b.Bytes()[:cut]), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Read(func(int, *Row) error { return nil })
		if err != nil || rep.Rows < n/3 || !rep.Truncated || r.Close() != nil {
			t.Errorf("cut at %d of %d: %+v %v", cut, b.Len(), rep, err)
		}
	}
	if _, err := NewReader(bytes.NewReader(b.Bytes()[:20]), ReadOptions{}); err == nil {
		t.Error("a header that is cut off was read")
	}
}
