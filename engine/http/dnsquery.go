package http

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/gojm/gojm/engine/http/wire"
)

var (
	errNoSuchName = errors.New("no such name")          // by the answer of a DNS server
	errNotName    = errors.New("not a name of the DNS") // RFC 1035, 2.3.4
)

// maxAliases bounds the names that stand for one another.
const maxAliases = 16

// queryDNS asks one server (host:port) for the IPv4 addresses of a name, and for
// those of the name it is an alias of where the answer leaves them out (RFC 1034,
// 5.3.3). Unlike net.Resolver it does not look into the hosts file first.
func queryDNS(ctx context.Context, server, host string) ([]wire.Address, error) {
	name, err := dnsmessage.NewName(strings.TrimSuffix(host, ".") + ".")
	if err != nil {
		return nil, errNotName
	}
	for range maxAliases {
		answer, err := questionDNS(ctx, server, name)
		if err != nil {
			return nil, err
		}
		if answer.RCode != dnsmessage.RCodeSuccess {
			return nil, errNoSuchName
		}
		var found []wire.Address
		asked := name
		for _, r := range answer.Answers {
			switch body := r.Body.(type) {
			case *dnsmessage.AResource: // named as the server names it
				found = append(found, wire.Address{Name: r.Header.Name.String(), IP: netip.AddrFrom4(body.A)})
			case *dnsmessage.CNAMEResource:
				if strings.EqualFold(r.Header.Name.String(), name.String()) {
					name = body.CNAME
				}
			}
		}
		if len(found) > 0 {
			return found, nil
		}
		if name == asked {
			break
		}
	}
	return nil, errNoSuchName
}

// questionDNS asks for the IPv4 addresses of a name (RFC 1035), over TCP where the
// answer is too long for UDP.
func questionDNS(ctx context.Context, server string, name dnsmessage.Name) (dnsmessage.Message, error) {
	q := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: uint16(rand.Uint32()), RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	packed, err := q.Pack()
	if err != nil {
		return q, errNotName
	}
	answer, err := exchangeDNS(ctx, "udp", server, q.ID, packed)
	if err == nil && answer.Truncated {
		answer, err = exchangeDNS(ctx, "tcp", server, q.ID, packed)
	}
	return answer, err
}

// exchangeDNS sends a question and reads the answer to it.
func exchangeDNS(ctx context.Context, network, server string, id uint16, packed []byte) (m dnsmessage.Message, err error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, server)
	if err != nil {
		return m, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	defer context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })()
	if network == "tcp" {
		packed = append([]byte{byte(len(packed) >> 8), byte(len(packed))}, packed...)
	}
	if _, err := c.Write(packed); err != nil {
		return m, err
	}
	for {
		buf := make([]byte, 1<<16)
		n := 0
		if network == "udp" {
			n, err = c.Read(buf)
		} else if _, err = io.ReadFull(c, buf[:2]); err == nil {
			n, err = io.ReadFull(c, buf[:int(buf[0])<<8|int(buf[1])])
		}
		if err != nil {
			return m, err
		}
		if err = m.Unpack(buf[:n]); err == nil && m.ID == id && m.Response {
			return m, nil
		}
		if network == "tcp" {
			return m, errors.New("not an answer to the question")
		}
	}
}
