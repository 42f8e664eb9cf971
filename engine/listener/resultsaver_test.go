package listener

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func always(on bool) expr.Bool {
	if on {
		return expr.NewBool(expr.Const("true"))
	}
	return expr.NewBool(expr.Const("false"))
}

func TestSaveResponses(t *testing.T) {
	dir := t.TempDir()
	run := &vu.Run{Props: vu.NewProperties(), WorkDir: dir, BaseDir: filepath.Join(dir, "plans"), Fail: func(err error) { t.Error(err) }}
	thread := vu.NewThread(&vu.Group{Run: run}, 0, "u", vu.NewVars(vu.NewNames()))
	c := &resultSaver{prefix: expr.Const("~/out/r-"), variable: expr.Const("file"), skipTransactions: always(true), base: "~/",
		pad: expr.NewInt(expr.Const("3")), errorsOnly: always(false), successOnly: always(false)}
	if err := c.TestStart(run); err != nil {
		t.Fatal(err)
	}
	page := &jtl.Sample{Success: true, Body: []byte("page"), ResponseHeaders: "HTTP/1.1 200 OK\nContent-Type: text/html; charset=UTF-8\n"}
	page.Subs = []*jtl.Sample{{Success: true, Body: []byte("pic"), ResponseHeaders: "content-type: image/png\n"}, {Success: false, Body: []byte("?")}}
	c.Sampled(thread, page)
	c.Sampled(thread, &jtl.Sample{Success: true, Message: "Number of samples in transaction : 1"})
	for variable, want := range map[string][2]string{"file": {"r-001.html", "page"}, "file1": {"r-002.png", "pic"}, "file2": {"r-003.unknown", "?"}} {
		name, _ := thread.Vars.Get(variable)
		if name != filepath.Join(run.BaseDir, "out", want[0]) {
			t.Errorf("%s = %s, want %s", variable, name, want[0])
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != want[1] {
			t.Errorf("%s: %q %v", name, b, err)
		}
	}
	if page.FileName == "" || page.Subs[1].FileName == "" {
		t.Error("the samples do not name their files")
	}
	c.errorsOnly = always(true)
	c.Sampled(thread, &jtl.Sample{Success: true, Body: []byte("x")})
	if files, err := os.ReadDir(filepath.Join(run.BaseDir, "out")); err != nil || len(files) != 3 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
