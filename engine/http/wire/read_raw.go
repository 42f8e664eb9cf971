//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import (
	"net"
	"syscall"
)

// rawConn returns access to the descriptor of c, or nil.
func rawConn(c net.Conn) syscall.RawConn {
	if t, ok := c.(*net.TCPConn); ok {
		if raw, err := t.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// rawRead reads what is there; wait says that nothing is yet.
func rawRead(fd uintptr, b []byte) (n int, wait bool, err error) {
	for {
		n, err = syscall.Read(int(fd), b)
		switch err {
		case nil:
			return n, false, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, true, nil
		default:
			return 0, false, err
		}
	}
}

// rawStale says whether an idle socket is at its end or holds input.
func rawStale(raw syscall.RawConn) bool {
	stale := true
	err := raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		stale = err != syscall.EAGAIN && err != syscall.EINTR
		return true
	})
	return stale || err != nil
}
