package wire

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// resolverFunc is a Resolver.
type resolverFunc func(host string) ([]Address, error)

func (f resolverFunc) Lookup(_ context.Context, host string) ([]Address, error) { return f(host) }

// always finds the same addresses.
func always(ips ...string) Resolver {
	return resolverFunc(func(host string) ([]Address, error) {
		var found []Address
		for _, ip := range ips {
			found = append(found, Address{host, netip.MustParseAddr(ip)})
		}
		return found, nil
	})
}

func TestAddressAsJavaPrintsIt(t *testing.T) {
	for _, test := range []struct{ name, ip, want string }{
		{"", "127.0.0.1", "/127.0.0.1"},
		{"localhost", "127.0.0.1", "localhost/127.0.0.1"},
		{"", "::1", "/0:0:0:0:0:0:0:1"},
		{"h", "2001:db8::a0:ff", "h/2001:db8:0:0:0:0:a0:ff"},
		{"", "fe80::1%eth0", "/fe80:0:0:0:0:0:0:1%eth0"},
	} {
		a := Address{test.name, netip.MustParseAddr(test.ip)}
		expect(t, string(a.appendJava(nil)), test.want)
	}
}

func TestSystemResolver(t *testing.T) {
	r := &SystemResolver{TTL: time.Minute, NegativeTTL: time.Minute}
	found, err := r.Lookup(t.Context(), "localhost")
	if err != nil || len(found) == 0 || !found[0].IP.IsLoopback() || found[0].Name != "localhost" {
		t.Fatalf("localhost: %v, %v", found, err)
	}
	again, err := r.Lookup(t.Context(), "localhost")
	if err != nil || &again[0] != &found[0] {
		t.Errorf("not remembered: %v", err)
	}
	// The top-level domain is reserved by RFC 6761. What the machine's resolver
	// says of it is one of two things.
	_, err = r.Lookup(t.Context(), "no-such-host.invalid")
	var e *Error
	if !errors.As(err, &e) || e.Class != classUnknownHost || e.Message != "no-such-host.invalid: Name or service not known" &&
		e.Message != "no-such-host.invalid: Temporary failure in name resolution" {
		t.Fatalf("unknown host: %v", err)
	}
	if _, err = r.Lookup(t.Context(), "no-such-host.invalid"); !errors.As(err, &e) || e.Message != "no-such-host.invalid" {
		t.Errorf("remembered failure: %v", err)
	}
}

// Answers are forgotten after their time.
func TestSystemResolverForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lookup{done: make(chan struct{})}
		if l.expired() {
			t.Error("expired before the answer")
		}
		l.expires = Now() + int64(30*time.Second)
		close(l.done)
		time.Sleep(29 * time.Second)
		if l.expired() {
			t.Error("expired too early")
		}
		time.Sleep(time.Second)
		if !l.expired() {
			t.Error("not expired")
		}
	})
}

// Java looks no name up that inet_aton would take for an address, and says no more.
func TestAmbiguousAddresses(t *testing.T) {
	for host, want := range map[string]bool{
		"0x7f000001": true, "0x7f.1": true, "0377.0.0.1": true, "0X7F.0.0.1": true,
		"0x100000000": false, "127.0.0.256": false, "1.2.3.4.5": false, "face": false, "0x.1": false, "": false, "0b1": false,
	} {
		if got := ambiguous(host); got != want {
			t.Errorf("%q: %t, want %t", host, got, want)
		}
	}
	_, err := ParseSource(nil, SourceHost, "0x7f.1")
	if e, ok := err.(*Error); !ok || e.Class != classUnknownHost || e.Message != "0x7f.1" {
		t.Errorf("0x7f.1: %v", err)
	}
}
