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
)

// errNoSuchName says that a DNS server knows a name to be none.
var errNoSuchName = errors.New("no such name")

// queryDNS asks one server (host:port) for the IPv4 addresses of a name (RFC
// 1035), over TCP where the answer is too long for UDP. Unlike net.Resolver it
// does not look into the hosts file first.
func queryDNS(ctx context.Context, server, host string) ([]netip.Addr, error) {
	name, err := dnsmessage.NewName(strings.TrimSuffix(host, ".") + ".")
	if err != nil {
		return nil, err
	}
	q := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: uint16(rand.Uint32()), RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	packed, err := q.Pack()
	if err != nil {
		return nil, err
	}
	answer, err := exchangeDNS(ctx, "udp", server, q.ID, packed)
	if err == nil && answer.Truncated {
		answer, err = exchangeDNS(ctx, "tcp", server, q.ID, packed)
	}
	switch {
	case err != nil:
		return nil, err
	case answer.RCode == dnsmessage.RCodeNameError:
		return nil, errNoSuchName
	case answer.RCode != dnsmessage.RCodeSuccess:
		return nil, errors.New(answer.RCode.String())
	}
	var found []netip.Addr
	for _, r := range answer.Answers {
		if a, ok := r.Body.(*dnsmessage.AResource); ok {
			found = append(found, netip.AddrFrom4(a.A))
		}
	}
	if len(found) == 0 {
		return nil, errNoSuchName
	}
	return found, nil
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
