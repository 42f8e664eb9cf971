package wire

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// FuzzHTTP2 lets a server of HTTP/2 say anything, in pieces of any size. The
// client comes to an end with a response or an *Error, and its counts agree
// with each other.
func FuzzHTTP2(f *testing.F) {
	talk := func(play func(w *http2.Framer, block func(pairs ...string) []byte)) []byte {
		var b bytes.Buffer
		w := http2.NewFramer(&b, nil)
		var fields bytes.Buffer
		enc := hpack.NewEncoder(&fields)
		w.WriteSettings()
		play(w, func(pairs ...string) []byte {
			fields.Reset()
			for i := 0; i < len(pairs); i += 2 {
				enc.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
			}
			return bytes.Clone(fields.Bytes())
		})
		return b.Bytes()
	}
	f.Add(talk(func(w *http2.Framer, block func(...string) []byte) {
		w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(":status", "200", "content-length", "4"), EndHeaders: true})
		w.WriteData(1, true, []byte("body"))
		w.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: block(":status", "404"), EndHeaders: true, EndStream: true})
	}), uint8(7))
	f.Add(talk(func(w *http2.Framer, block func(...string) []byte) {
		w.WritePing(false, [8]byte{})
		w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(":status", "103"), EndHeaders: true})
		w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(":status", "200", "content-encoding", "gzip"), PadLength: 3})
		w.WriteContinuation(1, true, block("x", "y"))
		w.WriteDataPadded(1, false, []byte{0x1f, 0x8b}, []byte{0})
		w.WriteWindowUpdate(0, 1)
		w.WriteRSTStream(1, http2.ErrCodeRefusedStream)
		w.WriteGoAway(0, http2.ErrCodeNo, []byte("text"))
	}), uint8(0))
	f.Fuzz(func(t *testing.T, reply []byte, piece uint8) {
		c := NewClient(&Options{MaxHead: 4 << 10, Resolver: noHosts{}})
		req := &Request{Method: "POST", Target: "/", Scheme: "http", Host: "host.invalid", KeepAlive: true, Version: HTTP2Known,
			Header: []byte("Host: host.invalid\r\n"), Body: make([]byte, 70000)}
		s := &script{data: reply, step: int(piece)}
		m := newMux(newConn(keyOf(req), s, s, 0), 4<<10)
		m.cn.expires = m.cn.dies
		c.newer()
		c.share.all = append(c.share.all, m)
		for range 2 { // the second one over the same connection, if it is still good
			var res Response
			k := Keep{Guard: 1 << 20}
			err := c.Do(req, &res, &k)
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if err == nil && (res.Status < 200 || res.BytesReceived < res.HeaderSize || res.BodyLength != int64(len(k.B))) {
				t.Fatalf("%+v", res)
			}
			if n := len(res.Head()); n > 8<<10 {
				t.Fatalf("a head of %d bytes", n)
			}
			if c.stream.m != nil || len(m.streams) != 0 || m.reader != nil || m.open != 0 {
				t.Fatalf("%+v, %+v", c.stream, m)
			}
		}
	})
}

// noHosts is a resolver that knows none.
type noHosts struct{}

func (noHosts) Lookup(context.Context, string) ([]Address, error) {
	return nil, unknownHost("host.invalid", nil)
}
