package jtl

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDetect(t *testing.T) {
	const row17 = "1700000000000,10,A,200,OK,Thread Group 1-1,text,true,,1000,100,1,1,http://127.0.0.1/,5,0,1\n"
	semicolons := strings.ReplaceAll(row17, ",", ";")
	few := DefaultConfig()
	few.SentBytes, few.URL, few.Variables = false, false, []string{"user"}
	dated := DefaultConfig()
	var err error
	if dated.DateFormat, err = NewDateFormat("dd.MM.yyyy HH:mm", time.UTC); err != nil {
		t.Fatal(err)
	}
	digits := DefaultConfig()
	if digits.DateFormat, err = NewDateFormat("yyyyMMddHHmmss", time.UTC); err != nil {
		t.Fatal(err)
	}
	dates := func(stamp string) string { return "timeStamp,elapsed,label\n" + stamp + ",1,x\n" }
	for _, test := range []struct {
		name, data string
		cfg        *Config
		want       string // format, delimiter, header, number of columns, extra columns, time format
		err        bool
	}{
		{"default", string(DefaultConfig().AppendHeader(nil)) + row17, nil, "csv , header 17 [] ms", false},
		{"header only", "timeStamp;elapsed;label", nil, "csv ; header 3 [] ms", false},
		{"tabs", "timeStamp\telapsed\tlabel\n1\t2\tx\n", nil, "csv \t header 3 [] ms", false},
		{"pipe", "timeStamp|elapsed|label\n", nil, "csv | header 3 [] ms", false},
		{"any order, unknown names", "label,elapsed,Url,timeStamp,\"user\",a b,,elapsed time\n", nil,
			"csv , header 8 [Url user* a b  elapsed time] ms", false},
		{"all quoted", `"timeStamp","elapsed","label"` + "\n", nil, "csv , header 3 [] ms", false},
		{"quoted variable of a column's name", `timeStamp,elapsed,label,"label"` + "\n", nil, "csv , header 4 [label*] ms", false},
		{"blanks", "timeStamp, elapsed ,label\n", nil, "csv , header 3 [] ms", false},
		{"one column", "elapsed\n5\n", nil, "csv , header 1 [] none", false},
		{"headerless 17", row17, nil, "csv , rows 17 [] ms", false},
		{"headerless 17 with ;", semicolons, nil, "csv ; rows 17 [] ms", false},
		{"headerless 16", strings.Replace(row17, "http://127.0.0.1/,", "", 1), nil, "csv , rows 16 [] ms", false},
		{"headerless 14", "1700000000000,10,A,200,OK,T 1-1,text,true,,1000,1,1,5,0\n", nil, "csv , rows 14 [] ms", false},
		{"headerless 12", "1700000000000,10,A,200,OK,T 1-1,text,true,1000,1,1,5\n", nil, "csv , rows 12 [] ms", false},
		{"headerless 10", "1700000000000,10,A,200,OK,T 1-1,text,true,1000,5\n", nil, "csv , rows 10 [] ms", false},
		{"headerless 8", "1700000000000,10,A,200,OK,T 1-1,text,true\n", nil, "csv , rows 8 [] ms", false},
		{"headerless 8, dates", "11/14/23 22:13:20,10,A,200,OK,T 1-1,text,true\n", nil, "csv , rows 8 [] MM/dd/yy HH:mm:ss", false},
		{"headerless, first line damaged", "0,A\n" + row17, nil, "csv , rows 17 [] ms", false},
		{"headerless, first row of two lines", strings.Replace(row17, "OK", "\"O\nK\"", 1), nil, "csv , rows 17 [] ms", false},
		{"headerless, own columns", "1700000000000,10,A,200,OK,T 1-1,text,true,,1000,1,1,5,0,1,joe\n", few, "csv , rows 16 [user*] ms", false},
		{"headerless, unknown number", "1700000000000,10,A,200,OK,T 1-1,text,true,5\n", nil, "", true},
		{"headerless, types do not fit", "1700000000000,10,A,200,OK,T 1-1,text,x\n", nil, "", true},
		{"date", dates("2023/11/14 22:13:20.007"), nil, "csv , header 3 [] yyyy/MM/dd HH:mm:ss.SSS", false},
		{"date 2", dates("2023/11/14 22:13:20"), nil, "csv , header 3 [] yyyy/MM/dd HH:mm:ss", false},
		{"date 3", dates("2023-11-14 22:13:20.007"), nil, "csv , header 3 [] yyyy-MM-dd HH:mm:ss.SSS", false},
		{"date 4", dates("2023-11-14 22:13:20"), nil, "csv , header 3 [] yyyy-MM-dd HH:mm:ss", false},
		{"configured date", dates("14.11.2023 22:13"), dated, "csv , header 3 [] dd.MM.yyyy HH:mm", false},
		{"configured date, numbers", dates("1700000000000"), dated, "csv , header 3 [] ms", false},
		{"configured date of digits, numbers", dates("1700000000000"), digits, "csv , header 3 [] ms", false},
		{"configured date of digits", dates("20231114221320"), digits, "csv , header 3 [] yyyyMMddHHmmss", false},
		{"configured date that rolls over", dates("32.13.2023 25:61"), dated, "csv , header 3 [] dd.MM.yyyy HH:mm", false},
		{"date after a damaged line", "timeStamp,elapsed\nx\n2023-11-14 22:13:20,1\n", nil, "csv , header 2 [] yyyy-MM-dd HH:mm:ss", false},
		{"empty", "", nil, "csv , rows 0 [] none", false},
		{"text", "hello world\n", nil, "", true},
		{"xml", `<?xml version="1.0"?>` + "\n" + `<testResults version="1.2">` + "\n" + `<sample t="1" lb="x" who="y"/>`, nil,
			"xml \x00 rows 0 [who*] ms", false},
		{"xml with a mark and no declaration", "\ufeff\n<testResults><sample t=\"1\"/></testResults>", nil, "xml \x00 rows 0 [] ms", false},
		{"other xml", "<html></html>", nil, "", true},
	} {
		info, err := Detect([]byte(test.data), test.cfg)
		if (err != nil) != test.err {
			t.Errorf("%s: error %v", test.name, err)
			continue
		}
		if test.err {
			continue
		}
		if got := describe(&info); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

func describe(i *Info) string {
	head := "rows"
	if i.Header {
		head = "header"
	}
	var extra []string
	for _, e := range i.Extra {
		name := e.Name
		if e.Variable {
			name += "*"
		}
		extra = append(extra, name)
	}
	return i.Format.String() + " " + string(rune(i.Delimiter)) + " " + head + " " + string(appendInt(nil, int64(len(i.Columns)), ' ')) +
		"[" + strings.Join(extra, " ") + "] " + i.TimeFormat
}

func TestHas(t *testing.T) {
	has := func(data string) (cols []Column) {
		info, err := Detect([]byte(data), nil)
		if err != nil {
			t.Fatal(err)
		}
		for c := range numColumns {
			if info.Has(c) {
				cols = append(cols, c)
			}
		}
		if info.Has(colExtra) {
			t.Error("has what is no column")
		}
		return cols
	}
	if got := has("label,x,elapsed\n"); !slices.Equal(got, []Column{ColElapsed, ColLabel}) {
		t.Errorf("CSV: %v", got)
	}
	got := has(`<testResults version="1.2"><httpSample t="1" rs="200"><java.net.URL>u</java.net.URL></httpSample>`)
	if !slices.Equal(got, []Column{ColElapsed, ColCode, ColFailureMessage, ColURL}) {
		t.Errorf("XML: %v", got)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte(header + good))
	f.Add([]byte("1700000000000;10;A;200;OK;T 1-1;text;true\n"))
	f.Add([]byte("<testResults version=\"1.0\"><sample t='1' lb=\"a+b\"/></testResults>"))
	f.Add([]byte("\ufeffa\tb\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := Detect(data, nil)
		if err != nil {
			return
		}
		extra := 0
		for _, c := range info.Columns {
			if c == colExtra {
				extra++
			}
		}
		if info.Format == CSV && extra != len(info.Extra) {
			t.Errorf("%d extra columns, %d names", extra, len(info.Extra))
		}
	})
}
