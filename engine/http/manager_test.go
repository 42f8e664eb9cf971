package http_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// NTLM is a dialogue on one connection (MS-NTHT).
func TestNTLM(t *testing.T) {
	challenge := make([]byte, 56)
	copy(challenge, "NTLMSSP\x00")
	binary.LittleEndian.PutUint32(challenge[8:], 2)           // type
	binary.LittleEndian.PutUint32(challenge[16:], 56)         // target name: empty, at the end
	binary.LittleEndian.PutUint32(challenge[20:], 0x00800201) // unicode, NTLM, target info
	copy(challenge[24:], "12345678")
	binary.LittleEndian.PutUint32(challenge[44:], 56) // target info: empty
	var steps []string
	peer := ""
	p := serve(t, func(head string, _ []byte) string {
		if from := value(head, "X-Peer"); peer == "" {
			peer = from
		} else if from != peer {
			steps = append(steps, "other connection")
		}
		token, ok := strings.CutPrefix(value(head, "Authorization"), "NTLM ")
		m, err := base64.StdEncoding.DecodeString(token)
		switch {
		case !ok:
			steps = append(steps, "asked")
			return reply("401 Unauthorized", "", "WWW-Authenticate: NTLM", "WWW-Authenticate: Basic realm=\"x\"")
		case err != nil || len(m) < 12 || string(m[:8]) != "NTLMSSP\x00":
			return reply("400 Bad Request", "")
		case m[8] == 1:
			steps = append(steps, "negotiate")
			return reply("401 Unauthorized", "", "WWW-Authenticate: NTLM "+base64.StdEncoding.EncodeToString(challenge))
		}
		steps = append(steps, "authenticate")
		if !strings.Contains(strings.ReplaceAll(string(m), "\x00", ""), "ann") {
			return reply("403 Forbidden", "")
		}
		return reply("200 OK", "in")
	})
	auth := element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list"><elementProp name="" elementType="Authorization">`+
		str("Authorization.url", p.url("/"))+str("Authorization.username", "ann")+str("Authorization.password", "secret")+str("Authorization.domain", "corp")+str("Authorization.realm", "")+
		str("Authorization.mechanism", "DIGEST")+`</elementProp></collectionProp>`)
	rows := plan{body: auth + request("r", "GET", p.url("/x"))}.run(t)
	if got := strings.Join(steps, " "); rows[0]["responseCode"] != "200" || got != "asked negotiate authenticate" {
		t.Errorf("%s: %v", got, rows[0])
	}
}

// dnsServer answers every question with 127.0.0.1, but for names that begin
// with "no".
func dnsServer(t *testing.T) (addr string, asked func() []string) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var names []string
	done := make(chan struct{})
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			q := m.Questions[0]
			mu.Lock()
			names = append(names, q.Name.String())
			mu.Unlock()
			m.Response, m.Additionals = true, nil
			if strings.HasPrefix(q.Name.String(), "no") {
				m.RCode = dnsmessage.RCodeNameError
			} else {
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: 60},
					Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
			}
			out, err := m.Pack()
			if err == nil {
				conn.WriteTo(out, from)
			}
		}
	}()
	return conn.LocalAddr().String(), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(names)
	}
}

func TestCustomDNSServers(t *testing.T) {
	server, asked := dnsServer(t)
	p := serve(t, func(string, []byte) string { return reply("200 OK", "", "Connection: close") })
	_, port, _ := strings.Cut(p.Addr().String(), ":")
	dns := element("DNSCacheManager", "DNSCachePanel", "d", boolean("DNSCacheManager.isCustomResolver", true)+boolean("DNSCacheManager.clearEachIteration", true)+
		fmt.Sprintf(`<collectionProp name="DNSCacheManager.servers"><stringProp name="1">%s</stringProp></collectionProp>`, server))
	rows := plan{loops: 2, body: dns + request("a", "GET", "http://shop.test:"+port+"/") + request("b", "GET", "http://shop.test:"+port+"/") + request("c", "GET", "http://no.test:"+port+"/")}.run(t)
	if len(rows) != 6 || rows[0]["responseCode"] != "200" || rows[1]["responseCode"] != "200" || rows[2]["responseMessage"] != "Non HTTP response message: Failed to resolve host name: no.test" {
		t.Errorf("%v", rows)
	}
	shop := 0
	for _, a := range asked() {
		if a == "shop.test." {
			shop++
		}
	}
	if shop != 2 { // once an iteration
		t.Errorf("asked %v", asked())
	}
}

