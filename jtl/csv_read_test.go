package jtl

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// rows reads data in file order and prints what it gives, a line a row.
func rows(data string, opt ReadOptions) (string, *Report, error) {
	opt.Workers = 1
	r, err := NewReader(strings.NewReader(data), opt)
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	rep, err := r.Read(func(_ int, r *Row) error {
		fmt.Fprintf(&out, "%d: %d %d %s %s %q %v %d %d", r.Line, r.TimeStamp, r.Elapsed, r.Label, r.Code, r.FailureMessage, r.Success,
			r.Bytes, r.Connect)
		for _, e := range r.Extra {
			fmt.Fprintf(&out, " %q", e)
		}
		out.WriteByte('\n')
		return nil
	})
	return out.String(), rep, err
}

const (
	header = "timeStamp,elapsed,label,responseCode,success,failureMessage,bytes,Connect\n"
	good   = "1700000000000,5,a,200,true,,10,1\n"
	goodIs = "1700000000000 5 a 200 \"\" true 10 1\n"
)

func TestReadDamaged(t *testing.T) {
	for _, test := range []struct {
		name, data, want string
		rep              Report
		err              string
	}{
		{"whole", header + good, "2: " + goodIs, Report{Rows: 1}, ""},
		{"no last line end", header + strings.TrimSuffix(good, "\n"), "2: " + goodIs, Report{Rows: 1}, ""},
		{"empty", "", "", Report{}, ""},
		{"header only", header, "", Report{}, ""},
		{"header without line end", strings.TrimSuffix(header, "\n"), "", Report{}, ""},
		{"mark", "\ufeff" + header + good, "2: " + goodIs, Report{Rows: 1}, ""},
		{"CRLF", strings.ReplaceAll(header+good+good, "\n", "\r\n"), "2: " + goodIs + "3: " + goodIs, Report{Rows: 2}, ""},
		{"CR", strings.ReplaceAll(header+good+good, "\n", "\r"), "2: " + goodIs + "3: " + goodIs, Report{Rows: 2}, ""},
		{"CR, CRLF and LF", header + strings.TrimSpace(good) + "\r" + strings.TrimSpace(good) + "\r\n" + good, "2: " + goodIs + "2: " + goodIs + "3: " + goodIs,
			Report{Rows: 3}, ""},
		{"CR behind the header, LF at the end", strings.ReplaceAll(header+good+good, "\n", "\r") + "\n", "1: " + goodIs + "1: " + goodIs, Report{Rows: 2}, ""},
		{"blank lines", "\n\n" + header + "\n" + good + "\r\n\n" + good, "5: " + goodIs + "8: " + goodIs, Report{Rows: 2, Blank: 3}, ""},
		{"quoted", header + `1700000000000,5,"a ""x"", y",200,true,"l1` + "\n" + `l2",10,1` + "\n" + good,
			"2: 1700000000000 5 a \"x\", y 200 \"l1\\nl2\" true 10 1\n4: " + goodIs, Report{Rows: 2}, ""},
		{"quoted numbers", header + `"1700000000000","5","a","200","TRUE","","10","1"` + "\n", "2: " + goodIs, Report{Rows: 1}, ""},
		{"blanks around numbers", header + "1700000000000, 5 ,a,200,true,,10 ,1\n", "2: " + goodIs, Report{Rows: 1}, ""},
		{"success of any case", header + "1700000000000,5,a,200,True,,10,1\n", "2: " + goodIs, Report{Rows: 1}, ""},
		{"blanks around success", header + "1700000000000,5,a,200, true,,10,1\n1700000000000,5,a,200,true ,,10,1\n",
			"2: 1700000000000 5 a 200 \"\" false 10 1\n3: 1700000000000 5 a 200 \"\" false 10 1\n", Report{Rows: 2}, ""},
		{"negative", header + "1700000000000,-5,a,200,true,,10,1\n", "2: 1700000000000 -5 a 200 \"\" true 10 1\n", Report{Rows: 1}, ""},
		{"success is a word", header + "1700000000000,5,a,200,yes,,10,1\n", "2: 1700000000000 5 a 200 \"\" false 10 1\n", Report{Rows: 1}, ""},
		{"bad number", header + "1700000000000,abc,a,200,true,,10,1\n" + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, `elapsed: "abc" is not a number`}}}, ""},
		{"no number", header + "1700000000000,5,a,200,true,,,1\n" + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, `bytes: "" is not a number`}}}, ""},
		{"huge number", header + "1700000000000,99999999999999999999,a,200,true,,1,1\n" + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, `elapsed: "99999999999999999999" is not a number`}}}, ""},
		{"fields", header + "1,2,3\n" + good + "1,2,a,200,true,,7,8,9\n", "3: " + goodIs,
			Report{Rows: 1, Skipped: 2, Bad: []BadLine{{2, "3 fields instead of 8"}, {4, "9 fields instead of 8"}}}, ""},
		{"stray quote", header + `1700000000000,5,a"b,200,true,,10,1` + "\n" + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, errQuotes.Error()}}}, ""},
		{"text after quote", header + `1700000000000,5,"a"b,200,true,,10,1` + "\n" + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, errQuotes.Error()}}}, ""},
		{"open quote", header + `1700000000000,5,"a,200,true,,10,1` + "\n" + good + good, "3: " + goodIs + "4: " + goodIs,
			Report{Rows: 2, Skipped: 1, Bad: []BadLine{{2, errQuotes.Error()}}}, ""},
		{"open quote before a quoted row", header + `1700000000000,5,"a,200,true,,10,1` + "\n" + `1700000000000,5,"a",200,true,"",10,1` + "\n",
			"3: " + goodIs, Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, errQuotes.Error()}}}, ""},
		{"cut off", header + good + "1700000000000,5,a,2", "2: " + goodIs, Report{Rows: 1, Truncated: true}, ""},
		{"cut off in a quote", header + good + `1700000000000,5,"a,2`, "2: " + goodIs, Report{Rows: 1, Truncated: true}, ""},
		{"cut off and gone on", header + "17000,5,a" + good + good, "3: " + goodIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{2, "10 fields instead of 8"}}}, ""},
		{"header again", header + good + header + good, "2: " + goodIs + "4: " + goodIs, Report{Rows: 2, Headers: 1}, ""},
		{"another header", header + good + "timeStamp,elapsed,label,success\n1,2,a,true\n", "2: " + goodIs, Report{Rows: 1},
			"line 3: another header"},
		{"no result file", "hello\nworld\n", "", Report{}, "not a result file"},
		{"NUL", header + "1700000000000,5,a\x00b,200,true,,10,1\n", "2: 1700000000000 5 a\x00b 200 \"\" true 10 1\n", Report{Rows: 1}, ""},
	} {
		got, rep, err := rows(test.data, ReadOptions{})
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: error %v", test.name, err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got != test.want || rep != nil && !reflect.DeepEqual(*rep, test.rep) {
			t.Errorf("%s:\n got %q %+v\nwant %q %+v", test.name, got, rep, test.want, test.rep)
		}
	}
}

