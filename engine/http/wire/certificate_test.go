package wire

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"net/http"
	"testing"
	"time"
)

// oddCertificate has an extension of that number (2.5.29.n) and DER, which Go would
// neither make nor, maybe, read.
func oddCertificate(t testing.TB, n int, der string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(5), NotAfter: time.Now().Add(time.Hour)}
	if der != "" {
		template.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, n}, Value: []byte(der)}}
	}
	raw, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

// negativeCertificate has the serial number -5. Its signature is then wrong, which
// nobody looks at.
func negativeCertificate(t testing.TB) tls.Certificate {
	t.Helper()
	c := oddCertificate(t, 0, "")
	const before = "\xa0\x03\x02\x01\x02\x02\x01" // the version, and an INTEGER of one byte
	at := bytes.Index(c.Certificate[0], []byte(before+"\x05"))
	if at < 0 {
		t.Fatal("no serial number")
	}
	c.Certificate[0][at+len(before)] = 0xFB
	return c
}

// Certificates that Go would not read are read where it can be told to, and named
// where it cannot.
func TestTLSOddCertificates(t *testing.T) {
	const unread = "The server's certificate cannot be read: "
	for _, test := range []struct {
		name        string
		certificate tls.Certificate
		message     string // of the failure, "" for none
	}{
		{"negative serial number", negativeCertificate(t), ""},
		{"name in UTF-8", oddCertificate(t, 17, "\x30\x08\x82\x06b\xc3\xbc.de"), unread + "SAN dNSName is malformed"},
		{"URI", oddCertificate(t, 17, "\x30\x0d\x86\x0bhttp://[bad"), unread + `cannot parse URI "http://[bad": parse "http://[bad": missing ']' in host`},
		{"name constraint in UTF-8", oddCertificate(t, 30, "\x30\x0b\xa0\x09\x30\x07\x82\x05\xc3\xbc.de"), unread + `invalid constraint value: "ü.de" cannot be encoded as an IA5String`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg := &tls.Config{Certificates: []tls.Certificate{test.certificate}}
			p := serve(t, "", overTLS(cfg, nth("")))
			s := newH3(t, cfg.Clone(), func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("request 1")) })
			for _, req := range []*Request{p.getTLS("/"), s.request("GET", "/")} {
				c := newTestClient(t, nil)
				var res Response
				if test.message == "" {
					expect(t, do(t, c, req, &res), "request 1")
					continue
				}
				fails(t, c, req, &res, classHandshake, test.message)
			}
		})
	}
}