// Of several managers the outermost cookie manager and the nearest default
// count, and header managers join.
func TestScopes(t *testing.T) {
	var got string
	p := serve(t, func(head string, _ []byte) string {
		got = value(head, "A") + " " + value(head, "B") + " " + value(head, "Cookie")
		return reply("200 OK", "")
	})
	host, port, _ := strings.Cut(p.Addr().String(), ":")
	defaults := func(path string) string {
		return element("ConfigTestElement", "HttpDefaultsGui", "d", str("HTTPSampler.domain", host)+str("HTTPSampler.port", port)+str("HTTPSampler.path", path))
	}
	cookies := func(value string) string {
		return element("CookieManager", "CookiePanel", "c", `<collectionProp name="CookieManager.cookies"><elementProp name="k" elementType="Cookie" testname="k">`+
			str("Cookie.value", value)+str("Cookie.domain", host)+str("Cookie.path", "/")+`</elementProp></collectionProp>`)
	}
	rows := plan{body: defaults("/outer") + cookies("outer") + headerManager("a", "outer", "b", "outer") +
		element("GenericController", "LogicControllerGui", "c", "", defaults("/inner"), cookies("inner"), headerManager("A", "inner"),
			element("HTTPSamplerProxy", "HttpTestSampleGui", "r", str("HTTPSampler.path", "")+str("HTTPSampler.method", "GET")))}.run(t)
	if want := "inner outer k=outer"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if want := p.url("/inner"); rows[0]["URL"] != want {
		t.Errorf("%s, want %s", rows[0]["URL"], want)
	}
}

// What names come to was seen on JMeter 5.6.3: custom servers are asked for
// whatever the hosts file has, too, one that has no address leaves none, and no
// address at all is this machine.
func TestOddDNS(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("200 OK", "") })
	_, port, _ := net.SplitHostPort(p.Addr().String())
	manager := func(server string) string {
		return element("DNSCacheManager", "DNSCachePanel", "d", `<collectionProp name="DNSCacheManager.servers">`+str("s", server)+`</collectionProp>`+
			`<collectionProp name="DNSCacheManager.hosts"><elementProp name="h" elementType="StaticHost">`+str("StaticHost.Name", "here.test")+str("StaticHost.Address", "")+`</elementProp></collectionProp>`+
			boolean("DNSCacheManager.isCustomResolver", true))
	}
	closed, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, c := range []struct{ server, host, want string }{
		{closed.LocalAddr().String(), "localhost", "Non HTTP response message: Failed to resolve host name: localhost"},
		{"no.such.server.invalid", "localhost", "Non HTTP response message: Could not resolve host:localhost, failed to initialize resolver or no resolver found"},
		{closed.LocalAddr().String(), "here.test", "OK"},
	} {
		rows := plan{body: manager(c.server) + request("r", "GET", "http://"+c.host+":"+port+"/")}.run(t)
		if got := rows[0]["responseMessage"]; got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.host, c.server, got, c.want)
		}
	}
}

// Seen on JMeter 5.6.3: lists are parted as Java's split parts them, addresses of a
// list have no name, the system is the last to be asked for what stands in one, and
// the list knows addresses too.
func TestStaticHosts(t *testing.T) {
	server, _ := dnsServer(t)
	p := serve(t, func(string, []byte) string { return reply("200 OK", "", "Connection: close") })
	_, port, _ := net.SplitHostPort(p.Addr().String())
	for _, c := range []struct{ host, addresses, server, want string }{
		{"a.test", "127.0.0.2 , 127.0.0.1", "", "OK"},
		{"a.test", "127.1", "", "OK"},
		{"a.test", "127.0.0.2,,127.0.0.3", "", "OK"},
		{"a.test", "127.0.0.2,", "", "Connect to a.test:" + port + " [/127.0.0.2] failed: Connection refused"},
		{"a.test", "[::1],127.0.0.2", "", "Connect to a.test:" + port + " [/0:0:0:0:0:0:0:1, /127.0.0.2] failed: Connection refused"},
		{"a.test", ",", "", "Connection is closed"},
		{"a.test", " 127.0.0.1", "", "Connection is closed"},
		{"127.0.0.7", "127.0.0.1", "", "OK"},
		{"a.test", "localhost", "", "OK"},
		{"a.test", "shop.test", server, "OK"},
		{"a.test", "no.test,127.0.0.1", server, "OK"},
		{"x.test", "", server, "OK"}, // of another name
	} {
		host := "a.test"
		if c.host == "127.0.0.7" {
			host = c.host
		}
		manager := element("DNSCacheManager", "DNSCachePanel", "d", `<collectionProp name="DNSCacheManager.servers">`+str("s", c.server)+`</collectionProp>`+
			`<collectionProp name="DNSCacheManager.hosts"><elementProp name="h" elementType="StaticHost">`+str("StaticHost.Name", c.host)+str("StaticHost.Address", c.addresses)+`</elementProp></collectionProp>`+
			boolean("DNSCacheManager.isCustomResolver", c.server != ""))
		rows := plan{body: manager + request("r", "GET", "http://"+host+":"+port+"/")}.run(t)
		if got := strings.TrimPrefix(rows[0]["responseMessage"], "Non HTTP response message: "); got != c.want {
			t.Errorf("%s at %q by %q: %s, want %s", c.host, c.addresses, c.server, got, c.want)
		}
	}
}
