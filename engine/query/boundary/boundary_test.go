package boundary

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
)

// testdata/jmeter.tsv holds what JMeter 5.6.3's BoundaryExtractor.extract gave: left,
// right, match number (0 is all), text, then the matches, each after a bar. \n is a
// new line.
func TestAgainstRecordedJMeter(t *testing.T) {
	f, err := os.Open("testdata/jmeter.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); rows++ {
		fields := strings.Split(strings.ReplaceAll(lines.Text(), `\n`, "\n"), "\t")
		if len(fields) != 5 {
			t.Fatalf("%q: want 5 fields", lines.Text())
		}
		left, right, text := fields[0], fields[1], fields[3]
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if n == 0 {
			m := FindAll(nil, []byte(text), []byte(left), []byte(right), -1)
			for i := 0; i < len(m); i += 2 {
				got += "|" + text[m[i]:m[i+1]]
			}
		} else if begin, end, ok := Find([]byte(text), []byte(left), []byte(right), n); ok {
			got = "|" + text[begin:end]
		}
		if got != fields[4] {
			t.Errorf("match %d of %q..%q in %q: %q, want %q", n, left, right, text, got, fields[4])
		}
	}
	if rows == 0 {
		t.Error("no recorded results")
	}
}

func TestLimit(t *testing.T) {
	for limit, want := range map[int]int{0: 0, 1: 1, 2: 2, 9: 3, -1: 3} {
		if got := FindAll(nil, []byte("<a><b><c>"), []byte("<"), []byte(">"), limit); len(got) != 2*want {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
}

func FuzzFindAll(f *testing.F) {
	f.Add("a1 b22 c333", " ", "3")
	f.Fuzz(func(t *testing.T, text, left, right string) {
		m := FindAll(nil, []byte(text), []byte(left), []byte(right), -1)
		for i := 0; i < len(m); i += 2 {
			begin, end := m[i], m[i+1]
			if !strings.HasSuffix(text[:begin], left) && left != "" || !strings.HasPrefix(text[end:], right) && right != "" {
				t.Fatalf("%q..%q in %q: %d,%d", left, right, text, begin, end)
			}
			if left != "" && right != "" && strings.Contains(text[begin:end], right) {
				t.Fatalf("%q..%q in %q: %d,%d holds the right boundary", left, right, text, begin, end)
			}
		}
	})
}

func BenchmarkFindAll(b *testing.B) {
	text := bytes.Repeat([]byte(`<li><a href="/item/17">Item 17</a> costs 12.50</li>`), 400)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	dst := make([]int, 0, 1000)
	for b.Loop() {
		dst = FindAll(dst[:0], text, []byte(`href="`), []byte(`"`), -1)
	}
}
