package wire

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Address is one address of a host. Name is what Java prints before the slash:
// the name that was looked up, "" for a literal address.
type Address struct {
	Name string
	IP   netip.Addr
}

// appendJava appends a as Java prints an InetAddress.
func (a Address) appendJava(dst []byte) []byte {
	dst = append(append(dst, a.Name...), '/')
	if a.IP.Is4() {
		return a.IP.AppendTo(dst)
	}
	// Java writes all eight groups, none shortened to "::".
	const hex = "0123456789abcdef"
	b := a.IP.As16()
	for i := 0; i < len(b); i += 2 {
		if i > 0 {
			dst = append(dst, ':')
		}
		started := false
		for _, nibble := range [...]byte{b[i] >> 4, b[i] & 15, b[i+1] >> 4, b[i+1] & 15} {
			if started = started || nibble != 0; started {
				dst = append(dst, hex[nibble])
			}
		}
		if !started {
			dst = append(dst, '0')
		}
	}
	if z := a.IP.Zone(); z != "" {
		dst = append(append(dst, '%'), z...)
	}
	return dst
}

// Resolver finds the addresses of a host name, in the order they are tried. That
// of a request is asked about literal addresses too, that of a client is not.
// Errors of type *Error pass as they are; others become
// java.net.UnknownHostException. A Resolver shared by clients must be safe for
// concurrent use.
type Resolver interface {
	Lookup(ctx context.Context, host string) ([]Address, error)
}

// SystemResolver asks the system and remembers answers as a JVM does. Threads
// that ask for the same name at the same time wait for one answer. It is safe
// for concurrent use; its zero value remembers nothing.
type SystemResolver struct {
	TTL         time.Duration // of answers; a JVM keeps them 30 s
	NegativeTTL time.Duration // of unknown names; a JVM keeps them 10 s

	mu    sync.Mutex
	names map[string]*lookup
}

// maxNames bounds what is remembered: a plan may make up names without end.
const maxNames = 10_000

// lookup is one answer, or the wait for it.
type lookup struct {
	done    chan struct{}
	found   []Address
	err     error
	expires int64
}

// Lookup implements [Resolver]: IPv4 addresses come before IPv6 ones.
func (r *SystemResolver) Lookup(ctx context.Context, host string) ([]Address, error) {
	if r.TTL <= 0 && r.NegativeTTL <= 0 {
		return lookupHost(ctx, host)
	}
	r.mu.Lock()
	if r.names == nil || len(r.names) >= maxNames {
		r.names = make(map[string]*lookup)
	}
	l := r.names[host]
	if l == nil || l.expired() {
		l = &lookup{done: make(chan struct{})}
		r.names[host] = l
		r.mu.Unlock()
		l.found, l.err = lookupHost(ctx, host)
		ttl := r.TTL
		if l.err != nil {
			ttl = r.NegativeTTL
		}
		if ctx.Err() != nil {
			ttl = 0 // interrupted, not answered
		}
		l.expires = Now() + int64(ttl)
		close(l.done)
		return l.found, l.err
	}
	r.mu.Unlock()
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.err != nil && !l.expired() {
		return nil, &Error{Class: classUnknownHost, Message: host, Cause: l.err} // Java's text for a remembered failure
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.found, nil
}

// expired is false for an answer still awaited.
func (l *lookup) expired() bool {
	select {
	case <-l.done:
		return Now() >= l.expires
	default:
		return false
	}
}

func lookupHost(ctx context.Context, host string) ([]Address, error) {
	if ambiguous(host) {
		return nil, &Error{Class: classUnknownHost, Message: host}
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, unknownHost(host, err)
	}
	found := make([]Address, len(ips))
	for i, ip := range ips {
		found[i] = Address{Name: host, IP: ip.Unmap()}
	}
	slices.SortStableFunc(found, func(a, b Address) int { return a.IP.BitLen() - b.IP.BitLen() })
	return found, nil
}

// unknownHost has the texts of the C library, which Java shows.
func unknownHost(host string, err error) *Error {
	e := &Error{Class: classUnknownHost, Message: host + ": Name or service not known", Cause: err}
	var d *net.DNSError
	if errors.As(err, &d) && !d.IsNotFound && (d.IsTemporary || d.IsTimeout) {
		e.Message = host + ": Temporary failure in name resolution"
	}
	return e
}

// Literal returns the address that host spells out, if it does.
func Literal(host string) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if err != nil {
		return javaIPv4(host)
	}
	return ip.Unmap(), true
}

// javaIPv4 reads the other forms of an IPv4 address that Java takes: fewer parts,
// of which the last fills the rest, and zeros in front that mean nothing.
func javaIPv4(host string) (ip netip.Addr, ok bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return ip, false
	}
	var whole uint64
	for i, part := range parts {
		if strings.Trim(part, "0123456789") != "" {
			return ip, false
		}
		n, err := strconv.ParseUint(part, 10, 64)
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (5 - len(parts))
		}
		if err != nil || n>>bits != 0 {
			return ip, false
		}
		whole = whole<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(whole >> 24), byte(whole >> 16), byte(whole >> 8), byte(whole)}), true
}

// ambiguous says whether host is an IPv4 address to BSD's inet_aton alone, with parts
// in octal or hexadecimal, which Java refuses to look up.
func ambiguous(host string) bool {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return false
	}
	for i, part := range parts {
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (5 - len(parts))
		}
		digits, hex := strings.CutPrefix(strings.ToLower(part), "0x")
		if !hex && strings.Trim(digits, "0123456789") != "" { // other prefixes are Go's
			return false
		}
		if n, err := strconv.ParseUint(part, 0, 64); err != nil || n>>bits != 0 {
			return false
		}
	}
	return true
}
