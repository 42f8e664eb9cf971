package htmlreport

import "encoding/binary"

// recent finds again what was found lately by a name: rows name the same few
// things over and over, and looking at the end of a name costs less than hashing
// all of it. What it holds must stay what the name means. The zero value is empty.
type recent[T any] struct {
	entries [recentSize]recentEntry[T]
	last    *recentEntry[T] // that byName found
}

type recentEntry[T any] struct {
	name  string
	value *T
}

const (
	recentBits = 10
	recentSize = 1 << recentBits
)

// entry is the one place where name may be.
func (r *recent[T]) entry(name []byte) *recentEntry[T] {
	h := uint64(len(name))
	if n := len(name); n >= 8 {
		h ^= binary.LittleEndian.Uint64(name[n-8:])
	} else {
		for _, c := range name {
			h = h<<8 | uint64(c)
		}
	}
	return &r.entries[h*0x9e3779b97f4a7c15>>(64-recentBits)]
}
