package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"strings"
)

// TLS says how to speak TLS. It is shared by requests and must not change
// after first use; connections are kept for each TLS value.
type TLS struct {
	MinVersion, MaxVersion uint16   // 0: TLS 1.2 and the newest
	CipherSuites           []uint16 // nil: Go's choice; not for TLS 1.3
	// Certificate presents a client certificate; nil sends none.
	Certificate func(*tls.CertificateRequestInfo) (*tls.Certificate, error)
	// Verify checks the server's certificate by the system's roots, which
	// JMeter does not.
	Verify bool
	// NoResume makes every handshake a full one.
	NoResume bool
}

// maxSessions is how many servers a user can resume a session with.
const maxSessions = 16

// curves are those that JMeter offers, on a Java 17. Go has one against quantum
// computers beside them, whose keys make a handshake dear.
var curves = []tls.CurveID{tls.X25519, tls.CurveP256, tls.CurveP384, tls.CurveP521}

func (c *Client) tlsConfig(t *TLS, host string) *tls.Config {
	cfg := &tls.Config{ServerName: strings.Trim(host, "[]"), InsecureSkipVerify: true, MinVersion: tls.VersionTLS12, CurvePreferences: curves}
	if t != nil {
		cfg.InsecureSkipVerify = !t.Verify
		cfg.MaxVersion = t.MaxVersion
		cfg.CipherSuites = t.CipherSuites
		cfg.GetClientCertificate = t.Certificate
		if t.MinVersion != 0 {
			cfg.MinVersion = t.MinVersion
		}
	}
	if t == nil || !t.NoResume {
		if c.sessions == nil {
			c.sessions = tls.NewLRUClientSessionCache(maxSessions)
		}
		cfg.ClientSessionCache = c.sessions
	}
	return cfg
}

// handshake speaks TLS on cn from here on. As in JMeter it is the connect
// timeout that bounds it; without one it may take forever, whatever the
// response timeout. next are the protocols to offer, nil for HTTP/1.1 without
// saying so, as in JMeter.
func (c *Client) handshake(cn *conn, req *Request, host, where string, next []string) error {
	cfg := c.tlsConfig(req.TLS, host)
	cfg.NextProtos = next
	tc := tls.Client(cn.nc, cfg)
	err := cn.within(req.ConnectTimeout, tc.Handshake)
	if err == nil {
		cn.secure(tc)
		if next != nil && !cn.http2 {
			cn.http2 = tc.ConnectionState().NegotiatedProtocol == "h2"
		}
		return nil
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Class: classConnTimeout, Message: "Connect to " + where + " failed: Read timed out", Cause: err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Class: classHandshake, Message: "Remote host terminated the handshake", Cause: err}
	}
	e := readError(err)
	var op *net.OpError
	if e.Class == classSocket && !errors.As(err, &op) {
		// Neither an alert nor the socket: our own side gave up.
		return &Error{Class: classHandshake, Message: err.Error(), Cause: err}
	}
	return e
}

// tlsError names an alert of the server, or an answer that is not TLS; nil for
// any other error.
func tlsError(err error) *Error {
	var header tls.RecordHeaderError
	if errors.As(err, &header) {
		return &Error{Class: classSSL, Message: "Unsupported or unrecognized SSL message", Cause: err}
	}
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" {
		return nil
	}
	// The type of alerts is not exported; it is their number.
	v := reflect.ValueOf(op.Err)
	if v.Kind() != reflect.Uint8 {
		return &Error{Class: classSSL, Message: op.Err.Error(), Cause: err}
	}
	return alertError(uint8(v.Uint()), err)
}

// alertError names the alert n of the server.
func alertError(n uint8, err error) *Error {
	a, ok := alerts[n]
	if !ok {
		return &Error{Class: classSSL, Message: "Received fatal alert: UNKNOWN ALERT (" + grouped(int64(n)) + ")", Cause: err}
	}
	return &Error{Class: a.class, Message: "Received fatal alert: " + a.name, Cause: err}
}

// alerts has the names of RFC 8446, section 6, and the exceptions Java makes
// of them.
var alerts = map[uint8]struct{ name, class string }{
	10:  {"unexpected_message", "javax.net.ssl.SSLProtocolException"},
	20:  {"bad_record_mac", classSSL},
	21:  {"decryption_failed", classSSL},
	22:  {"record_overflow", classSSL},
	30:  {"decompression_failure", classSSL},
	40:  {"handshake_failure", classHandshake},
	41:  {"no_certificate", classHandshake},
	42:  {"bad_certificate", classHandshake},
	43:  {"unsupported_certificate", classHandshake},
	44:  {"certificate_revoked", classHandshake},
	45:  {"certificate_expired", classHandshake},
	46:  {"certificate_unknown", classHandshake},
	47:  {"illegal_parameter", classHandshake},
	48:  {"unknown_ca", classHandshake},
	49:  {"access_denied", classHandshake},
	50:  {"decode_error", classHandshake},
	51:  {"decrypt_error", classHandshake},
	60:  {"export_restriction", classHandshake},
	70:  {"protocol_version", classHandshake},
	71:  {"insufficient_security", classHandshake},
	80:  {"internal_error", classSSL},
	86:  {"inappropriate_fallback", classSSL},
	90:  {"user_canceled", classSSL},
	100: {"no_renegotiation", classHandshake},
	109: {"missing_extension", classHandshake},
	110: {"unsupported_extension", classHandshake},
	111: {"certificate_unobtainable", classHandshake},
	112: {"unrecognized_name", classHandshake},
	113: {"bad_certificate_status_response", classHandshake},
	114: {"bad_certificate_hash_value", classHandshake},
	115: {"unknown_psk_identity", classHandshake},
	116: {"certificate_required", classHandshake},
	120: {"no_application_protocol", classHandshake},
}
