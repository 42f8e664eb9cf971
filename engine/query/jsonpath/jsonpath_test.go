package jsonpath

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/query/json"
)

func mustParse(t testing.TB, doc string) *json.Value {
	t.Helper()
	v, err := json.ParseLenient([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustCompile(t testing.TB, path string) *Path {
	t.Helper()
	p, err := Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// One document serves any number of paths, and is not changed by any, append()
// included.
func TestDocumentIsReadOnceAndStays(t *testing.T) {
	const text = `{"a":[1,2],"b":{"c":"x"}}`
	doc := mustParse(t, text)
	for _, path := range []string{"$.a.append(3)", "$.b['c','d']", "$..*", "$.a[?(@ > 1)]", "$..a.length()"} {
		if _, err := mustCompile(t, path).Read(doc); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := string(doc.AppendJSON(nil)); got != text {
		t.Errorf("the document became %s", got)
	}
}

func TestPathIsSafeForConcurrentUse(t *testing.T) {
	p := mustCompile(t, `$..[?(@.id == $.want && @.name =~ /n.*/)].name`)
	done := make(chan string, 4)
	for i := range 4 {
		go func() {
			doc, err := json.ParseLenient(fmt.Appendf(nil, `{"want":%d,"list":[{"id":1,"name":"n1"},{"id":2,"name":"n2"},{"id":3,"name":"n3"},{"id":0,"name":"n0"}]}`, i))
			if err != nil {
				done <- err.Error()
				return
			}
			for range 100 {
				found, err := p.List(doc)
				if want := fmt.Sprint("n", i); err != nil || len(found) != 1 || found[0].Text() != want {
					done <- fmt.Sprint("want ", want, ": ", found, err)
					return
				}
			}
			done <- ""
		}()
	}
	for range 4 {
		if problem := <-done; problem != "" {
			t.Error(problem)
		}
	}
}

// No path and no document may exhaust the stack.
func TestDeepInputIsRefused(t *testing.T) {
	for _, doc := range []string{strings.Repeat("[", 10_000), strings.Repeat(`{"a":`, 10_000)} {
		if _, err := json.ParseLenient([]byte(doc)); err == nil || !strings.Contains(err.Error(), "Malicious payload") {
			t.Errorf("deep document: %v", err)
		}
	}
	for _, path := range []string{
		"$[?(" + strings.Repeat("(", 10_000) + "@.a" + strings.Repeat(")", 10_000) + ")]",
		strings.Repeat("$.sum(", 10_000) + strings.Repeat(")", 10_000),
		"$[?(" + strings.Repeat("!", 10_000) + "@.a)]",
	} {
		if _, err := Compile(path); err == nil {
			t.Errorf("%.20s...: no error", path)
		}
	}
}

func FuzzEval(f *testing.F) {
	for _, p := range []string{"$..a[?(@.b == 'x' && !(@.c in [1,2]))].d", "$['a','b'][-1:].length()", "$.a.sum($.b,\"1\")", ".[0].a", "$..[?(@.a =~ /x/i)]", "$['a',\x10b"} {
		f.Add(p, `{"a":[{"b":"x","c":3,"d":{}},1.5e3],'b':null,}`)
	}
	f.Fuzz(func(t *testing.T, path, doc string) {
		if len(path) > 60 || len(doc) > 100 || strings.Count(path, "..") > 3 {
			return // results grow with the power of the scans
		}
		p, err := Compile(path)
		if err != nil {
			return
		}
		v, err := json.ParseLenient([]byte(doc))
		if err != nil {
			return
		}
		found, err := p.List(v)
		if err != nil && len(found) > 0 {
			t.Fatalf("%d values and %v", len(found), err)
		}
		for _, x := range found {
			_ = x.Text()
		}
		if one, err := p.Read(v); (one == nil) == (err == nil) {
			t.Fatalf("%v and %v", one, err)
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(`{"items":[`)
	for i := range 100 { // 10 KB
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"id":%d,"name":"item %d","price":%d.5,"tags":["a","b"],"stock":{"here":true,"count":%d}}`, i, i, i, i)
	}
	doc.WriteString(`],"token":"f00"}`)
	text := []byte(doc.String())
	for _, path := range []string{"$.token", "$.items[42].name", "$..id", "$.items[?(@.price > 90)].name"} {
		b.Run(path, func(b *testing.B) {
			p := mustCompile(b, path)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				v, err := json.ParseLenient(text)
				if err != nil {
					b.Fatal(err)
				}
				if found, err := p.List(v); err != nil || len(found) == 0 {
					b.Fatal(found, err)
				}
			}
		})
	}
}
