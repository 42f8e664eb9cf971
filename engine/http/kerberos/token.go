package kerberos

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/jcmturner/gofork/encoding/asn1"
	"github.com/jcmturner/gokrb5/v8/asn1tools"
	"github.com/jcmturner/gokrb5/v8/crypto"
	"github.com/jcmturner/gokrb5/v8/gssapi"
	"github.com/jcmturner/gokrb5/v8/iana/chksumtype"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/types"
)

// SPNEGO wraps a token for the Negotiate scheme (RFC 4178), as Java does.
// delegated says that the token hands on the user's ticket.
func (l *Login) SPNEGO(token []byte, delegate bool) ([]byte, error) {
	flags := asn1.BitString{Bytes: []byte{0b0111_0110}, BitLength: 7} // mutual, replay, sequence, conf, integ
	if delegate && l.tgt.forwardable {
		flags.Bytes[0] |= 0x80
	}
	inner, err := asn1.Marshal(negTokenInit{
		MechTypes: []asn1.ObjectIdentifier{gssapi.OIDKRB5.OID()}, ReqFlags: flags, MechToken: token,
	})
	if err != nil {
		return nil, err
	}
	body, err := asn1.Marshal(asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: inner})
	if err != nil {
		return nil, err
	}
	oid, err := asn1.Marshal(gssapi.OIDSPNEGO.OID())
	if err != nil {
		return nil, err
	}
	return asn1tools.AddASNAppTag(append(oid, body...), 0), nil
}

// negTokenInit is the first message of RFC 4178, section 4.2.1.
type negTokenInit struct {
	MechTypes []asn1.ObjectIdentifier `asn1:"explicit,tag:0"`
	ReqFlags  asn1.BitString          `asn1:"explicit,tag:1"`
	MechToken []byte                  `asn1:"explicit,tag:2"`
}

// Token is the initial token (RFC 4121, section 4.1) for HTTP on a host, with
// the flags that Java sets. The host may have a port that belongs to the service's
// name. With delegate the server may act for the user, if the KDC lets it.
func (l *Login) Token(host string, delegate bool) ([]byte, error) {
	t, err := l.service(host)
	if err != nil {
		return nil, err
	}
	user := l.client.Credentials
	a, err := types.NewAuthenticator(user.Domain(), user.CName())
	if err != nil {
		return nil, err
	}
	kind, err := crypto.GetEtype(t.key.KeyType)
	if err != nil {
		return nil, err
	}
	if err := a.GenerateSeqNumberAndSubKey(t.key.KeyType, kind.GetKeyByteSize()); err != nil {
		return nil, err
	}
	flags := uint32(gssapi.ContextFlagMutual | gssapi.ContextFlagReplay | gssapi.ContextFlagSequence | gssapi.ContextFlagConf | gssapi.ContextFlagInteg)
	var forwarded []byte
	if delegate && l.tgt.forwardable {
		if forwarded, err = l.forward(t); err != nil {
			return nil, err
		}
		flags |= gssapi.ContextFlagDeleg
	}
	sum := binary.LittleEndian.AppendUint32(nil, 16)
	sum = append(sum, make([]byte, 16)...) // no channel is bound
	sum = binary.LittleEndian.AppendUint32(sum, flags)
	if forwarded != nil {
		sum = binary.LittleEndian.AppendUint16(sum, 1)
		sum = binary.LittleEndian.AppendUint16(sum, uint16(len(forwarded)))
		sum = append(sum, forwarded...)
	}
	a.Cksum = types.Checksum{CksumType: chksumtype.GSSAPI, Checksum: sum}
	req, err := messages.NewAPReq(t.ticket, t.key, a)
	if err != nil {
		return nil, err
	}
	req.EncryptedAuthenticator.KVNO = 0 // left out by Java
	const mutualRequired = 2
	types.SetFlag(&req.APOptions, mutualRequired)
	body, err := req.Marshal()
	if err != nil {
		return nil, err
	}
	token, err := asn1.Marshal(gssapi.OIDKRB5.OID())
	if err != nil {
		return nil, err
	}
	return asn1tools.AddASNAppTag(append(append(token, 1, 0), body...), 0), nil
}

// HostName is the name of a host in that of its service: canonical or, where the
// canonical name is but a longer form of it, that.
func (l *Login) HostName(host string, canonical bool) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if name, ok := l.hosts[host]; ok {
		return name
	}
	name := strings.ToLower(host)
	whole := canonicalHost(host)
	if canonical || l.client.Config.LibDefaults.DNSCanonicalizeHostname && strings.HasPrefix(strings.ToLower(whole), name+".") {
		name = strings.ToLower(whole)
	}
	if l.hosts == nil {
		l.hosts = map[string]string{}
	}
	l.hosts[host] = name
	return name
}

// canonicalHost is InetAddress.getCanonicalHostName: what the first address is
// called, where that name leads to the address. Else it is host.
func canonicalHost(host string) string {
	ctx := context.Background()
	first := func(host string) []netip.Addr {
		ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", host)
		if err != nil {
			ips, _ = net.DefaultResolver.LookupNetIP(ctx, "ip6", host)
		}
		for i := range ips {
			ips[i] = ips[i].Unmap()
		}
		return ips
	}
	ips := first(host)
	if len(ips) == 0 {
		return host
	}
	names, err := net.DefaultResolver.LookupAddr(ctx, ips[0].String())
	if err != nil || len(names) == 0 {
		return host
	}
	name := strings.TrimSuffix(names[0], ".")
	if !slices.Contains(first(name), ips[0]) {
		return host
	}
	return name
}
