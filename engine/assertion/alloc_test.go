//go:build !race

package assertion

import (
	"testing"

	. "github.com/gojm/gojm/engine/elem/elemtest"
)

func TestResponseAllocatesNothing(t *testing.T) {
	b := New(t)
	a := Decode(b, new(response), List("Asserion.test_strings", "t(w)o", "three"), Text("Assertion.test_field", "Assertion.response_data"))
	s := sampled()
	if n := testing.AllocsPerRun(100, func() { a.Check(b.Thread, s) }); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
