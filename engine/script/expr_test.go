package script

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// testBindings are the names that the recorded expressions use; Java had the same.
func testBindings() map[string]Value {
	m := NewMap()
	m.Put("k", "v")
	vars := newMap(byInsertion, nil)
	b := map[string]Value{
		"name": "ada", "n": "5", "empty": "", "path": "a/b/c d", "flag": "true", "num": int32(7), "big": int64(10000000000), "d": 2.5,
		"list": NewList(int32(3), int32(1), int32(2)), "map": m, "nul": nil,
		"arr": &Array{Elem: "java.lang.String", Items: []Value{"x", "y"}}, "t": true,
	}
	for k, v := range b {
		vars.Put(k, v)
	}
	b["vars"] = vars
	return b
}

// sample undoes the escapes of a recorded table: \n \t \r, and any other character for itself.
func sample(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			c = s[i]
			if k := strings.IndexByte("ntr", c); k >= 0 {
				c = "\n\t\r"[k]
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// likeOurs gives classes that are told apart in Java only the name of ours, and the script number 1.
var likeOurs = strings.NewReplacer("GStringImpl:", "String:", "LinkedKeySet:", "LinkedHashSet:", "LinkedValues:", "ArrayList:")

var scriptNumber = regexp.MustCompile(`Script\d+`)

func shown(v Value) string {
	if v == nil {
		return "null:null"
	}
	class := classOf(v).Simple()
	if r, ok := v.(JSResult); ok {
		return "String:" + r.Text
	}
	return class + ":" + javaString(v)
}

// recorded runs the lines of a table: source, tab, class and text of the result or ! and the error.
func recorded(t *testing.T, lang, file string, errorToo bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		src, want, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("%s: no result in %q", file, line)
		}
		n++
		src, want = sample(src), scriptNumber.ReplaceAllString(likeOurs.Replace(sample(want)), "Script1")
		got := ""
		p, err := Compile(lang, src, "Script1.groovy")
		var v Value
		if err == nil {
			v, err = p.Run(&Env{Bindings: testBindings()})
		}
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = shown(v)
		}
		if strings.HasPrefix(want, "!") && !errorToo {
			if !strings.HasPrefix(got, "!") {
				t.Errorf("%s %q\n got %q\nwant %q", lang, src, got, want)
			}
			continue
		}
		if strings.Contains(want, "MultipleCompilationErrors") {
			want, _, _ = strings.Cut(want, ":")
			if _, isSyntax := err.(*SyntaxError); isSyntax {
				got = want
			}
		}
		if got != want && !sameObject(got, want) {
			t.Errorf("%s %q\n got %q\nwant %q", lang, src, got, want)
		}
	}
	if n < 20 {
		t.Fatalf("%s holds only %d lines", file, n)
	}
}

// sameObject compares texts that end in the number of an object.
func sameObject(got, want string) bool {
	a, _, ok := strings.Cut(got, "@")
	b, _, ok2 := strings.Cut(want, "@")
	return ok && ok2 && (a == b || strings.Contains(a, ":[") && strings.Contains(b, ":["))
}

func TestJEXL3AsRecorded(t *testing.T)  { recorded(t, "jexl3", "testdata/jexl3.tsv", false) }
func TestJEXL2AsRecorded(t *testing.T)  { recorded(t, "jexl2", "testdata/jexl2.tsv", false) }
func TestGroovyAsRecorded(t *testing.T) { recorded(t, "groovy", "testdata/groovy.tsv", true) }
func TestJavaScriptAsRecorded(t *testing.T) {
	recorded(t, "javascript", "testdata/javascript.tsv", false)
}
