package java

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// joined undoes the escapes of text.tsv, which are Java's, halves of surrogate pairs apart.
func joined(s string) string {
	out, err := UnescapeJava(s)
	if err != nil {
		panic(err)
	}
	return out
}

var textOps = map[string]func(a []string) (any, error){
	"duration":    func(a []string) (any, error) { return fmtErr(ParseDuration(a[0])) },
	"double":      func(a []string) (any, error) { return FormatDouble(math.Float64frombits(bitsOf(a[0]))), nil },
	"float":       func(a []string) (any, error) { return FormatFloat(math.Float32frombits(uint32(bitsOf(a[0])))), nil },
	"parseInt":    func(a []string) (any, error) { return fmtErr(ParseInt(a[0], 10)) },
	"parseLong":   func(a []string) (any, error) { return fmtErr(ParseLong(a[0], 10)) },
	"parseLong16": func(a []string) (any, error) { return fmtErr(ParseLong(a[0], 16)) },
	"decode":      func(a []string) (any, error) { return fmtErr(Decode(a[0], 32)) },
	"parseDouble": func(a []string) (any, error) {
		v, err := ParseDouble(a[0])
		return FormatDouble(v), err
	},
	"random": func(a []string) (any, error) { return randomLine(bitsOf(a[0])), nil },
	"gauss": func(a []string) (any, error) {
		seed, _ := strconv.ParseInt(a[0], 10, 64)
		r := NewRandom(seed)
		h := int64(0)
		for range 2000 {
			h = h*31 + int64(math.Float64bits(r.Gaussian()))
		}
		return h, nil
	},
	"decimalLong": func(a []string) (any, error) {
		f, err := ParseDecimalFormat(a[0])
		if err != nil {
			return nil, err
		}
		v, _ := strconv.ParseInt(a[1], 10, 64)
		return f.FormatLong(v), nil
	},
	"decimalDouble": func(a []string) (any, error) {
		f, err := ParseDecimalFormat(a[0])
		if err != nil {
			return nil, err
		}
		v, _ := strconv.ParseFloat(a[1], 64)
		return f.FormatDouble(v), nil
	},
	"format": func(a []string) (any, error) { return fmtErr(Format(a[0], formatArgs(a[1]), nil)) },
	"urlencode": func(a []string) (any, error) {
		c, ok := LookupCharset(a[1])
		if !ok {
			return nil, throw("java.io.UnsupportedEncodingException", "%s", a[1])
		}
		return URLEncode(a[0], c), nil
	},
	"urldecode": func(a []string) (any, error) {
		c, _ := LookupCharset(a[1])
		return fmtErr(URLDecode(a[0], c))
	},
	"charset": func(a []string) (any, error) {
		c, ok := LookupCharset(a[0])
		if !ok {
			return nil, throw("java.io.UnsupportedEncodingException", "%s", a[0])
		}
		latin1, _ := LookupCharset("ISO-8859-1")
		return latin1.Decode(c.Encode("é日я")), nil
	},
	"uri":          func(a []string) (any, error) { return "ok", CheckURI(a[0]) },
	"upper":        func(a []string) (any, error) { return ToUpper(a[0]), nil },
	"lower":        func(a []string) (any, error) { return ToLower(a[0]), nil },
	"hash":         func(a []string) (any, error) { return HashCode(a[0]), nil },
	"length":       func(a []string) (any, error) { return Length(a[0]), nil },
	"trim":         func(a []string) (any, error) { return Trim(a[0]), nil },
	"escapeHtml":   func(a []string) (any, error) { return EscapeHTML(a[0]), nil },
	"unescapeHtml": func(a []string) (any, error) { return fmtErr(UnescapeHTML(a[0])) },
	"escapeXml":    func(a []string) (any, error) { return EscapeXML(a[0]), nil },
	"unescapeJava": func(a []string) (any, error) { return fmtErr(UnescapeJava(a[0])) },
	"compare":      func(a []string) (any, error) { return Compare(a[0], a[1]), nil },
	"bd": func(a []string) (any, error) {
		d := decimal(a[0])
		return fmt.Sprint(d, " ", d.PlainString(), " ", d.Precision(), " ", d.Scale(), " ", d.StripTrailingZeros(), " ", d.Int(), " ", FormatDouble(d.Double())), nil
	},
	"bdScale": func(a []string) (any, error) { return fmtErr(decimal(a[0]).SetScale(1, RoundingMode(bitsOf(a[1])))) },
	"bdRound": func(a []string) (any, error) { return fmtErr(decimal(a[0]).RoundTo(2, RoundingMode(bitsOf(a[1])))) },
	"bdOps": func(a []string) (any, error) {
		x, y := decimal(a[0]), decimal(a[1])
		return fmt.Sprint(x.Add(y), " ", x.Sub(y), " ", x.Mul(y), " ", x.Cmp(y), " ", x.Equal(y)), nil
	},
	"bdDiv": func(a []string) (any, error) { return fmtErr(decimal(a[0]).QuoExact(decimal(a[1]))) },
	"bdDiv10": func(a []string) (any, error) {
		return fmtErr(decimal(a[0]).QuoPrecision(decimal(a[1]), 10, RoundHalfUp))
	},
	"bdRem": func(a []string) (any, error) { return fmtErr(decimal(a[0]).Rem(decimal(a[1]))) },
	"bdValueOf": func(a []string) (any, error) {
		v, _ := strconv.ParseFloat(a[0], 64)
		return fmtErr(DecimalOfDouble(v))
	},
	"bdExact": func(a []string) (any, error) {
		v, _ := strconv.ParseFloat(a[0], 64)
		return fmtErr(ExactDecimal(v))
	},
	"bdParse": func(a []string) (any, error) { return fmtErr(ParseDecimal(a[0])) },
	"locale": func(a []string) (any, error) {
		l, err := ParseLocale(a[0])
		s := l.String()
		if strings.Contains(a[0], "POSIX") { // variants are dropped
			s = a[0]
		}
		return s, err
	},
}

