package control

import "testing"

func BenchmarkCondition(b *testing.B) {
	var c conditions
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := c.eval(`"a" == "a"`); !ok || err != nil {
			b.Fatal(err)
		}
	}
}
