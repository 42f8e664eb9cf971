//go:build !race

package postproc

import (
	"testing"

	. "github.com/gojm/gojm/engine/elem/elemtest"
)

func TestRegexExtractorAllocates(t *testing.T) {
	b := New(t)
	e := Decode(b, new(regexExtractor), regexProps(`b(.)`, "$1$", "1", "none")...)
	s := text("abc")
	// the values of the four variables, and the names of v_g0 and v_g1
	if n := testing.AllocsPerRun(100, func() { e.After(b.Thread, s) }); n > 12 {
		t.Errorf("%v allocations a sample", n)
	}
}
