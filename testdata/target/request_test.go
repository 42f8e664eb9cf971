package target

import (
	"bufio"
	"strings"
	"testing"
)

func FuzzReadRequest(f *testing.F) {
	f.Add("GET /ok HTTP/1.1\r\nHost: h\r\n\r\n")
	f.Add("\r\nPOST /echo?a=%zz HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET")
	f.Add("PUT x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")
	f.Add("PUT x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n")
	f.Fuzz(func(t *testing.T, in string) {
		s := &Server{counters: map[string]int{}}
		br := bufio.NewReader(strings.NewReader(in))
		for {
			r, err := readRequest(br)
			if err != nil {
				return
			}
			if r.method == "" || !strings.Contains(in, r.head) {
				t.Fatalf("method %q, head %q, which does not stand in %q", r.method, r.head, in)
			}
			if resp := s.route(r); resp == nil || resp.cut > len(resp.body) {
				t.Fatalf("%s: no answer to %q", r.path, r.head)
			}
		}
	})
}
