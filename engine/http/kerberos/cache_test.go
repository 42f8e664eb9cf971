package kerberos

import (
	"encoding/binary"
	"testing"
)

// cacheOf writes a cache with one ticket.
func cacheOf(version byte, realm string, service ...string) []byte {
	b := []byte{5, version}
	if version == 4 {
		b = append(b, 0, 12, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	number := func(n int) { b = binary.BigEndian.AppendUint32(b, uint32(n)) }
	text := func(s string) { number(len(s)); b = append(b, s...) }
	principal := func(names ...string) {
		number(1)
		number(len(names))
		text(realm)
		for _, n := range names {
			text(n)
		}
	}
	principal("ann")
	principal("ann")
	principal(service...)
	b = append(b, 0, 18)
	if version == 3 {
		b = append(b, 0, 18)
	}
	text("a key")
	for range 4 {
		number(1 << 30)
	}
	b = append(b, 0, 0x40, 0, 0, 0)
	number(1)
	b = append(b, 0, 2)
	text("addr")
	number(0)
	text("a ticket")
	text("")
	return b
}

func TestTicketCache(t *testing.T) {
	for _, version := range []byte{3, 4} {
		whole := cacheOf(version, "R", "krbtgt", "R")
		c, err := readCache(whole)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := c.ticket("krbtgt", "R")
		if !ok || c.owner.name.PrincipalNameString() != "ann" || string(e.ticket) != "a ticket" || string(e.key.KeyValue) != "a key" || e.key.KeyType != 18 || e.end.Unix() != 1<<30 || e.flags.At(flagForwardable) != 1 {
			t.Errorf("version %d: %+v %t", version, c, ok)
		}
		if _, ok := c.ticket("HTTP", "R"); ok {
			t.Error("a ticket that is not there")
		}
		for n := range len(whole) {
			if _, err := readCache(whole[:n]); err == nil && n < len(whole)-1 && n > 40 {
				t.Errorf("version %d cut to %d of %d bytes: no error", version, n, len(whole))
			}
		}
	}
	if _, err := readCache([]byte{5, 2, 0, 0}); err == nil {
		t.Error("version 2: no error")
	}
}

// A file that is no ticket cache is an error and takes no more memory than it has.
func FuzzTicketCache(f *testing.F) {
	f.Add(cacheOf(4, "R", "krbtgt", "R"))
	f.Add(cacheOf(3, "R", "krbtgt", "R"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := readCache(b)
		if (c == nil) == (err == nil) {
			t.Fatalf("%v %v", c, err)
		}
	})
}