// Any end of a line ends a row also where the beginning of a file shows no such thing.
func TestReadMixedFurtherDown(t *testing.T) {
	const n = headSize / len(good)
	quoted := strings.Replace(good, ",,", ",\"x\ry\",", 1)
	data := header + strings.Repeat(good, n+1) + strings.ReplaceAll(good+quoted+good, "\n", "\r") + good
	r, err := NewReader(strings.NewReader(data), ReadOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	rep, err := r.Read(func(_ int, r *Row) error {
		if string(r.FailureMessage) == "x\ry" {
			texts++
		}
		return nil
	})
	if err != nil || rep.Rows != int64(n)+5 || rep.Skipped != 0 || texts != 1 {
		t.Errorf("%+v %v: %d texts", rep, err, texts)
	}
}

func TestReadLimitsBadLines(t *testing.T) {
	data := header + strings.Repeat("bad\n"+good, 1000)
	for _, workers := range []int{1, 3} {
		r, err := NewReader(strings.NewReader(data), ReadOptions{Workers: workers, MaxBad: 5, chunk: 100})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Read(func(int, *Row) error { return nil })
		if err != nil || rep.Rows != 1000 || rep.Skipped != 1000 || len(rep.Bad) != 5 {
			t.Fatalf("%+v %v", rep, err)
		}
		for i, b := range rep.Bad {
			if b.Line != int64(2+2*i) {
				t.Errorf("%d workers: bad line %d is %d", workers, i, b.Line)
			}
		}
	}
}

// Where a file is cut for the workers must not matter, however damaged it is.
func TestReadCutAnywhere(t *testing.T) {
	pieces := []string{good, good, good, `"`, `""`, "\n", ",", "a", "\r\n", "\r", strings.Replace(good, "\n", "\r", 1), `,"x"`, `"1700000000000","5","l` + "\n" + `m",200,true,"",10,1` + "\n",
		`1700000000000,5,"say ""hi""",200,false,"a` + "\n\n" + `b",10,1` + "\n", "1700000000000,5,a,200,true,,10,1"}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		b.WriteString(header)
		for range 1 + rnd.IntN(40) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		sameWherever(t, b.String())
	}
}

func sameWherever(t *testing.T, data string) {
	t.Helper()
	want, wantRep, wantErr := rows(data, ReadOptions{})
	for _, chunk := range []int{1, 7, 64, 200} {
		got, rep, err := rows(data, ReadOptions{chunk: chunk})
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("chunks of %d: error %v, not %v, in %q", chunk, err, wantErr, data)
		}
		if wantErr == nil && (got != want || !reflect.DeepEqual(rep, wantRep)) {
			t.Fatalf("chunks of %d of %q:\n got %s%+v\nwant %s%+v", chunk, data, got, rep, want, wantRep)
		}
	}
}

