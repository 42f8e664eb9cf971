package http_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quic-go/quic-go/http3"
)

// versionServer is net/http's, with HTTP/2 over TLS and without.
func versionServer(t *testing.T, secure bool, h http.HandlerFunc) (url string, conns *atomic.Int32) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	conns = new(atomic.Int32)
	s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			conns.Add(1)
		}
	}
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetHTTP2(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	if secure {
		s.EnableHTTP2 = true
		s.TLS = &tls.Config{}
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s.URL, conns
}

func TestHTTP2Version(t *testing.T) {
	for _, test := range []struct {
		secure        bool
		value, proto  string
		message, body string
	}{
		{true, "", "HTTP/1.1", "OK", ""},
		{true, "1.1", "HTTP/1.1", "OK", ""},
		{true, "2", "HTTP/2.0", "", ""},
		{true, "2-prior-knowledge", "HTTP/2.0", "", ""},
		{false, "2", "HTTP/1.1", "OK", ""},
		{false, "2-prior-knowledge", "HTTP/2.0", "", ""},
	} {
		t.Run(fmt.Sprintf("%s secure %t", test.value, test.secure), func(t *testing.T) {
			var proto atomic.Value
			url, conns := versionServer(t, test.secure, func(w http.ResponseWriter, r *http.Request) {
				proto.Store(r.Proto)
				w.Header()["Date"] = nil
				w.Write([]byte("Hello world\n"))
			})
			props := map[string]string{}
			if test.value != "" {
				props["gojm.http.version"] = test.value
			}
			rows := plan{loops: 3, body: request("r", "GET", url+"/"), props: props}.run(t)
			if len(rows) != 3 {
				t.Fatalf("%d rows", len(rows))
			}
			for _, r := range rows {
				if r["success"] != "true" || r["responseCode"] != "200" || r["responseMessage"] != test.message {
					t.Errorf("row %v", r)
				}
			}
			if proto.Load() != test.proto || conns.Load() != 1 {
				t.Errorf("%v over %d connections, want %s", proto.Load(), conns.Load(), test.proto)
			}
		})
	}
}

// A sampler asks for HTTP/2 by its implementation; what it shows as sent is what
// was.
func TestHTTP2Implementation(t *testing.T) {
	url, conns := versionServer(t, true, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(r.Proto)) })
	body := request("two", "GET", url+"/", str("HTTPSampler.implementation", "HTTP/2")) + request("one", "GET", url+"/")
	out := plan{body: body}.text(t)
	for _, want := range []string{"HTTP/2.0</responseData>", "HTTP/1.1</responseData>", "HTTP/2 200\n", "HTTP/1.1 200 OK\n",
		`<requestHeader class="java.lang.String">host: ` + strings.TrimPrefix(url, "https://") + "\n</requestHeader>"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if conns.Load() != 2 {
		t.Errorf("%d connections", conns.Load())
	}
}

// What cannot be sent as it is is shown as in HTTP/1.1.
func TestHTTP2ShownHeaders(t *testing.T) {
	var sent atomic.Value
	url, _ := versionServer(t, true, func(w http.ResponseWriter, r *http.Request) { sent.Store(r.Header.Get("X-A")) })
	body := request("two", "GET", url+"/", str("HTTPSampler.implementation", "HTTP/2")) + headerManager("X-A", "ü€", "X-Lines", "a\nCookie: b", "Cookie", "ü")
	out := plan{body: body}.text(t)
	want := `<requestHeader class="java.lang.String">x-a: ü€` + "\nx-lines: a\nCookie: b\nhost: " + strings.TrimPrefix(url, "https://") + "\n</requestHeader>"
	if !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
	if sent.Load() != "\xfc?" {
		t.Errorf("sent %q", sent.Load())
	}
}

