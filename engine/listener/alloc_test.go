//go:build !race

package listener

import (
	"path/filepath"
	"testing"

	. "github.com/gojm/gojm/engine/elem/elemtest"
)

func TestFlexibleFileWriterAllocatesNothing(t *testing.T) {
	b := New(t)
	e := Decode(b, new(flexibleWriter), Text("filename", filepath.Join(t.TempDir(), "f")), Text("columns", `endTime|\t|responseTime|\t|sampleLabel|\r\n`))
	if err := e.Open(b.Run); err != nil {
		t.Fatal(err)
	}
	s := sampled()
	if n := testing.AllocsPerRun(100, func() { e.Sampled(b.Thread, s) }); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
	if err := e.TestEnd(b.Run); err != nil {
		t.Error(err)
	}
}
