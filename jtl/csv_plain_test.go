package jtl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestReadRepeatedFields has columns that say the same in many rows and then do not,
// between rows that are quoted, wrong or end otherwise, and reads each as if it stood
// alone.
func TestReadRepeatedFields(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(texts ...string) string { return texts[min(r.IntN(3*len(texts)), len(texts)-1)] }
	stamps := []string{"1700000000001", "1700000123456", "1799999999999", "1800000000000", "99", "17000000000010", "170000000000", "0"}
	text := "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,allThreads,Latency,Connect\n"
	var want []string
	for i := range 5000 {
		code, message, threads := pick("200", "20", "2000000", "20000000", ""), pick("OK", "OKAY", "", "not OK at all"), pick("7", "70", "1234567", "12345678", "123456789012345678")
		elapsed, connect, thread := pick("5", "1", "12", "123456", "1234567", "12345678"), pick("0", "1", "10"), pick("tg 1-1", "tg 1-10", "t", "a longer name 1-1")
		label, stamp, success := fmt.Sprintf("label %d", r.IntN(3)), stamps[r.IntN(len(stamps))], pick("true", "false", "TRUE", "")
		field := message
		switch r.IntN(20) {
		case 0:
			field = `"` + message + `"`
		case 1:
			field, message = `"a ""b"", c"`, `a "b", c`
		}
		switch r.IntN(40) {
		case 0:
			text += "20\n"
		case 1:
			text += stamp + "," + elapsed + ",label,200,OK,t,true,x,7,1,0\n"
		}
		text += strings.Join([]string{stamp, elapsed, label, code, field, thread, success, "17", threads, elapsed, connect}, ",") + pick("\n", "\r\n")
		want = append(want, fmt.Sprintln(i, stamp, elapsed, label, code, message, thread, strings.EqualFold(success, "true"), 17, threads, elapsed, connect))
	}
	for _, chunk := range []int{400, 100_000} {
		reader, err := NewReader(strings.NewReader(text), ReadOptions{Workers: 1, chunk: chunk})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		rep, err := reader.Read(func(_ int, r *Row) error {
			got = append(got, fmt.Sprintln(len(got), r.TimeStamp, r.Elapsed, string(r.Label), string(r.Code), string(r.Message), string(r.Thread),
				r.Success, r.Bytes, r.AllThreads, r.Latency, r.Connect))
			return nil
		})
		if err != nil || rep.Skipped == 0 {
			t.Fatal(rep, err)
		}
		if len(got) != len(want) {
			t.Fatalf("chunks of %d: %d rows, want %d", chunk, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("chunks of %d: row %sis    %s", chunk, want[i], got[i])
			}
		}
	}
}

// TestShortNumber compares the quick ways to read digits with the plain one.
func TestShortNumber(t *testing.T) {
	for _, text := range []string{"0,234567", "1\n345678", "12,45678", "123,5678", "1234,678", "12345,78", "123456,8", "1234567,", "12345678", "x2345678", "-1,45678", "1:345678", "1/345678", "9\xff345678", "99999\x0099"} {
		var want int64
		length := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		for _, c := range text[:max(length, 0)] {
			want = want*10 + int64(c-'0')
		}
		x := uint64(0)
		for _, c := range slices.Backward([]byte(text[:8])) {
			x = x<<8 | uint64(c)
		}
		if n, got := shortNumber(x); got != max(length, 0) || got > 0 && n != want {
			t.Errorf("%q: %d of %d digits, want %d of %d", text, n, got, want, length)
		}
		if n, ok := eightDigits(x); ok != (length < 0) || ok && n != 12345678 {
			t.Errorf("%q: %d, %v", text, n, ok)
		}
	}
}

// TestStampHead has time stamps that begin otherwise than the last one.
func TestStampHead(t *testing.T) {
	var p csvParser
	for _, text := range []string{"1700000000000", "1700099999999", "1699999999999", "1699999999998", "0000000000001", "0000000000002", "\x00\x00\x00\x00\x0000000003"} {
		var want int64
		wantLength := len(text)
		for _, c := range []byte(text) {
			if c < '0' {
				want, wantLength = 0, 0
				break
			}
			want = want*10 + int64(c-'0')
		}
		if n, length := p.longNumber(append([]byte(text), ",5"...)); n != want || length != wantLength {
			t.Errorf("%q: %d of %d digits", text, n, length)
		}
	}
	if n, length := p.longNumber(append(bytes.Repeat([]byte("1"), 19), ',')); length != 0 {
		t.Errorf("19 digits: %d of %d", n, length)
	}
	if n, length := p.longNumber([]byte("123456789")); length != 0 {
		t.Errorf("digits without an end: %d of %d", n, length)
	}
}

// TestReadRepeatedDecoded repeats a text that is not UTF-8.
func TestReadRepeatedDecoded(t *testing.T) {
	const row = "1700000000000,5,a,200,true,d\xe9j\xe0,10,1\n"
	var want strings.Builder
	for i := range 4 {
		fmt.Fprintf(&want, "%d: 1700000000000 5 a 200 \"déjà\" true 10 1\n", i+2)
	}
	if got, rep, err := rows(header+strings.Repeat(row, 4)+good, ReadOptions{}); err != nil || got != want.String()+"6: "+goodIs || rep.Decoded != 4 {
		t.Errorf("%v %+v\n%s", err, rep, got)
	}
}

// TestReadUnterminated has files that end with a number of any length, and no line end.
func TestReadUnterminated(t *testing.T) {
	for length := range 14 {
		last := "123456789012345"[:1+length]
		want := fmt.Sprintf("2: %s3: 1700000000000 5 a 200 \"\" true 10 %s\n", goodIs, last)
		for _, end := range []string{"", "\n", "\r\n"} {
			if got, rep, err := rows(header+good+strings.TrimSuffix(good, "1\n")+last+end, ReadOptions{}); err != nil || got != want || rep.Rows != 2 {
				t.Errorf("%q: %v %+v\n%s", last+end, err, rep, got)
			}
		}
	}
}
