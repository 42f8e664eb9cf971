//go:build !linux

package listener

import (
	"math"
	"runtime"
)

var unknown = math.NaN()

// memory is what the runtime has from the operating system, in bytes.
func (*usage) memory() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys - m.HeapReleased)
}

func (*usage) machine() (busy, all float64) { return unknown, unknown }

func (*usage) network() (received, sent float64) { return unknown, unknown }
