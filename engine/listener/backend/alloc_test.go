//go:build !race

package backend

import (
	"testing"
)

func TestSampledAllocatesNothing(t *testing.T) {
	c := &influx{table: newTable(settings{window: 100})}
	s := sample("x", 1, true)
	for range 200 {
		c.table.add(s, 1, true)
	}
	if n := testing.AllocsPerRun(100, func() { c.table.add(s, 1, true) }); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
