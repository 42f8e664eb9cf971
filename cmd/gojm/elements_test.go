package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/jmx"
)

// Nothing of JMeter is forgotten by silence: every class that may stand in a
// plan has a row, and every function.
func TestSupportIsWhole(t *testing.T) {
	s := supportOf()
	rows := map[string]int{}
	for _, e := range s.Elements {
		rows[e.Class+" "+e.GUI]++
		rows[e.Class]++
		if e.Title == "" || e.Status == "" || !slices.Contains(kinds, e.Kind) {
			t.Errorf("half a row: %+v", e)
		}
		if e.Class == progressClass {
			t.Error("the live line is an element")
		}
	}
	for _, c := range jmx.Classes() {
		if c.Inner != (rows[c.Alias] == 0) && elem.Lookup(c.Alias, "") == nil {
			t.Errorf("%s: %d rows, inner: %v", c.Alias, rows[c.Alias], c.Inner)
		}
	}
	for _, spec := range elem.Specs() {
		if n := rows[spec.Class+" "+spec.GUI]; n > 1 {
			t.Errorf("%s %s has %d rows", spec.Class, spec.GUI, n)
		}
	}
	names := map[string]bool{}
	for _, f := range s.Functions {
		if names[f.Name] {
			t.Errorf("%s has two rows", f.Name)
		}
		names[f.Name] = true
	}
	for _, name := range jmeterFunctions {
		if !names[name] {
			t.Errorf("%s has no row", name)
		}
		if f := expr.Lookup(name); f != nil && f.Plugin {
			t.Errorf("%s is JMeter's own", name)
		}
	}
	for class := range titles {
		if rows[class] == 0 {
			t.Errorf("%s has a title and is no class", class)
		}
		if elem.Lookup(class, "") != nil {
			t.Errorf("%s declares its title itself: remove it from the table", class)
		}
	}
}

func TestKindAndTitle(t *testing.T) {
	for _, tt := range []struct {
		class, title string
		kind         elem.Kind
	}{
		{"BSFAssertion", "BSF Assertion", elem.KindAssertion},
		{"BeanShellTimer", "Bean Shell Timer", elem.KindTimer},
		{"BSFPostProcessor", "BSF Post Processor", elem.KindPost},
		{"JDBCPreProcessor", "JDBC Pre Processor", elem.KindPre},
		{"JDBCDataSource", "JDBC Connection Configuration", elem.KindConfig},
		{"FTPSampler", "FTP Request", elem.KindSampler},
		{"HTTPSampler_", "HTTP Sampler_", elem.KindSampler},
		{"HttpMirrorControl", "Http Mirror Control", elem.KindOther},
		{"IfController", "If Controller", elem.KindController},
		{"ResultSaver", "Result Saver", elem.KindListener},
		{"XPath2Extractor", "X Path2 Extractor", elem.KindPost},
		{"ThreadGroup", "Thread Group", elem.KindGroup},
	} {
		i := slices.IndexFunc(jmx.Classes(), func(c jmx.ClassInfo) bool { return c.Alias == tt.class })
		if i < 0 {
			t.Errorf("no class %s", tt.class)
			continue
		}
		if k := kindOf(jmx.Classes()[i]); k != tt.kind || titleOf(tt.class) != tt.title {
			t.Errorf("%s: %s %q, want %s %q", tt.class, k, titleOf(tt.class), tt.kind, tt.title)
		}
	}
}

// `make readme` writes the tables; this finds them out of date.
func TestREADME(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := supportOf().renew(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("README.md is out of date, run make readme (-generated +README.md):\n%s", diff)
	}
}

func TestRenew(t *testing.T) {
	s := support{
		Elements:  []elementSupport{{elem.KindTimer, "A|B", "C", "", elem.Full, ""}, {elem.KindTimer, "D", "E", "", elem.Partial, "no x"}},
		Functions: []functionSupport{{"__f", "a, b?", "does it", elem.Full, true}},
	}
	got, err := s.renew("1\n<!-- elements -->\nold\n<!-- /elements -->\n2\n<!-- functions -->\n<!-- /functions -->\n3\n")
	if err != nil {
		t.Fatal(err)
	}
	want := `1
<!-- elements -->

| | Element | Class | Support |
|---|---|---|---|
| **Timer** | A\|B | ` + "`C`" + ` | full |
|  | D | ` + "`E`" + ` | partial: no x |

<!-- /elements -->
2
<!-- functions -->

| Function | | Support |
|---|---|---|
| ` + "`__f(a, b?)`" + ` | does it | full (of plug-ins) |

<!-- /functions -->
3
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again, err := s.renew(got); err != nil || again != got {
		t.Errorf("renewed twice: %v", cmp.Diff(got, again))
	}
	for _, bad := range []string{"", "<!-- elements -->\n", "<!-- elements -->\n<!-- /elements -->\n"} {
		if _, err := s.renew(bad); err == nil {
			t.Errorf("%q has both tables", bad)
		}
	}
}

func TestElementsForms(t *testing.T) {
	for _, tt := range []struct{ flag, want string }{
		{"", "  Constant Timer "},
		{"--markdown", "| Constant Timer | `ConstantTimer` | full |"},
	} {
		var out bytes.Buffer
		args := []string{"elements"}
		if tt.flag != "" {
			args = append(args, tt.flag)
		}
		if code := run(args, stdio{out: &out, err: &out}); code != 0 || !strings.Contains(out.String(), tt.want) {
			t.Errorf("elements %s: %d, want %q in\n%s", tt.flag, code, tt.want, out.String())
		}
	}
	var out bytes.Buffer
	run([]string{"elements", "--json"}, stdio{out: &out, err: &out})
	var s support
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(supportOf(), s); diff != "" {
		t.Error(diff)
	}
}
