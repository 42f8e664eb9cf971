package wire

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// Source is the local address that connections come from. The zero value
// leaves the choice to the system.
type Source struct {
	Addr netip.Addr
}

// SourceType is HTTPSampler.ipSourceType: what the name of a source means.
type SourceType int

// The values of HTTPSampler.ipSourceType.
const (
	SourceHost       SourceType = iota // an address or a host name
	SourceDevice                       // the first address of a network interface; Java has IPv6 first
	SourceDeviceIPv4                   // its first IPv4 address
	SourceDeviceIPv6                   // its first IPv6 address
)

// ParseSource finds the address that a sampler's source name stands for; names of
// hosts are asked of r, nil for the system. The error is an *Error as JMeter reports it.
func ParseSource(r Resolver, t SourceType, name string) (Source, error) {
	if t < SourceHost || t > SourceDeviceIPv6 {
		return Source{}, &Error{Class: "java.lang.ArrayIndexOutOfBoundsException",
			Message: fmt.Sprintf("Index %d out of bounds for length %d", t, SourceDeviceIPv6+1)}
	}
	if t == SourceHost {
		if ip, ok := Literal(name); ok {
			return Source{ip}, nil
		}
		if r == nil {
			r = new(SystemResolver)
		}
		found, err := r.Lookup(context.Background(), name)
		if err != nil {
			return Source{}, err
		}
		return Source{found[0].IP}, nil
	}
	device, err := net.InterfaceByName(name)
	if err != nil {
		return Source{}, &Error{Class: classUnknownHost, Message: "Cannot find interface " + name, Cause: err}
	}
	addrs, err := device.Addrs()
	if err != nil {
		return Source{}, &Error{Class: classSocket, Message: err.Error(), Cause: err}
	}
	slices.SortStableFunc(addrs, func(a, b net.Addr) int { return cmp.Compare(version(a), version(b)) })
	for _, a := range addrs {
		prefix, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		ip, ok := netip.AddrFromSlice(prefix.IP)
		if ip = ip.Unmap(); !ok || t == SourceDeviceIPv4 && !ip.Is4() || t == SourceDeviceIPv6 && ip.Is4() {
			continue
		}
		if ip.IsLinkLocalUnicast() && ip.Is6() {
			ip = ip.WithZone(name)
		}
		return Source{ip}, nil
	}
	kind := [...]string{SourceDevice: "InetAddress", SourceDeviceIPv4: "Inet4Address", SourceDeviceIPv6: "Inet6Address"}[t]
	return Source{}, &Error{Class: classUnknownHost, Message: "Interface " + name + " does not have address of type " + kind}
}

// version sorts addresses of IPv6 before those of IPv4.
func version(a net.Addr) int {
	if prefix, ok := a.(*net.IPNet); ok && prefix.IP.To4() == nil {
		return 0
	}
	return 1
}
