package http_test

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// What the Java implementation makes of odd answers, after each of which the server
// ends the connection: code, message and bytes are those of JMeter 5.6.3 with Java 17;
// bytes of a failed request, the length of a stack trace, are not compared.
func TestJavaAnswers(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("X-" + strconv.Itoa(i) + ": v\r\n")
		}
		return "HTTP/1.1 200 OK\r\n" + b.String() + "Content-Length: 2\r\n\r\nok"
	}
	long := func(n int) string { return "HTTP/1.1 200 OK\r\nX-H: " + strings.Repeat("a", n) + "\r\n\r\nok" }
	for _, c := range []struct {
		answer, code, message string
		bytes                 int
	}{
		{"HTTP/1.1 abc OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "java.lang.StringIndexOutOfBoundsException", "begin 0, end 3, length 2", 0},
		{"HTTP/1.1 abc\r\nContent-Length: 2\r\n\r\nok", "(null)", "HTTP/1.1 abc", 35},
		{"HTTP/1.1 abc Long reason\r\nContent-Length: 2\r\n\r\nok", "(null)", "Long reason", 47},
		{"HTTP/1.1 abc 404 x\r\nContent-Length: 2\r\n\r\nok", "404", "404 x", 41},
		{"HTTP/1.1 abc 200 x\r\nContent-Length: 2\r\n\r\nok", "200", "200 x", 41},
		{"HTTP/1.1  200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "200", "200 OK", 65},
		{"HTTP/1.1 200  OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "200", " OK", 67},
		{"HTTP/1.1 -5 Negative\r\nContent-Length: 2\r\n\r\nok", "-5", "Negative", 45},
		{"HTTP/1.1 -1 Negative\r\nContent-Length: 2\r\n\r\nok", "(null)", "Negative", 43},
		{"HTTP/1.1 +200 Plus\r\nContent-Length: 2\r\n\r\nok", "200", "Plus", 43},
		{"HTTP/1.1 1000 OK\r\nContent-Length: 2\r\n\r\nok", "java.net.SocketException", "Unexpected end of file from server", 0},
		{"HTTP/1.1 1000 OK\r\nContent-Length: 20\r\n\r\nok and some more text", "(null)", "unknown/unknown", 19},
		{"HTTP/1.1 1000 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "200", "OK", 66},
		{"HTTP/1.1 2000 Big\r\nContent-Length: 2\r\n\r\nok", "2000", "Big", 42},
		{"HTTP/1.1 3040 Big\r\nContent-Length: 2\r\n\r\nok", "3040", "Big", 42},
		{"HTTP/1.1 2040 Big\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "2040", "Big", 68},
		{"HTTP/1.1 101 Switch\r\nContent-Type: text/plain\r\n\r\nhi", "101", "Switch", 51},
		{"HTTP/1.1 099 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "99", "OK", 66},
		{"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "103", "Early", 96},
		{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "103", "Early", 50},
		{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok", "200", "OK", 66},
		{"HTTP/1.1 102 P\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok", "102", "P", 65},
		{"HTTP/1.1 200 OK\r\nX-F: a\r\n  b\r\n\tc\r\nContent-Length: 2\r\n\r\nok", "200", "OK", 53},
		{"HTTP/1.1 200 OK\r\n  more: x\r\nContent-Length: 2\r\n\r\nok", "200", "OK  more: x", 49},
		{"HTTP/1.1 200 OK\r\nX-F:\r\n b\r\nX-G: c\r\n \r\n d\r\nContent-Length: 2\r\n\r\nok", "200", "OK", 59},
		{"HTTP/1.1 200 OK\r\nContent-Length:\r\n  2\r\nX: y  \r\n\tz\t\r\n\r\nok", "200", "OK", 50},
		{"HTTP/1.1 200 OK\r\nX-F: a\rX-G: b\r\nContent-Length: 2\r\n\r\nok", "200", "OK", 56},
		{chunked + "10\r\nabc", "java.io.IOException", "Premature EOF", 0},
		{chunked, "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhello\r\n", "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhello", "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhelloXX\r\n0\r\n\r\n", "java.io.IOException", "missing CR", 0},
		{chunked + "5\r\nhello\n0\r\n\r\n", "java.io.IOException", "missing CR", 0},
		{chunked + "zz\r\nhello\r\n", "java.io.IOException", "Bogus chunk size", 0},
		{chunked + "-5\r\nhello\r\n0\r\n\r\n", "java.io.IOException", "Bogus chunk size", 0},
		{chunked + "5xyz\r\nhello\r\n0\r\n\r\n", "200", "OK", 78},
		{chunked + " 5\r\nhello\r\n0\r\n\r\n", "java.io.IOException", "Bogus chunk size", 0},
		{chunked + "5 \r\nhello\r\n0\r\n\r\n", "200", "OK", 78},
		{chunked + "ffffffffff\r\nhello\r\n0\r\n\r\n", "java.io.IOException", "Bogus chunk size", 0},
		{chunked + "ffffffff\r\nhello\r\n0\r\n\r\n", "java.io.IOException", "Bogus chunk size", 0},
		{chunked + "5\r\nhello\r\n0\r\n", "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhello\r\n0", "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhello\r\n0\r\nX-T: a", "java.io.IOException", "Premature EOF", 0},
		{chunked + "5\r\nhello\r\n0\r\nXT\r\n\r\n", "java.io.IOException", "Malformed tailer - format should be key:value", 0},
		{chunked + "5\r\nhello\r\n0\nX-T: a\n\n", "java.io.IOException", "LF should be proceeded by CR", 0},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("a", 3000) + "\r\nhello\r\n0\r\n\r\n", "java.io.IOException", "Chunk header too long", 0},
		{chunked + "5\nhello\r\n0\r\n\r\n", "200", "OK", 78},
		{chunked + "5", "java.io.IOException", "Premature EOF", 0},
		{many(20000), "java.net.ProtocolException", "Header size too big: 393217 > 393216", 0},
		{long(400000), "java.net.ProtocolException", "Header size too big: 393217 > 393216", 0},
		{long(393106), "200", "OK", 393134},
		{long(393134), "java.net.ProtocolException", "Header size too big: 393217 > 393216", 0},
	} {
		rows := plan{body: javaRequest(answerOnce(t, c.answer))}.run(t)
		code := strings.TrimPrefix(rows[0]["responseCode"], "Non HTTP response code: ")
		message := strings.TrimPrefix(rows[0]["responseMessage"], "Non HTTP response message: ")
		if code != c.code || message != c.message || c.bytes != 0 && rows[0]["bytes"] != strconv.Itoa(c.bytes) || rows[0]["label"] != "java" {
			t.Errorf("%.90q: %v, want %s, %s, %d bytes", c.answer, rows[0], c.code, c.message, c.bytes)
		}
	}
}

func javaRequest(url string) string {
	return element("HTTPSampler_", "HttpTestSampleGui", "java", str("HTTPSampler.path", url)+str("HTTPSampler.method", "GET")+
		boolean("HTTPSampler.use_keepalive", true))
}

// answerOnce answers each connection once, and closes it.
func answerOnce(t *testing.T, answer string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			for r := bufio.NewReader(c); ; {
				if line, err := r.ReadString('\n'); err != nil || line == "\r\n" {
					break
				}
			}
			io.WriteString(c, answer)
			c.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return "http://" + l.Addr().String() + "/"
}

// HttpClient resolves escapes in the name of a server, in Host as well, and names a
// connection to a proxy where the method is CONNECT; a source address is taken as it
// stands, and one of blanks is none.
func TestOddServers(t *testing.T) {
	var mu sync.Mutex
	var heads []string
	p := serve(t, func(head string, _ []byte) string {
		mu.Lock()
		defer mu.Unlock()
		heads = append(heads, head)
		return reply("200 OK", "")
	})
	_, port, _ := net.SplitHostPort(p.Addr().String())
	on := func(name, host, method string, more ...string) string {
		return request(name, method, "/", append(more, str("HTTPSampler.domain", host)+str("HTTPSampler.port", port))...)
	}
	rows := plan{body: on("escaped", "127%2e0.0.1", "GET") + on("name", "loc%61lhost", "GET") + on("one number", "2130706433", "GET") +
		on("connect", "127.0.0.1", "CONNECT") + on("blank source", "127.0.0.1", "GET", str("HTTPSampler.ipSource", " ")) +
		on("padded source", "127.0.0.1", "GET", str("HTTPSampler.ipSource", " 127.0.0.6 ")) +
		request("port", "GET", "/", str("HTTPSampler.domain", "127.0.0.1")+str("HTTPSampler.port", "-2"))}.run(t)
	for i, want := range []string{"200 OK", "200 OK", "200 OK", "200 OK", "200 OK",
		"Non HTTP response code: java.net.UnknownHostException Non HTTP response message:  127.0.0.6 : Name or service not known",
		"Non HTTP response code: java.net.MalformedURLException Non HTTP response message: Invalid port number :-2"} {
		if got := rows[i]["responseCode"] + " " + rows[i]["responseMessage"]; got != want {
			t.Errorf("%s: %s, want %s", rows[i]["label"], got, want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for i, want := range []string{"Host: 127.0.0.1:" + port, "Host: localhost:" + port, "Host: 2130706433:" + port, "Proxy-Connection: Keep-Alive"} {
		if i >= len(heads) || !strings.Contains(heads[i], "\r\n"+want+"\r\n") {
			t.Errorf("head %d of %q lacks %s", i, heads, want)
		}
	}
}
