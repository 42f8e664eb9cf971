package wire

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"

	"golang.org/x/net/ipv4"
)

// quicSocket is a UDP socket that is connected, for quic-go, which takes sockets that
// are not: only a connected one is told that nobody listens at the other end.
type quicSocket struct {
	*net.UDPConn
	batch *ipv4.PacketConn // for IPv6 as well
}

// newQUICSocket connects a socket to a server, from an address or, if that is not
// valid, from any.
func newQUICSocket(from netip.Addr, to netip.AddrPort) (*quicSocket, error) {
	network := "udp4"
	if to.Addr().Is6() && !to.Addr().Is4In6() {
		network = "udp6"
	}
	var local *net.UDPAddr
	if from.IsValid() {
		local = net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	c, err := net.DialUDP(network, local, net.UDPAddrFromAddrPort(to))
	if err != nil {
		return nil, err
	}
	return &quicSocket{c, ipv4.NewPacketConn(c)}, nil
}

// WriteMsgUDP writes to the server, which the socket knows.
func (s *quicSocket) WriteMsgUDP(b, oob []byte, _ *net.UDPAddr) (n, oobn int, err error) {
	return s.UDPConn.WriteMsgUDP(b, oob, nil)
}

// WriteTo is WriteMsgUDP where a system has no more to say to a packet.
func (s *quicSocket) WriteTo(b []byte, _ net.Addr) (int, error) { return s.Write(b) }

// ReadBatch reads packets. That one was too long for some router is nothing to end
// the connection for: quic-go looks for the longest.
func (s *quicSocket) ReadBatch(ms []ipv4.Message, flags int) (n int, err error) {
	for {
		if n, err = s.batch.ReadBatch(ms, flags); !errors.Is(err, syscall.EMSGSIZE) {
			return n, err
		}
	}
}

// wsaConnReset is how Windows says that nobody listens. quic-go would read on.
const wsaConnReset = syscall.Errno(10054)

// ReadFrom is ReadBatch where a system has only that, as Windows.
func (s *quicSocket) ReadFrom(b []byte) (n int, from net.Addr, err error) {
	if n, from, err = s.UDPConn.ReadFrom(b); errors.Is(err, wsaConnReset) {
		err = os.NewSyscallError("read", syscall.ECONNREFUSED)
	}
	return n, from, err
}
