package wire

import (
	"context"
	"encoding/base64"
	"io"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// maxChallenges bounds how often a proxy may ask for credentials.
const maxChallenges = 5

// tunnel asks an HTTP proxy for a connection to the target. When the proxy
// refuses for good, its answer is in res and sink and there is no error. As in
// JMeter no timeout bounds the wait.
func (c *Client) tunnel(ctx context.Context, cn *conn, req *Request, res *Response, sink io.Writer) (ok bool, err error) {
	p := req.Proxy
	header := append(req.appendAuthority([]byte("Host: ")), "\r\n"...)
	header = append(header, p.ConnectHeader...)
	connect := Request{Method: "CONNECT", Target: req.hostPort(), Scheme: "https", Header: header, KeepAlive: true}
	authorize := func(value string) {
		if connect.Header = header[:len(header):len(header)]; value != "" {
			connect.Header = append(connect.Header, "Proxy-Authorization: "+value+"\r\n"...)
		}
	}
	if req.Connect != nil {
		value, _ := req.Connect(nil)
		authorize(value)
	}
	for attempt := 1; ; attempt++ {
		res.begin()
		cn.received, cn.whole = 0, false
		if err := c.askProxy(cn, req, &connect, res); err != nil {
			res.ConnectHeader = connect.Header
			return false, err
		}
		if res.Status < 300 {
			cn.release()
			res.begin()
			return true, nil
		}
		value, again := "", false
		if res.Status == 407 && attempt <= maxChallenges {
			value, again = req.answer(attempt, res)
		}
		if !again {
			res.FromProxy, res.ConnectHeader = true, connect.Header
			err := c.receive(cn, &connect, res, sink)
			res.BytesReceived = cn.received
			return false, err
		}
		if err := c.receive(cn, &connect, res, nil); err != nil {
			return false, err
		}
		if !cn.reusable(&connect, res) {
			if err := c.redial(ctx, cn, req); err != nil {
				return false, err
			}
		}
		authorize(value)
	}
}

// askProxy sends one CONNECT and reads the head of the answer.
func (c *Client) askProxy(cn *conn, req, connect *Request, res *Response) error {
	budget := c.maxHead()
	cn.timeout = req.patience()
	_, err := c.send(cn, connect, res, &budget)
	for err == nil && res.Status < 200 {
		err = cn.readHead(req, res, &budget)
	}
	res.BytesReceived = cn.received
	return err
}

// redial puts a new socket under cn, for a proxy that closes after a 407.
func (c *Client) redial(ctx context.Context, cn *conn, req *Request) error {
	cn.close()
	tcp, where, err := c.dial(ctx, req, req.Proxy.Host, req.Proxy.Port)
	if err != nil {
		return err
	}
	tcp = c.paced(req, tcp)
	if !c.flight.attach(tcp) {
		tcp.Close()
		return socketClosed(nil)
	}
	*cn = *newConn(cn.key, tcp, tcp, c.options.TimeToLive)
	cn.onRead = cn.read // of this conn, not of the one copied from
	if req.Proxy.Scheme == "https" {
		return c.handshake(cn, req, req.Proxy.Host, req.Proxy.Port, where, nil)
	}
	return nil
}

// answer is the value of Proxy-Authorization after a 407, and whether to try it.
func (r *Request) answer(attempt int, res *Response) (value string, again bool) {
	p := r.Proxy
	if r.Connect != nil {
		return r.Connect(res)
	}
	if p.User == "" || attempt > 1 {
		return "", false
	}
	basic := false
	res.Each(func(name, value []byte) bool {
		if equalFold(name, "Proxy-Authenticate") && len(value) >= 5 && equalFold(value[:5], "Basic") {
			basic = true
		}
		return !basic
	})
	if !basic {
		return "", false
	}
	return "Basic " + base64.StdEncoding.EncodeToString(AppendASCII(nil, p.User+":"+p.Password)), true
}

// AppendASCII appends s with a question mark for each other character, as
// HttpClient encodes credentials.
func AppendASCII(dst []byte, s string) []byte {
	for _, r := range s {
		if r >= utf8.RuneSelf {
			r = '?'
		}
		dst = append(dst, byte(r))
	}
	return dst
}

// socks asks a SOCKS5 proxy for a connection to the target (RFC 1928, RFC
// 1929), by its name or the address ip. The connect timeout bounds it.
func (c *conn) socks(req *Request, ip netip.Addr) error {
	err := c.within(req.patience(), func() error { return socks5(c.tcp, req, ip) })
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return &Error{Class: classSocket, Message: "Malformed reply from SOCKS server", Cause: err}
	}
	if err != nil {
		return readError(err)
	}
	return nil
}

