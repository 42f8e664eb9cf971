package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// TLS says how to speak TLS. It is shared by requests and must not change
// after first use; connections are kept for each TLS value.
type TLS struct {
	MinVersion, MaxVersion uint16   // 0: TLS 1.2 and the newest
	CipherSuites           []uint16 // nil: those of Java that Go has; not for TLS 1.3
	// Sessions are shared by all clients, and outlast their Reset; nil gives
	// each client its own.
	Sessions tls.ClientSessionCache
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

// javaSuites are the cipher suites before TLS 1.3 that Java offers by default,
// as far as Go has them: no RC4 and no triple DES, but key exchange by RSA, with
// which Go leaves a server alone that knows nothing better.
var javaSuites = func() (ids []uint16) {
	for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
		for _, s := range list {
			if !strings.Contains(s.Name, "_RC4_") && !strings.Contains(s.Name, "_3DES_") {
				ids = append(ids, s.ID)
			}
		}
	}
	return ids
}()

func (c *Client) tlsConfig(t *TLS, host string, port int) *tls.Config {
	cfg := &tls.Config{
		ServerName: serverName(host), InsecureSkipVerify: true, MinVersion: tls.VersionTLS12,
		CipherSuites: javaSuites, CurvePreferences: curves, GetClientCertificate: c.Certificate,
	}
	sessions := c.sessions
	if t != nil {
		if t.Verify {
			cfg.InsecureSkipVerify, cfg.ServerName = false, strings.Trim(host, "[]")
		}
		cfg.MaxVersion = t.MaxVersion
		if t.CipherSuites != nil {
			cfg.CipherSuites = t.CipherSuites
		}
		if t.MinVersion != 0 {
			cfg.MinVersion = t.MinVersion
		}
		if t.Sessions != nil {
			sessions = t.Sessions
		}
		if t.NoResume {
			return cfg
		}
	}
	if sessions == nil {
		c.sessions = tls.NewLRUClientSessionCache(maxSessions)
		sessions = c.sessions
	}
	cfg.ClientSessionCache = placeSessions{sessions, net.JoinHostPort(host, strconv.Itoa(port))}
	return cfg
}

// serverName is what Java tells a server of its name: only names with a dot
// inside, and no addresses.
func serverName(host string) string {
	if _, address := Literal(host); address || strings.IndexByte(host, '.') < 1 || strings.HasSuffix(host, ".") {
		return ""
	}
	return host
}

// placeSessions finds sessions by host and port, as Java does. For Go a name is
// one server on whatever port.
type placeSessions struct {
	tls.ClientSessionCache
	place string
}

func (s placeSessions) Get(string) (*tls.ClientSessionState, bool) {
	return s.ClientSessionCache.Get(s.place)
}

func (s placeSessions) Put(_ string, state *tls.ClientSessionState) {
	s.ClientSessionCache.Put(s.place, state)
}

// handshake speaks TLS on cn from here on. As in JMeter it is the connect
// timeout that bounds it; without one it is the response timeout, where JMeter
// waits for ever. next are the protocols to offer, nil for HTTP/1.1 without
// saying so, as in JMeter.
func (c *Client) handshake(cn *conn, req *Request, host string, port int, where string, next []string) error {
	cfg := c.tlsConfig(req.TLS, host, port)
	cfg.NextProtos = next
	tc := tls.Client(cn.nc, cfg)
	err := cn.within(req.patience(), tc.Handshake)
	if err == nil {
		cn.secure(tc)
		if next != nil && !cn.http2 {
			cn.http2 = tc.ConnectionState().NegotiatedProtocol == "h2"
		}
		return nil
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && (req.ConnectTimeout <= 0 || c.options.URLConnection):
		return readError(err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Class: classConnTimeout, Message: "Connect to " + where + " failed: Read timed out", Cause: err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{Class: classHandshake, Message: "Remote host terminated the handshake", Cause: err}
	}
	e := readError(err)
	if e.Class == classSocket && e.Cause == err {
		// Neither an alert nor the socket: our own side gave up.
		var op *net.OpError
		switch {
		case !errors.As(err, &op):
			return &Error{Class: classHandshake, Message: gaveUp(err.Error(), cfg), Cause: err}
		case op.Op == "local error":
			return &Error{Class: classHandshake, Message: op.Err.Error(), Cause: err}
		}
	}
	return e
}

// gaveUp has Java's words for what a client can dislike about a server, where
// Go's name the same thing.
func gaveUp(text string, cfg *tls.Config) string {
	if version, ok := strings.CutPrefix(text, "tls: server selected unsupported protocol version "); ok {
		if n, err := strconv.ParseUint(version, 16, 16); err == nil {
			return "The server selected protocol version " + javaVersion(uint16(n)) + " is not accepted by client preferences [" + preferences(cfg) + "]"
		}
	}
	if why, ok := unread(text); ok {
		return why
	}
	switch {
	case strings.Contains(text, "-bit keys are insecure"):
		return "Certificates do not conform to algorithm constraints"
	case strings.HasPrefix(text, "tls: no supported versions"):
		return "No appropriate protocol (protocol is disabled or cipher suites are inappropriate)"
	}
	return text
}

// unread names a certificate that Go cannot parse, without Go's names of packages.
// That is before anything asks whether it is trusted: nothing makes Go go on, where
// Java has read most of these.
func unread(text string) (why string, ok bool) {
	_, why, ok = strings.Cut(text, "tls: failed to parse certificate from server: ")
	return "The server's certificate cannot be read: " + strings.ReplaceAll(why, "x509: ", ""), ok
}

// javaVersion is Java's name of a protocol version in messages.
func javaVersion(v uint16) string {
	if v == 0x0300 {
		return "SSL30"
	}
	return "TLS1" + strconv.Itoa(int(v)-tls.VersionTLS10)
}

// preferences are the versions that cfg allows, the newest first.
func preferences(cfg *tls.Config) string {
	var names []string
	newest := cfg.MaxVersion
	if newest == 0 {
		newest = tls.VersionTLS13
	}
	for v := newest; v >= cfg.MinVersion; v-- {
		names = append(names, javaVersion(v))
	}
	return strings.Join(names, ", ")
}

// hearAlert looks for the alert of a server that broke a TLS connection while
// something was written: it says more than err, that of the socket. Which of
// them JMeter tells is a matter of chance.
func (c *conn) hearAlert(err error) error {
	e, ok := err.(*Error)
	if _, secure := c.nc.(*tls.Conn); !secure || !ok || e.Class != classSocket {
		return err
	}
	c.deadlineIn(time.Second) // of no account: a broken connection answers at once
	if _, readErr := c.nc.Read(c.tiny[:]); readErr != nil {
		if alert := tlsError(readErr); alert != nil {
			return alert
		}
	}
	return err
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
