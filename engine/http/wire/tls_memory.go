package wire

import (
	"bytes"
	"crypto/tls"
	"reflect"
	"unsafe"
)

// largeInput is how much input buffer a TLS connection may keep when it is idle.
const largeInput = 8 << 10

// tlsInput is where a tls.Conn keeps what it reads. A record of 16 KB makes it
// grow to 40 KB, and it never shrinks by itself: too much for thousands of users
// who are idle most of the time.
var tlsInput = func() (at struct {
	known      bool
	raw, input uintptr
}) {
	t := reflect.TypeFor[tls.Conn]()
	raw, ok := t.FieldByName("rawInput")
	input, too := t.FieldByName("input")
	at.known = ok && too && raw.Type == reflect.TypeFor[bytes.Buffer]() && input.Type == reflect.TypeFor[bytes.Reader]()
	at.raw, at.input = raw.Offset, input.Offset
	return at
}()

// shrink gives back the input buffer of a TLS connection on which nobody reads,
// if it is large and empty. It reaches into crypto/tls, and does nothing where
// the fields there are not as expected.
func (c *conn) shrink() {
	tc, ok := c.nc.(*tls.Conn)
	if !ok || !tlsInput.known {
		return
	}
	raw := (*bytes.Buffer)(unsafe.Add(unsafe.Pointer(tc), tlsInput.raw))
	input := (*bytes.Reader)(unsafe.Add(unsafe.Pointer(tc), tlsInput.input))
	if raw.Len() == 0 && input.Len() == 0 && raw.Cap() > largeInput {
		*raw = bytes.Buffer{}
		input.Reset(nil) // it points into raw
	}
}
