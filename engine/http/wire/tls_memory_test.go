package wire

import (
	"bytes"
	"crypto/tls"
	"testing"
	"unsafe"
)

// An idle TLS connection gives back the buffer that a large record needed, and
// works on. A new version of Go may call for a look at tlsInput.
func TestIdleTLSHoldsNoLargeBuffer(t *testing.T) {
	if !tlsInput.known {
		t.Fatal("crypto/tls is not as tlsInput expects")
	}
	o := newOracle(t, true, h2Echo)
	for _, version := range []Version{HTTP1, HTTP2Offered} {
		c := newTestClient(t, nil)
		req := o.request("GET", "/size/300000")
		req.Version = version
		for i := range 3 {
			var res Response
			if got := do(t, c, req, &res); got != string(pattern(300000)) || res.Reused != (i > 0) {
				t.Errorf("%d bytes, reused %t", len(got), res.Reused)
			}
			var cn *conn
			if version == HTTP1 {
				cn = c.idle[0]
			} else {
				cn = c.share.all[0].cn
			}
			raw := (*bytes.Buffer)(unsafe.Add(unsafe.Pointer(cn.nc.(*tls.Conn)), tlsInput.raw))
			if raw.Cap() > largeInput {
				t.Errorf("a buffer of %d bytes is held", raw.Cap())
			}
		}
	}
}
