package http_test

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// squid is one with a proxy port and one in front of a server of ours.
type squid struct {
	dir           string
	proxy, server int
	read          int // of the log
}

const squidConf = `%[5]s
http_port 127.0.0.1:%[2]d
http_port 127.0.0.1:%[3]d accel defaultsite=localhost no-vhost
cache_peer 127.0.0.1 parent %[4]d 0 no-query originserver
acl login proxy_auth REQUIRED
http_access allow login
http_access deny all
cache deny all
cache_mem 8 MB
pinger_enable off
shutdown_lifetime 0 seconds
visible_hostname localhost
pid_filename %[1]s/squid.pid
cache_log %[1]s/cache.log
coredump_dir %[1]s
logformat short %%un %%>Hs %%rm %%>ha{Proxy-Authorization}%%>ha{Authorization}
access_log stdio:%[1]s/access.log short
cache_effective_user proxy
`

// The helpers check passwords; that of NTLM is Samba's.
var squidLogins = map[string]string{
	"ntlm": `auth_param ntlm program /usr/bin/ntlm_auth --helper-protocol=squid-2.5-ntlmssp --domain=CORP --username=ann --password=secret --configfile=%[1]s/smb.conf
auth_param ntlm children 2`,
	"digest": `auth_param digest program /usr/lib/squid/digest_file_auth -c %[1]s/digest
auth_param digest children 2
auth_param digest realm squid
auth_param digest nonce_max_count 2`,
	"basic": `auth_param basic program /usr/lib/squid/basic_ncsa_auth %[1]s/basic
auth_param basic children 2
auth_param basic realm squid`,
}

func startSquid(t *testing.T, kind string, origin int) *squid {
	t.Helper()
	dir := serviceDir(t)
	s := &squid{dir: dir, proxy: freePort(t), server: freePort(t)}
	hash := func(text string) []byte { sum := md5.Sum([]byte(text)); return sum[:] }
	writeFiles(t, dir, map[string]string{
		"squid.conf": fmt.Sprintf(squidConf, dir, s.proxy, s.server, origin, fmt.Sprintf(squidLogins[kind], dir)),
		"smb.conf":   fmt.Sprintf("[global]\nworkgroup = CORP\nnetbios name = BOX\nlock directory = %[1]s\nstate directory = %[1]s\ncache directory = %[1]s\nprivate dir = %[1]s\npid directory = %[1]s\n", dir),
		"digest":     fmt.Sprintf("ann:squid:%x\n", hash("ann:squid:secret")),
	})
	if kind == "basic" {
		writeFiles(t, dir, map[string]string{"basic": "ann:" + crypted(t, "secret") + "\n"})
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	startService(t, exec.Command(program(t, "squid"), "-N", "-f", dir+"/squid.conf"), s.proxy)
	return s
}

// crypted is a password as Apache's files have it.
func crypted(t *testing.T, password string) string {
	t.Helper()
	out, err := exec.Command(program(t, "openssl"), "passwd", "-apr1", password).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// talk is what the log says of each request: who, the status, the method, and
// what was sent: the type of an NTLM message, the count of a Digest.
func (s *squid) talk(t *testing.T) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(s.log(t)[s.read:]) {
		f := strings.Fields(strings.ReplaceAll(line, "%20", " "))
		if len(f) < 3 || f[1] == "0" { // somebody looked whether squid is there
			continue
		}
		said := "-"
		for i, word := range f {
			switch {
			case strings.HasSuffix(word, "NTLM"):
				m, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(f[i+1], "-"))
				said = fmt.Sprintf("ntlm%d", m[8])
			case strings.HasSuffix(word, "Basic"):
				said = "basic"
			case strings.HasPrefix(word, "nc="):
				said = strings.Trim(word, ",")
			}
		}
		out = append(out, f[1]+" "+f[2]+" "+said)
	}
	return strings.Join(out, "\n")
}

func (s *squid) log(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(s.dir + "/access.log")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func page(t *testing.T, secure bool) int {
	t.Helper()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "in") })
	start := httptest.NewServer
	if secure {
		start = httptest.NewTLSServer
	}
	s := start(h)
	t.Cleanup(s.Close)
	return s.Listener.Addr().(*net.TCPAddr).Port
}

