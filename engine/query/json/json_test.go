package json

import (
	stdjson "encoding/json"
	"math"
	"strings"
	"testing"
)

// What Java's Double.toString prints.
func TestFormatDouble(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", 1.5: "1.5", -2.25: "-2.25", 1000: "1000.0", 9999999: "9999999.0", 1e7: "1.0E7",
		0.001: "0.001", 0.0001: "1.0E-4", 1.0e10: "1.0E10", 123456789012: "1.23456789012E11", 1e-7: "1.0E-7",
		math.Copysign(0, -1): "-0.0", math.Inf(1): "Infinity", math.MaxFloat64: "1.7976931348623157E308",
	} {
		if got := FormatDouble(f); got != want {
			t.Errorf("FormatDouble(%g) = %s, want %s", f, got, want)
		}
	}
}

// What new BigDecimal(text).toString() prints.
func TestFormatDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "-1.50": "-1.50", "0.0000001": "1E-7", "0.000001": "0.000001", "1e3": "1E+3", "12e3": "1.2E+4",
		"1.234567890123456789e3": "1234.567890123456789", "-0": "0", "0.00": "0.00", "00.5": "0.5",
	} {
		if got := FormatDecimal(text); got != want {
			t.Errorf("FormatDecimal(%s) = %s, want %s", text, got, want)
		}
	}
}

func TestAssertionTextHasNoExponent(t *testing.T) {
	for text, want := range map[string]string{
		"1e10": "10000000000.0", "1e-7": "0.0000001", "2.50": "2.5", "0.5": "0.5", "1": "1", `"a"`: "a", "null": "null",
		`{"b":1e10,"a":[1e10]}`: `{"a":[1.0E10],"b":1.0E10}`,
	} {
		v, err := ParseLenient([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.AssertionText(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Decimal numbers keep their form; all else is as ever.
func TestWritten(t *testing.T) {
	const doc = `{"b":[2147483647.5000,1.50,1E2,0.00000012,12345678901234567890.0100],"a":-0.0}`
	v, err := ParseLenient([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.Written(), `{"a":-0.0,"b":[2147483647.5000,1.50,1E2,0.00000012,12345678901234567890.0100]}`; got != want {
		t.Errorf("Written: %s", got)
	}
	if got, want := v.Text(), `{"a":-0.0,"b":[2.1474836475E9,1.5,100.0,1.2E-7,12345678901234567890.0100]}`; got != want {
		t.Errorf("Text: %s", got)
	}
	if got := v.Get("b").At(1).Written(); got != "1.50" {
		t.Errorf("Written: %s", got)
	}
	if v, err = ParseStrict([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	if got := v.WrittenJackson(); got != doc {
		t.Errorf("WrittenJackson: %s", got)
	}
	if got := v.Get("b").At(2).WrittenJackson(); got != "1E2" {
		t.Errorf("WrittenJackson: %s", got)
	}
}

func TestEqualIsJavas(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"1", "1", true}, {"1", "1.0", false}, {"1.5", "1.50", true}, {`"x"`, "x", true}, {"1", `"1"`, false},
		{`{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, true}, {`[1,2]`, `[2,1]`, false}, {"null", "null", true},
		{`{"a":1}`, `{"a":1,"b":2}`, false}, {"true", "true", true}, {"true", "false", false},
	} {
		a, err := ParseLenient([]byte(c.a))
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseLenient([]byte(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Equal(b); got != c.want {
			t.Errorf("%s equals %s: %v", c.a, c.b, got)
		}
	}
}

func TestManyMembers(t *testing.T) {
	var doc strings.Builder
	doc.WriteByte('{')
	for i := range 300 {
		doc.WriteString(`"k` + itoa(int64(i%100)) + `":` + itoa(int64(i)) + ",")
	}
	doc.WriteByte('}')
	v, err := ParseLenient([]byte(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	if v.Len() != 100 || v.Key(7) != "k7" || v.Get("k7").Str() != "207" || v.Get("none") != nil {
		t.Errorf("%d members, %s, %v, %v", v.Len(), v.Key(7), v.Get("k7"), v.Get("none"))
	}
}

func FuzzParseLenient(f *testing.F) {
	for _, s := range []string{`{'a':1e3,b:[01,-,"\u00e9\x41\q"],}`, `not json`, `[1 2,"a" "b"]`, `{"a":{"b":[[],{}]}}x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseLenient([]byte(text))
		if (v == nil) == (err == nil) {
			t.Fatalf("%v and %v", v, err)
		}
		if err != nil {
			return
		}
		// What is printed is read as the same again, but for texts that no JSON holds.
		again, err := ParseLenient(v.AppendJSON(nil))
		if err != nil {
			t.Fatalf("%q prints as %s: %v", text, v.AppendJSON(nil), err)
		}
		if v.Kind() == Object && again.Len() != v.Len() {
			t.Fatalf("%q prints as %s", text, v.AppendJSON(nil))
		}
		_ = v.Text()
	})
}

// The strict reader takes what encoding/json takes; both hold to RFC 8259.
func FuzzParseStrict(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,"\u00e9\n",true,null]}`, `[1,]`, `{"a":01}`, ` "x" `, `{"a" 1}`, "\"\x01\"", `-`, `1.`, `[}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "[")+strings.Count(text, "{") > 500 {
			return
		}
		v, err := ParseExact([]byte(text))
		if valid := stdjson.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: %v, valid %v", text, err, valid)
		}
		if err == nil && !stdjson.Valid(v.AppendJackson(nil)) {
			t.Fatalf("%q prints as %s", text, v.AppendJackson(nil))
		}
	})
}

func TestErrorsShowTheText(t *testing.T) {
	for text, want := range map[string]string{
		"Hammer-Kite-Yo": "Unrecognized token 'Hammer': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n" +
			` at [Source: (String)"Hammer-Kite-Yo"; line: 1, column: 7]`,
		" \t": "No content to map due to end-of-input\n at [Source: (String)\" \\u0009\"; line: 1]",
	} {
		if _, err := ParseShown([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := ParseShown([]byte("{" + strings.Repeat("x", 600)))
	if want := strings.Repeat("x", 499) + `"[truncated 101 chars]; line: 1, column: 3]`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}
