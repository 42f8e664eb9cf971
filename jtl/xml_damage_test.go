package jtl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// damagedXML makes a file of some samples, of which one begins at from and ends at
// to.
func damagedXML(layout string, at int) (data string, from, to int) {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testResults version="1.2">` + "\n")
	for i := range 9 {
		sample := fmt.Sprintf(`<sample t="%d" ts="%d" s="true" lb="a &lt; b" rc="200" tn="t 1-1"/>`+"\n", i, 1_700_000_000_000+i)
		if i%3 == 1 {
			sample = fmt.Sprintf(`<httpSample t="%d" ts="%d" s="false" lb="page" rc="500" tn="t 1-1">
  <httpSample t="1" lb="page-0" rc="200">
    <sample t="2" lb="page-0-0"/>
    <java.net.URL>http://h/?a&amp;b</java.net.URL>
  </httpSample>
  <httpSample t="3" lb="page-1"/>
  <assertionResult>
    <name>n</name>
    <failure>true</failure>
    <error>false</error>
    <failureMessage>no &gt; no</failureMessage>
  </assertionResult>
  <responseData class="java.lang.String">some text</responseData>
  <java.net.URL>http://h/</java.net.URL>
</httpSample>
`, i, 1_700_000_000_000+i)
		}
		switch layout {
		case "indented":
			sample = strings.TrimSuffix(strings.ReplaceAll("\t"+sample, "\n", "\n\t"), "\t")
		case "one line":
			sample = strings.ReplaceAll(strings.ReplaceAll(sample, "\n", ""), "  ", "")
		}
		if i == at {
			from = b.Len()
			to = from + len(strings.TrimRight(sample, "\n"))
		}
		b.WriteString(sample)
	}
	b.WriteString("\n</testResults>\n")
	return b.String(), from, to
}

// damageXML does something to the sample that stands in data from from to to, or to
// one byte of it.
func damageXML(rnd *rand.Rand, data string, from, to int, onlyOne bool) string {
	i := from + rnd.IntN(to-from)
	n := 1
	with := []string{"", "", `"`, ">", "x", "<", "\x00", "/", "&", "<!--", "<![CDATA[", "<?"}
	if onlyOne {
		with = with[:9]
	} else if rnd.IntN(3) == 0 {
		n = 1 + rnd.IntN(to-i)
	}
	if n == to-from {
		i++ // something must be left to see
		n--
	}
	return data[:i] + with[rnd.IntN(len(with))] + data[i+n:]
}

// Whatever happens to the bytes of one sample, the others are read, and nothing
// inside it becomes one at the top. In a file of one line that holds as far as tags
// tell. What is well-formed still, if with a wrong value, nobody can see.
func TestDamagedXMLSample(t *testing.T) {
	const seeds, samples = 3000, 9
	noWay := 0
	for seed := range uint64(seeds) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		layout := []string{"jmeter", "indented", "one line"}[seed%3]
		at := 1 + rnd.IntN(7)
		data, from, to := damagedXML(layout, at)
		data = damageXML(rnd, data, from, to, layout == "one line")
		r, err := NewReader(iotest.OneByteReader(strings.NewReader(data)), ReadOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		top, seen := 0, map[int64]bool{int64(at): true}
		rep, err := r.Read(func(_ int, row *Row) error {
			if row.Depth == 0 {
				top++
				seen[row.Elapsed] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case top == samples && len(seen) >= samples, top == samples-1 && len(seen) == samples && rep.Skipped > 0:
		case layout == "one line":
			noWay++
		default:
			t.Errorf("seed %d: %d at the top, %v of %+v in %q", seed, top, seen, rep, data[from:])
		}
	}
	if noWay > seeds/3/50 {
		t.Errorf("%d of %d in one line were not made out", noWay, seeds/3)
	}
}

// Where a damaged file is cut for the workers does not matter, and what filter and
// repair copy of it is whole.
func TestDamagedXMLPieces(t *testing.T) {
	for seed := range uint64(1000) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		data, from, to := damagedXML("jmeter", 1+rnd.IntN(7))
		data = damageXML(rnd, data, from, to, false)
		sameXMLWherever(t, data)

		r, err := NewReader(strings.NewReader(data), ReadOptions{Workers: 1, Raw: true, TopOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		raw := r.AppendRawStart(nil)
		rep, err := r.Read(func(_ int, row *Row) error {
			raw = append(append(raw, row.Raw...), '\n')
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, xmlEnd...)
		copied, err := NewReader(bytes.NewReader(raw), ReadOptions{Workers: 1, TopOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		again, err := copied.Read(func(int, *Row) error { return nil })
		if err != nil || again.Rows != rep.Rows || again.Skipped > 0 || again.Truncated {
			t.Fatalf("seed %d: %+v %v instead of %+v in %q of %q", seed, again, err, rep, raw, data[from:min(len(data), to)])
		}
	}
}

// In a file of one line nothing shows where a sample without its end should have had
// it: those inside it are too many to be, at some point, and count for themselves.
func TestXMLSampleWithoutEnd(t *testing.T) {
	const inside = maxInside + 1000
	var b strings.Builder
	b.WriteString(`<testResults version="1.2"><sample lb="open">`)
	for i := range inside {
		fmt.Fprintf(&b, `<sample t="%d"><sample t="0"/></sample>`, i)
	}
	b.WriteString("</testResults>")
	next, raw := 0, 0
	r, err := NewReader(strings.NewReader(b.String()), ReadOptions{Raw: true, TopOnly: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := r.Read(func(_ int, row *Row) error {
		if row.Elapsed == int64(next) && row.Depth == 0 {
			next++
		}
		if string(row.Raw) == fmt.Sprintf(`<sample t="%d"><sample t="0"/></sample>`, row.Elapsed) {
			raw++
		}
		return nil
	})
	if err != nil || next != inside || raw != inside || rep.Skipped != 1 {
		t.Errorf("%d and %d of %d, %+v, %v", next, raw, inside, rep, err)
	}
	r, err = NewReader(strings.NewReader(b.String()), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	next = 0
	rep, err = r.ReadSamples(func(s *Sample) error {
		if s.Elapsed == int64(next) && len(s.Subs) == 1 {
			next++
		}
		return nil
	})
	if err != nil || next != inside || rep.Skipped != 1 {
		t.Errorf("%d of %d samples, %+v, %v", next, inside, rep, err)
	}
}

// However a file is damaged, and wherever it is cut for the workers, the same is
// read, of a file of one line as of any other.
func FuzzDamagedXML(f *testing.F) {
	for i, layout := range []string{"jmeter", "indented", "one line"} {
		data, from, to := damagedXML(layout, 1+i)
		f.Add(data[:to]+data[from:], uint16(from), "\"")
		f.Add(data, uint16(to-3), "<!--")
	}
	f.Fuzz(func(t *testing.T, data string, at uint16, with string) {
		i := int(at) % (len(data) + 1)
		data = data[:i] + with + data[i:]
		if r, err := NewReader(strings.NewReader(data), ReadOptions{}); err != nil || r.Info().Format != XML {
			return
		}
		sameXMLWherever(t, data)
	})
}