func socks5(rw io.ReadWriter, req *Request, ip netip.Addr) error {
	if err := socksLogin(rw, req.Proxy); err != nil {
		return err
	}
	target, err := socksTarget(req, ip)
	if err != nil {
		return err
	}
	var r [4]byte
	if err := ask(rw, target, r[:]); err != nil {
		return err
	}
	switch {
	case r[0] != 5:
		return socksError("Malformed reply from SOCKS server")
	case int(r[1]) >= len(socksReplies):
		return socksError("Reply from SOCKS server contains bad status")
	case r[1] != 0:
		return socksError(socksReplies[r[1]])
	}
	rest := 2 // the port behind the address, neither of which matters
	switch r[3] {
	case 1:
		rest += 4
	case 4:
		rest += 16
	case 3:
		if _, err := io.ReadFull(rw, r[:1]); err != nil {
			return err
		}
		rest += int(r[0])
	default:
		return socksError("Reply from SOCKS server contains wrong code")
	}
	_, err = io.CopyN(io.Discard, rw, int64(rest))
	return err
}

// socksLogin agrees with the proxy on who one is.
func socksLogin(rw io.ReadWriter, p *Proxy) error {
	methods := []byte{5, 1, 0}
	login := p.User != "" || p.Java
	if login {
		methods = []byte{5, 2, 0, 2}
	}
	var b [2]byte
	if err := ask(rw, methods, b[:]); err != nil {
		return err
	}
	switch {
	case b[0] != 5:
		return socksError("Malformed reply from SOCKS server")
	case b[1] == 0:
		return nil
	case b[1] != 2 && b[1] != 255 && p.Java:
		return socksError("SOCKS : authentication failed")
	case b[1] != 2 || !login || len(p.User) > 255 || len(p.Password) > 255:
		return socksError("SOCKS : No acceptable methods")
	}
	m := append([]byte{1, byte(len(p.User))}, p.User...)
	m = append(append(m, byte(len(p.Password))), p.Password...)
	if err := ask(rw, m, b[:]); err != nil {
		return err
	}
	if b[1] != 0 {
		return socksError("SOCKS : authentication failed")
	}
	return nil
}

// socksTarget is the request for a connection to the target.
func socksTarget(req *Request, ip netip.Addr) ([]byte, error) {
	m := []byte{5, 1, 0}
	ok := ip.IsValid()
	if !ok {
		ip, ok = Literal(req.Host)
	}
	if ok && ip.Is4() {
		m = append(append(m, 1), ip.AsSlice()...)
	} else if ok {
		m = append(append(m, 4), ip.AsSlice()...)
	} else if host := strings.TrimSuffix(req.Host, "."); len(host) < 256 {
		m = append(append(m, 3, byte(len(host))), host...)
	} else {
		return nil, unknownHost(req.Host, nil)
	}
	port := req.port()
	return append(m, byte(port>>8), byte(port)), nil
}

// ask sends m and reads the answer into b.
func ask(rw io.ReadWriter, m, b []byte) error {
	if _, err := rw.Write(m); err != nil {
		return err
	}
	_, err := io.ReadFull(rw, b)
	return err
}

// socksReplies are Java's texts for the codes of RFC 1928, section 6.
var socksReplies = [...]string{
	1: "SOCKS server general failure",
	2: "SOCKS: Connection not allowed by ruleset",
	3: "SOCKS: Network unreachable",
	4: "SOCKS: Host unreachable",
	5: "SOCKS: Connection refused",
	6: "SOCKS: TTL expired",
	7: "SOCKS: Command not supported",
	8: "SOCKS: address type not supported",
}

func socksError(message string) *Error { return &Error{Class: classSocket, Message: message} }
