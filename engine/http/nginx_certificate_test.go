package http_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// certifiedServers want client certificates that the test CA has issued: by TLS
// 1.2, by TLS 1.3, and on a connection that ends after each response.
const certifiedServers = `
	ssl_client_certificate ca.pem;
	server { listen 127.0.0.1:%d ssl http2; ssl_protocols TLSv1.2; ssl_verify_client on; location / { return 200 "$ssl_client_s_dn $ssl_protocol $server_protocol $ssl_session_reused"; } }
	server { listen 127.0.0.1:%d ssl http2; ssl_protocols TLSv1.3; ssl_verify_client on; location / { return 200 "$ssl_client_s_dn $ssl_protocol $server_protocol $ssl_session_reused"; } }
	server { listen 127.0.0.1:%d ssl; keepalive_timeout 0; ssl_session_cache shared:closed:1m; ssl_verify_client on; location = /page { default_type text/html; return 200 "<img src=1><img src=2><img src=3><img src=4><img src=5>"; } location / { return 200 "$ssl_client_s_dn $ssl_session_reused"; } }
}
`

// startCertified returns the ports of certifiedServers.
func startCertified(t *testing.T) (tls12, tls13, closed int) {
	t.Helper()
	ca, err := os.ReadFile("keystore/testdata/ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(nginxConfig, "\tserver {\n")
	startNginxWith(t, map[string][]byte{"ca.pem": ca}, func() (config string, secure int) {
		tls12, tls13, closed = freePort(t), freePort(t), freePort(t)
		return head + fmt.Sprintf(certifiedServers, tls12, tls13, closed), tls12
	})
	return tls12, tls13, closed
}

func keyStore(name, password string) map[string]string {
	return map[string]string{"javax.net.ssl.keyStore": "keystore/testdata/" + name, "javax.net.ssl.keyStorePassword": password}
}

func keystoreConfig(first, last, variable string) string {
	return element("KeystoreConfig", "TestBeanGUI", "Keystore", str("startIndex", first)+str("endIndex", last)+str("preload", "True")+str("clientCertAliasVarName", variable))
}

// aliases is a CSV Data Set of the variable alias.
func aliases(t *testing.T, names ...string) string {
	file := filepath.Join(t.TempDir(), "aliases.csv")
	if err := os.WriteFile(file, []byte(strings.Join(names, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return element("CSVDataSet", "TestBeanGUI", "aliases", str("filename", file)+str("variableNames", "alias")+str("delimiter", ",")+
		boolean("recycle", true)+boolean("stopThread", false)+str("shareMode", "shareMode.all"))
}

// sample is a result with its body.
type sample struct {
	Code    string `xml:"rc,attr"`
	Message string `xml:"rm,attr"`
	Body    string `xml:"responseData"`
}

// samples runs the plan and returns its results.
func (p plan) samples(t *testing.T) []sample {
	t.Helper()
	var results struct {
		Samples []sample `xml:"httpSample"`
	}
	if err := xml.Unmarshal([]byte(p.text(t)), &results); err != nil {
		t.Fatal(err)
	}
	return results.Samples
}

// String is the body of a good sample, and else what is wrong.
func (s sample) String() string {
	if s.Code == "200" {
		return s.Body
	}
	if class, ok := strings.CutPrefix(s.Code, "Non HTTP response code: "); ok {
		return class + ": " + strings.TrimPrefix(s.Message, "Non HTTP response message: ")
	}
	_, title, _ := strings.Cut(s.Body, "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	return s.Code + " " + s.Message + ": " + title
}

const (
	noCertificate = "400 Bad Request: 400 No required SSL certificate was sent"
	noKey         = "javax.net.ssl.SSLException: No PrivateKey found for alias:'nosuch'"
)

// The rows against nginx are those of JMeter 5.6.3, which was asked the same.
func TestNginxClientCertificates(t *testing.T) {
	tls12, tls13, closed := startCertified(t)
	old, newest := fmt.Sprintf("https://127.0.0.1:%d/", tls12), fmt.Sprintf("https://127.0.0.1:%d/", tls13)
	both := request("old", "GET", old) + request("new", "GET", newest)
	once := request("closed", "GET", fmt.Sprintf("https://127.0.0.1:%d/", closed))
	http2 := str("HTTPSampler.implementation", "HTTP/2")
	for _, test := range []struct {
		name   string
		plan   plan
		bodies []string
	}{
		{"none", plan{body: both}, []string{noCertificate, noCertificate}},
		{"first", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), body: both}, []string{
			"CN=kappa,O=Testers TLSv1.2 HTTP/1.1 .", "CN=kappa,O=Testers TLSv1.3 HTTP/1.1 .",
			"CN=kappa,O=Testers TLSv1.2 HTTP/1.1 .", "CN=kappa,O=Testers TLSv1.3 HTTP/1.1 .",
		}},
		{"in turn", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), body: keystoreConfig("0", "-1", "") + both}, []string{
			"CN=kappa,O=Testers TLSv1.2 HTTP/1.1 .", "CN=alpha,O=Testers TLSv1.3 HTTP/1.1 .",
			"CN=omega,O=Testers TLSv1.2 HTTP/1.1 .", "CN=kappa,O=Testers TLSv1.3 HTTP/1.1 .",
		}},
		{"range", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), body: keystoreConfig("1", "9", "") + both}, []string{
			"CN=alpha,O=Testers TLSv1.2 HTTP/1.1 .", "CN=omega,O=Testers TLSv1.3 HTTP/1.1 .",
			"CN=alpha,O=Testers TLSv1.2 HTTP/1.1 .", "CN=omega,O=Testers TLSv1.3 HTTP/1.1 .",
		}},
		{"JKS", plan{system: keyStore("two.jks", "changeit"), body: keystoreConfig("", "", "") + both}, []string{
			"CN=gamma,O=Testers TLSv1.2 HTTP/1.1 .", "CN=beta,O=Testers TLSv1.3 HTTP/1.1 .",
		}},
		{"alias", plan{loops: 4, newUser: true, system: keyStore("three.p12", "changeit"), body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "kappa", "nosuch", "omega") + both}, []string{
			"CN=alpha,O=Testers TLSv1.2 HTTP/1.1 .", "CN=alpha,O=Testers TLSv1.3 HTTP/1.1 .",
			"CN=kappa,O=Testers TLSv1.2 HTTP/1.1 .", "CN=kappa,O=Testers TLSv1.3 HTTP/1.1 .",
			noKey, noKey,
			"CN=omega,O=Testers TLSv1.2 HTTP/1.1 .", "CN=omega,O=Testers TLSv1.3 HTTP/1.1 .",
		}},
		{"alias without a store", plan{body: keystoreConfig("0", "-1", "alias") + aliases(t, "nosuch") + both}, []string{noKey, noKey}},
		{"no alias", plan{system: keyStore("one.p12", "changeit"), body: keystoreConfig("0", "-1", "alias") + both}, []string{
			"javax.net.ssl.SSLException: No var called 'alias' found", "javax.net.ssl.SSLException: No var called 'alias' found",
		}},
		// One user keeps connections and sessions, and with them the certificate.
		{"same user", plan{loops: 2, system: keyStore("three.p12", "changeit"), body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "kappa") + once + request("old", "GET", old)}, []string{
			"CN=alpha,O=Testers .", "CN=alpha,O=Testers TLSv1.2 HTTP/1.1 .",
			"CN=alpha,O=Testers r", "CN=alpha,O=Testers TLSv1.2 HTTP/1.1 .",
		}},
		{"new user", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "kappa") + once}, []string{
			"CN=alpha,O=Testers .", "CN=kappa,O=Testers .",
		}},
		{"shared sessions", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), props: map[string]string{"https.sessioncontext.shared": "true"},
			body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "kappa") + once}, []string{
			"CN=alpha,O=Testers .", "CN=alpha,O=Testers r",
		}},
		{"HTTP/2", plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "nosuch") +
			request("old", "GET", old, http2) + request("new", "GET", newest, http2)}, []string{
			"CN=alpha,O=Testers TLSv1.2 HTTP/2.0 .", "CN=alpha,O=Testers TLSv1.3 HTTP/2.0 .", noKey, noKey,
		}},
		{"versions", plan{props: map[string]string{"https.socket.protocols": "TLSv1.2"}, body: both}, []string{
			noCertificate, "javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version",
		}},
		{"context", plan{props: map[string]string{"https.default.protocol": "TLSv1.2"}, body: both}, []string{
			noCertificate, "javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version",
		}},
		{"new suites", plan{props: map[string]string{"https.cipherSuites": "TLS_AES_128_GCM_SHA256"}, body: both}, []string{
			"javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version", noCertificate,
		}},
		{"old suites", plan{props: map[string]string{"https.socket.ciphers": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"}, body: both}, []string{
			noCertificate, "javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, s := range test.plan.samples(t) {
				got = append(got, s.String())
			}
			if strings.Join(got, "\n") != strings.Join(test.bodies, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.bodies, "\n"))
			}
		})
	}
}