func TestReadWorkers(t *testing.T) {
	const n = 20_000
	data := file(n, CSV)
	for _, workers := range []int{1, 2, 5} {
		r, err := NewReader(bytes.NewReader(data), ReadOptions{Workers: workers, chunk: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		type part struct {
			rows, sum       int64
			chunk           int
			line            int64
			inOrder, inLine bool
		}
		parts := make([]part, r.Workers())
		for i := range parts {
			parts[i].inOrder, parts[i].inLine = true, true
		}
		rep, err := r.Read(func(w int, r *Row) error {
			p := &parts[w]
			p.inOrder = p.inOrder && r.Chunk >= p.chunk && r.Line > p.line
			p.inLine = p.inLine && r.Line == r.TimeStamp-1_700_000_000_000+2
			p.chunk, p.line = r.Chunk, r.Line
			p.rows++
			p.sum += r.Elapsed
			return nil
		})
		if err != nil || rep.Rows != n {
			t.Fatalf("%+v %v", rep, err)
		}
		var want, got, count int64
		for i := range n {
			want += typical(i).Elapsed
		}
		for i, p := range parts {
			got += p.sum
			count += p.rows
			if !p.inOrder || !p.inLine {
				t.Errorf("%d workers: rows of worker %d out of order, or of wrong line", workers, i)
			}
		}
		if got != want || count != n {
			t.Errorf("%d workers: %d rows, %d ms; want %d, %d", workers, count, got, n, want)
		}
	}
}

// An open quote swallows no more than maxRow, and the lines after it are read.
func TestReadOpenQuoteInLargeFile(t *testing.T) {
	const n, limit = 20_000, 100_000
	data := header + `1700000000000,5,"a,200,true,,10,1` + "\n" + strings.Repeat(good, n)
	r, err := NewReader(strings.NewReader(data), ReadOptions{chunk: 10_000, maxRow: limit})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := r.Read(func(int, *Row) error { return nil })
	if err != nil || rep.Rows != n || rep.Skipped != 1 || rep.Truncated {
		t.Errorf("%+v %v, want %d rows", rep, err, n)
	}
}

// repeated gives the same text again and again, n times.
type repeated struct {
	text string
	n    int
	at   int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.at == len(r.text) {
		r.at = 0
		r.n--
	}
	if r.n <= 0 {
		return 0, io.EOF
	}
	n := copy(b, r.text[r.at:])
	r.at += n
	return n, nil
}

// The memory that reading takes does not grow with the file.
func TestReadMemory(t *testing.T) {
	block := strings.Repeat(`1700000000000,5,"a, ""b""",200,true,,10,1`+"\n"+good, 1000)
	for _, test := range []struct{ name, head, block string }{
		{"csv", header, block},
		{"xml", `<testResults version="1.2">`, strings.Repeat(`<sample t="5" lb="a&amp;b">`+"\n  <sample t='5'/>\n</sample>\n", 1000)},
	} {
		measure := func(blocks int) uint64 {
			src := io.MultiReader(strings.NewReader(test.head), &repeated{text: test.block, n: blocks})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := NewReader(src, ReadOptions{Workers: 2, chunk: 64 << 10})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := r.Read(func(int, *Row) error { return nil })
			if err != nil || rep.Rows != int64(blocks*2000) {
				t.Fatalf("%s: %+v %v", test.name, rep, err)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		few, many := measure(5), measure(100)
		if many > few+2<<20 {
			t.Errorf("%s: allocated %d bytes for 5 blocks, %d for 100 of %d each", test.name, few, many, len(test.block))
		}
	}
}

func TestReadStopsOnError(t *testing.T) {
	stop := fmt.Errorf("enough")
	for _, workers := range []int{1, 4} {
		r, err := NewReader(bytes.NewReader(file(5000, CSV)), ReadOptions{Workers: workers, chunk: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Read(func(_ int, r *Row) error {
			if r.Line > 100 {
				return stop
			}
			return nil
		}); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("%d workers: %v", workers, err)
		}
		if _, err := r.Read(func(int, *Row) error { return nil }); err == nil {
			t.Error("read twice")
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "007": 7, "-3": -3, "+4": 4, " 5\t": 5, "999999999999999999": 999999999999999999} {
		if got, ok := parseNumber([]byte(text)); !ok || got != want {
			t.Errorf("%q: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{"", " ", "-", "1.5", "1e3", "0x1", "1 2", "NaN", "9999999999999999999999", "١"} {
		if got, ok := parseNumber([]byte(text)); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
