package function

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__UUID", Title: "a random UUID",
		Compile: func(*expr.Call) (expr.Eval, error) { return appendUUID, nil },
	})
}

// appendUUID appends a UUID of version 4 (RFC 9562, section 5.4).
func appendUUID(dst []byte, t *vu.Thread) []byte {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], t.Rand.Uint64())
	binary.BigEndian.PutUint64(b[8:], t.Rand.Uint64())
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	at := 0
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, b[at:at+n])
		at += n
	}
	return dst
}
