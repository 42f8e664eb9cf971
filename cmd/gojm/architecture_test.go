package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gojm/gojm/"

// element rooms hold what a plan is made of. They know each other only through
// the rooms all of them stand on.
var elementRooms = []string{
	"engine/function", "engine/group", "engine/control", "engine/sampler", "engine/config", "engine/timer",
	"engine/preproc", "engine/postproc", "engine/assertion", "engine/listener", "engine/http", "engine/scripted",
}

// rooms are the floors an element may stand on.
var floors = []string{"engine/elem", "engine/expr", "engine/vu", "engine/query", "engine/script", "engine/script/host", "engine/java", "jtl"}

// mayImport says for each room which others it may use; a room means itself and
// what lies below it.
var mayImport = map[string][]string{
	"cmd/gojm":      {"engine", "engine/std", "engine/elem", "engine/expr", "engine/vu", "engine/java", "engine/remote", "htmlreport", "jtl", "jmx", "testdata/target"},
	"engine":        {"engine/elem", "engine/expr", "engine/vu", "jmx", "jtl"},
	"engine/std":    elementRooms,
	"engine/remote": {"engine", "jtl"},
	"engine/elem":   {"engine/expr", "engine/vu", "jmx", "jtl"},
	"engine/expr":   {"engine/vu"},
	"engine/vu":     {"jtl"},
	"engine/java":   {"jtl/charset"},
	"engine/query":  {"engine/java"},
	"engine/script": {"engine/java", "engine/query"},
	// what stands behind JMeter's script objects, for elements and functions alike
	"engine/script/host": {"engine/script", "engine/elem", "engine/vu", "jtl"},
	"htmlreport":         {"jtl"},
	"jmx":                {},
	"jtl":                {"jtl/charset"},
	"jtl/charset":        {},
	"testdata":           {},
}

// outside names libraries that only one room may use.
var outside = map[string]string{
	"github.com/beevik/etree":     "jmx",
	"github.com/spf13/cobra":      "cmd/gojm",
	"github.com/go-echarts":       "htmlreport",
	"github.com/chromedp":         "htmlreport",
	"github.com/dop251/goja":      "engine/script",
	"github.com/valyala/fastjson": "engine/query",
}

// room is the room a package belongs to: the deepest declared one.
func room(pkg string) string {
	for p := pkg; p != ""; {
		if _, ok := mayImport[p]; ok {
			return p
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			break
		}
		p = p[:i]
	}
	return ""
}

// The import rules of the house: who may know whom.
func TestImports(t *testing.T) {
	for _, r := range elementRooms {
		mayImport[r] = floors
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; packages++ {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		own := room(strings.TrimPrefix(p.ImportPath, module))
		if own == "" {
			t.Errorf("%s lies in no room of the house", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if msg := broken(own, imp); msg != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imp, msg)
			}
		}
	}
	if packages < 10 {
		t.Errorf("only %d packages seen", packages)
	}
}

func broken(own, imp string) string {
	for lib, only := range outside {
		if strings.HasPrefix(imp, lib) && own != only {
			return fmt.Sprintf("only %s may use it", only)
		}
	}
	if !strings.HasPrefix(imp, module) {
		return ""
	}
	other := room(strings.TrimPrefix(imp, module))
	if other == own || slices.Contains(mayImport[own], other) {
		return ""
	}
	return fmt.Sprintf("%s may use only %s", own, strings.Join(mayImport[own], ", "))
}

// The top level stays what the architecture says.
func TestTopLevel(t *testing.T) {
	want := []string{"Makefile", "README.md", "cmd", "engine", "go.mod", "go.sum", "htmlreport", "jmx", "jtl", "testdata"}
	cmd := exec.Command("git", "ls-tree", "--name-only", "HEAD")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if !strings.HasPrefix(name, ".") && !slices.Contains(want, name) {
			t.Errorf("%s does not belong at the top level", name)
		}
	}
}
