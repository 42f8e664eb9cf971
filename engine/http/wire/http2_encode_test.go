package wire

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/net/http2/hpack"
)

// Whatever lists follow each other, and however small the server makes the table,
// it decodes what was meant; a list that is sent again costs a byte or two a field.
func TestHTTP2Encode(t *testing.T) {
	m := newMux(&conn{}, 1<<20)
	defer m.dropBuffer()
	var got []hpack.HeaderField
	dec := hpack.NewDecoder(headerTable, func(f hpack.HeaderField) { got = append(got, f) })
	list := func(path, x string) []hpack.HeaderField {
		return []hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":path", Value: path}, {Name: "x-run", Value: x}}
	}
	send := func(l []hpack.HeaderField) int {
		t.Helper()
		got = nil
		b := m.encode(l)
		if _, err := dec.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := dec.Close(); err != nil || !slices.Equal(got, l) {
			t.Fatalf("%v, got %v, want %v", err, got, l)
		}
		return len(b)
	}
	for round := range 50 {
		send(list("/a", "1"))
		send(list("/a", "1"))
		if n := send(list("/a", "1")); n != 3 {
			t.Fatalf("%d bytes", n)
		}
		send(list(fmt.Sprint("/", round), "2"))
		send(list("/a", "2"))
		if round%10 == 9 {
			m.mu.Lock()
			m.setting(settingTable, uint32(1000-10*round))
			m.mu.Unlock()
		}
	}
	m.setting(settingTable, 0)
	for range 3 {
		if n := send(list("/a", "1")); n < 10 {
			t.Fatalf("%d bytes without a table", n)
		}
	}
	for block, want := range map[string]bool{"": true, "\x82\x84": true, "\xff\x80\x01\x82": true, "\x82\x40": false, "\xff\x00\x04\x01a": false, "\x20": false} {
		if allIndexed([]byte(block)) != want {
			t.Errorf("%x: not %t", block, want)
		}
	}
}