// The requests are those that JMeter made of the same servers.
func TestLoginsOfSquid(t *testing.T) {
	plainPage, securePage := page(t, false), page(t, true)
	servers := map[string]*squid{}
	for kind := range squidLogins {
		servers[kind] = startSquid(t, kind, plainPage)
	}
	for _, c := range []struct {
		kind, password, url string // the URL says where it goes: proxy, tunnel, server
		mechanism           string // of a row for the server
		loops               int
		code                string
		talk                []string
	}{
		{"ntlm", "secret", "server", "BASIC", 3, "200", []string{"401 GET basic", "401 GET ntlm1", "200 GET ntlm3", "200 GET basic", "200 GET basic"}},
		{"ntlm", "secret", "server", "DIGEST", 2, "200", []string{"401 GET -", "401 GET ntlm1", "200 GET ntlm3", "200 GET -"}},
		{"ntlm", "wrong", "server", "DIGEST", 2, "401", []string{"401 GET -", "401 GET ntlm1", "401 GET ntlm3", "401 GET -", "401 GET ntlm1"}},
		{"ntlm", "secret", "proxy", "", 2, "200", []string{"407 GET -", "407 GET ntlm1", "200 GET ntlm3", "200 GET -"}},
		{"ntlm", "wrong", "proxy", "", 2, "407", []string{"407 GET -", "407 GET ntlm1", "407 GET ntlm3", "407 GET -"}},
		{"ntlm", "secret", "tunnel", "", 2, "200", []string{"407 CONNECT -", "407 CONNECT ntlm1", "200 CONNECT ntlm3"}},
		{"ntlm", "wrong", "tunnel", "", 2, "407", []string{"407 CONNECT -", "407 CONNECT ntlm1", "407 CONNECT ntlm3", "407 CONNECT -"}},
		{"digest", "secret", "proxy", "", 4, "200", []string{"407 GET -", "200 GET nc=00000001", "200 GET nc=00000002", "200 GET nc=00000003", "407 GET nc=00000004", "200 GET nc=00000001"}},
		{"digest", "wrong", "proxy", "", 2, "407", []string{"407 GET -", "407 GET nc=00000001", "407 GET -"}},
		{"digest", "secret", "tunnel", "", 2, "200", []string{"407 CONNECT -", "200 CONNECT nc=00000001"}},
		{"digest", "wrong", "tunnel", "", 2, "407", []string{"407 CONNECT -", "407 CONNECT nc=00000001", "407 CONNECT -"}},
		{"basic", "secret", "proxy", "", 2, "200", []string{"407 GET -", "200 GET basic", "200 GET basic"}},
		{"basic", "wrong", "proxy", "", 2, "407", []string{"407 GET -", "407 GET basic", "407 GET -"}},
		{"basic", "secret", "tunnel", "", 2, "200", []string{"407 CONNECT -", "200 CONNECT basic"}},
		{"basic", "wrong", "tunnel", "", 2, "407", []string{"407 CONNECT -", "407 CONNECT basic", "407 CONNECT -"}},
	} {
		name, _ := json.Marshal([]string{c.kind, c.url, c.password, c.mechanism})
		t.Run(string(name), func(t *testing.T) {
			s := servers[c.kind]
			s.read = len(s.log(t))
			p := plan{loops: c.loops, props: map[string]string{}, system: map[string]string{}}
			url := map[string]string{
				"server": fmt.Sprintf("http://127.0.0.1:%d/", s.server),
				"proxy":  fmt.Sprintf("http://127.0.0.1:%d/", plainPage),
				"tunnel": fmt.Sprintf("https://127.0.0.1:%d/", securePage),
			}[c.url]
			if c.mechanism != "" {
				p.body = element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list"><elementProp name="" elementType="Authorization">`+
					str("Authorization.url", "http")+str("Authorization.username", "ann")+str("Authorization.password", c.password)+str("Authorization.domain", "corp.example")+
					str("Authorization.mechanism", c.mechanism)+`</elementProp></collectionProp>`)
			} else {
				p.props["http.proxyUser"], p.props["http.proxyPass"] = "ann", c.password
				p.system["http.proxyHost"], p.system["http.proxyPort"] = "127.0.0.1", fmt.Sprint(s.proxy)
			}
			p.body += request("r", "GET", url)
			for _, row := range p.run(t) {
				if row["responseCode"] != c.code {
					t.Errorf("%v, want %s", row, c.code)
				}
			}
			want := strings.Join(c.talk, "\n")
			if got := eventually(func() string { return s.talk(t) }, want); got != want {
				t.Errorf("squid heard\n%s\nwant\n%s", got, want)
			}
		})
	}
}