// Embedded resources come over the page's own connection, all at once.
func TestHTTP2EmbeddedResources(t *testing.T) {
	const images = 6
	arrived := make(chan bool, images)
	all := make(chan bool)
	go func() {
		for range images {
			<-arrived
		}
		close(all)
	}()
	url, conns := versionServer(t, true, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			arrived <- true
			<-all // none is answered before the last is asked for
			w.Header().Set("Content-Type", "image/png")
			w.Write([]byte(r.URL.Path))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		for i := range images {
			fmt.Fprintf(w, "<img src='/i%d.png'>", i)
		}
	})
	page := request("page", "GET", url+"/", boolean("HTTPSampler.image_parser", true), boolean("HTTPSampler.concurrentDwn", true))
	out := plan{body: page, props: map[string]string{"gojm.http.version": "2", "jmeter.save.saveservice.subresults": "true"}}.text(t)
	if n := strings.Count(out, `rc="200"`); n != images+2 {
		t.Errorf("%d results of 200, want %d:\n%s", n, images+2, out)
	}
	if n := strings.Count(out, "HTTP/2 200"); n < images+1 {
		t.Errorf("%d heads of HTTP/2", n)
	}
	if n := conns.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// http3Server is quic-go's.
func http3Server(t *testing.T, h http.HandlerFunc) (url string) {
	t.Helper()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true")
	lender := httptest.NewTLSServer(nil) // of its certificate
	lender.Close()
	s := &http3.Server{Handler: h, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: lender.TLS.Certificates})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(socket)
	}()
	t.Cleanup(func() {
		s.Close()
		socket.Close()
		<-ended
	})
	return "https://" + socket.LocalAddr().String()
}

// HTTP/3 by the property and by the implementation; http stays with HTTP/1.1.
func TestHTTP3Version(t *testing.T) {
	handle := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s of %d", r.Proto, r.Method, len(body))
	}
	url := http3Server(t, handle) + "/"
	plain, _ := versionServer(t, false, handle)
	for _, test := range []struct {
		props map[string]string
		body  string
		want  string
	}{
		{map[string]string{"gojm.http.version": "3"}, request("r", "POST", url), "HTTP/3.0 POST of "},
		{nil, request("r", "GET", url, str("HTTPSampler.implementation", "HTTP/3")), "HTTP/3.0 GET of 0"},
		{map[string]string{"gojm.http.version": "3"}, request("r", "GET", plain+"/"), "HTTP/1.1 GET of 0"},
	} {
		out := plan{body: test.body, props: test.props}.text(t)
		if !strings.Contains(out, ">"+test.want) || strings.HasPrefix(test.want, "HTTP/3") != strings.Contains(out, "HTTP/3 200\n") {
			t.Errorf("no %q in\n%s", test.want, out)
		}
	}
}

// A stop cuts short what several downloads of a page have on one connection.
func TestHeldStreams(t *testing.T) {
	const images = 6
	for _, version := range []string{"2", "3"} {
		held := make(chan bool, images)
		var open atomic.Int32
		handle := func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				w.Header().Set("Content-Type", "text/html")
				for i := range images {
					fmt.Fprintf(w, "<img src=%d>", i)
				}
				return
			}
			open.Add(1)
			defer open.Add(-1)
			fmt.Fprint(w, "begun")
			w.(http.Flusher).Flush()
			held <- true
			<-r.Context().Done() // the client has gone
		}
		url := ""
		if version == "2" {
			url, _ = versionServer(t, true, handle)
		} else {
			url = http3Server(t, handle)
		}
		page := request("page", "GET", url+"/", boolean("HTTPSampler.image_parser", true), boolean("HTTPSampler.concurrentDwn", true))
		compiled, out := plan{body: page, props: map[string]string{"gojm.http.version": version, "jmeter.save.saveservice.subresults": "true"}}.compile(t)
		run := compiled.Start()
		over := make(chan error, 1)
		go func() { over <- run.Run() }()
		for range images {
			<-held
		}
		run.Stop(true, "test")
		if err := <-over; err != nil {
			t.Error(err)
		}
		rows := readRows(t, out)
		if len(rows) != images+2 || rows[0]["success"] != "false" {
			t.Fatalf("HTTP/%s: %d rows, %v", version, len(rows), rows)
		}
		for _, row := range rows[2:] {
			if row["responseMessage"] != "Non HTTP response message: Socket closed" {
				t.Errorf("HTTP/%s: %v", version, row)
			}
		}
		if n := eventually(open.Load, 0); n != 0 {
			t.Errorf("HTTP/%s: %d streams are open", version, n)
		}
	}
}