func fmtErr[T any](v T, err error) (any, error) { return v, err }

func bitsOf(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func decimal(s string) Decimal {
	d, err := ParseDecimal(s)
	if err != nil {
		panic(err)
	}
	return d
}

func randomLine(seed uint64) string {
	q := NewRandom(int64(seed))
	n := func(bound int32) int32 { v, _ := q.IntN(bound); return v }
	between := func(a, b int32) int32 { v, _ := q.IntRange(a, b); return v }
	s := fmt.Sprint(q.Int(), " ", n(100), " ", n(64), " ", n(1000000007), " ", n(1500000000), " ", q.Long(), " ", q.Bool(), " ",
		FormatFloat(q.Float()), " ", FormatDouble(q.Double()), " ", between(5, 10), " ", between(-5, 11), " ", between(-2000000000, 2000000000))
	b := make([]byte, 7)
	q.Bytes(b)
	var signed []string
	for _, x := range b {
		signed = append(signed, strconv.Itoa(int(int8(x))))
	}
	s += " [" + strings.Join(signed, ", ") + "]"
	for range 4 {
		s += " " + FormatDouble(q.Gaussian())
	}
	return s
}

func formatArgs(s string) []any {
	var out []any
	for _, part := range strings.Split(strings.TrimSuffix(s, "\x1f"), "\x1f") {
		class, text, _ := strings.Cut(part, ":")
		switch class {
		case "null":
			out = append(out, nil)
		case "Integer":
			v, _ := strconv.ParseInt(text, 10, 32)
			out = append(out, int32(v))
		case "Long":
			v, _ := strconv.ParseInt(text, 10, 64)
			out = append(out, v)
		case "Double":
			v, _ := strconv.ParseFloat(text, 64)
			out = append(out, v)
		case "Float":
			v, _ := strconv.ParseFloat(text, 32)
			out = append(out, float32(v))
		case "Boolean":
			out = append(out, text == "true")
		case "Character":
			out = append(out, Char(text[0]))
		case "BigDecimal":
			out = append(out, decimal(text))
		case "BigInteger":
			v, _ := new(big.Int).SetString(text, 10)
			out = append(out, v)
		case "String":
			out = append(out, text)
		}
	}
	return out
}

func TestTextAsJava(t *testing.T) {
	for _, r := range rows(t, "text.tsv", 6) {
		n := 1
		for n < len(r) && !strings.HasPrefix(r[n], "=") && !strings.HasPrefix(r[n], "!java.") {
			n++
		}
		if n == len(r) {
			t.Fatalf("no answer in %q", r)
		}
		args := make([]string, 0, n)
		for _, a := range r[1:n] {
			args = append(args, joined(a))
		}
		op := textOps[r[0]]
		if op == nil {
			t.Fatalf("unknown operation %q", r[0])
		}
		v, err := op(args)
		got, want := "="+fmt.Sprint(v), r[n]
		var e *Error
		switch {
		case errors.As(err, &e):
			got = "!" + e.Class + "\t" + e.Message
		case err != nil:
			got = "!java.lang.IllegalArgumentException\t" + err.Error()
		}
		if strings.HasPrefix(want, "!") {
			want += "\t" + joined(r[n+1])
			if r[n+1] == "null" {
				want = strings.TrimSuffix(want, "null")
			}
		} else {
			want = joined(want)
		}
		if got != want {
			t.Errorf("%s %q\n got %q\nwant %q", r[0], args, got, want)
		}
	}
}
