package http_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// An HTTPSampler_ has connections of its own: it asks once more when a server
// ends one without an answer, and a new user does not end them.
func TestJavaConnections(t *testing.T) {
	var mu sync.Mutex
	peers, drops := map[string]string{}, 0
	p := serve(t, func(head string, _ []byte) string {
		mu.Lock()
		defer mu.Unlock()
		line, rest, _ := strings.Cut(head, "\r\n")
		_, from, _ := strings.Cut(rest, "X-Peer: ")
		switch path := strings.Fields(line)[1]; path {
		case "/drop":
			drops++
			return ""
		case "/drop-once":
			if drops++; drops%2 == 1 {
				return ""
			}
			return reply("200 OK", "second time")
		default:
			if was := peers[path]; was != "" && was != from {
				peers[path] = "several"
			} else {
				peers[path] = from
			}
			return reply("200 OK", "ok")
		}
	})
	java := func(name, path string, more ...string) string {
		return element("HTTPSampler_", "HttpTestSampleGui", name, str("HTTPSampler.path", p.url(path))+str("HTTPSampler.method", "GET")+
			boolean("HTTPSampler.use_keepalive", true)+strings.Join(more, ""))
	}
	rows := plan{loops: 3, newUser: true, body: java("java", "/java") + request("other", "GET", p.url("/other"))}.run(t)
	for _, r := range rows {
		if r["responseCode"] != "200" {
			t.Errorf("row %v", r)
		}
	}
	mu.Lock()
	if peers["/java"] == "several" || peers["/other"] != "several" || peers["/java"] == peers["/other"] {
		t.Errorf("connections %v, want one for all users of the Java implementation", peers)
	}
	mu.Unlock()
	asked := func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		n, drops = drops, 0
		return n
	}

	rows = plan{body: java("gone", "/drop")}.run(t)
	if n := asked(); n != 2 || rows[0]["responseCode"] != "Non HTTP response code: java.net.SocketException" || rows[0]["responseMessage"] != "Non HTTP response message: Unexpected end of file from server" {
		t.Errorf("asked %d times, want 2: %v", n, rows[0])
	}
	rows = plan{body: java("late", "/drop-once", str("HTTPSampler.method", "POST"))}.run(t)
	if n := asked(); n != 2 || rows[0]["responseCode"] != "200" {
		t.Errorf("asked %d times, want 2: %v", n, rows[0])
	}
}

// HttpURLConnection sends headers in UTF-8, and fails with those that are none.
func TestJavaHeaders(t *testing.T) {
	var sent atomic.Value
	p := serve(t, func(head string, _ []byte) string {
		sent.Store(head)
		return reply("200 OK", "")
	})
	for _, test := range []struct{ name, value, fails string }{
		{"X-ü", "ü€", ""},
		{"X-Folded", "a\n b", ""},
		{"X-Lines", "a\nb", "Illegal character(s) in message header value: a\nb"},
		{"X-Lines", "a\n", "Illegal character(s) in message header value: a\n"},
		{"X:Y", "a", "Illegal character(s) in message header field: X:Y"},
	} {
		sampler := request("java", "GET", p.url("/"), str("HTTPSampler.implementation", "Java")) + headerManager(test.name, test.value)
		r := plan{body: sampler}.run(t)[0]
		if line := test.name + ": " + test.value + "\r\n"; test.fails == "" && !strings.Contains(sent.Load().(string), line) {
			t.Errorf("no %q in %q", line, sent.Load())
		}
		if test.fails == "" && r["responseCode"] != "200" || test.fails != "" && (r["responseMessage"] != "Non HTTP response message: "+test.fails || r["responseCode"] != "Non HTTP response code: java.lang.IllegalArgumentException") {
			t.Errorf("%s: %q: row %v", test.name, test.value, r)
		}
	}
}
