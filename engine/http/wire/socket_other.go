//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package wire

import (
	"net"
	"syscall"
	"time"
)

// Without descriptors that can be read directly every connection is used
// through net.Conn.

type socket struct {
	net.Conn
	raw   syscall.RawConn
	stall time.Duration
}

func newSocket(net.Conn) *socket { return nil }

func rawRead(uintptr, []byte) (int, bool, error) { return 0, false, syscall.EINVAL }

func rawStale(syscall.RawConn) bool { return true }