// Those who download at once for a user present that user's certificate.
func TestNginxCertificatesOfParts(t *testing.T) {
	_, _, closed := startCertified(t)
	p := plan{loops: 2, newUser: true, system: keyStore("three.p12", "changeit"), format: "xml", body: keystoreConfig("0", "-1", "alias") + aliases(t, "alpha", "omega") +
		request("page", "GET", fmt.Sprintf("https://127.0.0.1:%d/page", closed), boolean("HTTPSampler.image_parser", true), boolean("HTTPSampler.concurrentDwn", true))}
	var results struct {
		Samples []struct {
			Parts []sample `xml:"httpSample"`
		} `xml:"httpSample"`
	}
	if err := xml.Unmarshal([]byte(p.text(t)), &results); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"alpha", "omega"} {
		parts := results.Samples[i].Parts
		if len(parts) != 6 {
			t.Fatalf("%d parts, want the page and 5 images", len(parts))
		}
		for _, part := range parts[1:] {
			if !strings.HasPrefix(part.String(), "CN="+name+",O=Testers ") {
				t.Errorf("part %s, want that of %s", part, name)
			}
		}
	}
}

// A key store that cannot be read stops the run before it starts.
func TestKeyStoreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		system map[string]string
		props  map[string]string
		config string
		want   string
	}{
		{"password", keyStore("three.p12", "wrong"), nil, "", "property javax.net.ssl.keyStore: keystore/testdata/three.p12: the password is wrong, or the file is damaged"},
		{"no password", map[string]string{"javax.net.ssl.keyStore": "keystore/testdata/three.p12"}, nil, "", "damaged (javax.net.ssl.keyStorePassword is not set)"},
		{"file", keyStore("absent.p12", "changeit"), nil, "", "property javax.net.ssl.keyStore: keystore/testdata/absent.p12: no such file or directory"},
		{"type", map[string]string{"javax.net.ssl.keyStore": "keystore/testdata/three.p12", "javax.net.ssl.keyStoreType": "BKS"}, nil, "", "property javax.net.ssl.keyStoreType: BKS is not supported, only PKCS12, JKS and JCEKS"},
		{"range", nil, nil, keystoreConfig("2", "1", ""), "value startIndex: 2 is more than endIndex, 1"},
		{"range by property", nil, map[string]string{"https.keyStoreEndIndex": "1"}, keystoreConfig("2", "", ""), "value startIndex: 2 is more than endIndex, 1"},
		{"negative", nil, nil, keystoreConfig("-1", "", ""), "value startIndex: -1 is less than 0"},
		{"context", nil, map[string]string{"https.default.protocol": "FOO"}, "", `value https.default.protocol: "FOO" is no protocol that Java knows`},
		{"versions", nil, map[string]string{"https.socket.protocols": "TLSv9"}, "", "property https.socket.protocols: none of TLSv9 is known"},
		{"SSL", nil, map[string]string{"https.socket.protocols": "SSLv3"}, "", "property https.socket.protocols: SSL is not supported"},
		{"suites", nil, map[string]string{"https.cipherSuites": "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"}, "", "property https.cipherSuites: none of TLS_DHE_RSA_WITH_AES_128_GCM_SHA256 is supported"},
	} {
		p := plan{system: test.system, props: test.props, body: test.config + request("r", "GET", "https://127.0.0.1:1/")}
		if got := p.refused(t); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	// These are found out when the keys are read, ahead of the first thread.
	for _, test := range []struct{ name, store, config, want string }{
		{"key password", "otherkey.jks", "", `javax.net.ssl.keyStore: keystore/testdata/otherkey.jks: key "one": the password is wrong, or the file is damaged`},
		{"beyond", "one.p12", keystoreConfig("1", "2", ""), "javax.net.ssl.keyStore: keystore/testdata/one.p12: no key from number 1 on, it has 1"},
	} {
		p := plan{system: keyStore(test.store, "changeit"), body: test.config + request("r", "GET", "https://127.0.0.1:1/")}
		compiled, _ := p.compile(t)
		if err := compiled.Start().Run(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}
