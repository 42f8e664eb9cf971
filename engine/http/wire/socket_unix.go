//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// socket is a TCP connection whose system calls are made by hand. Since it never
// blocks, the scheduler is not told of them: it would take the processor away
// from a call that lasts some microseconds, and wake another thread for it. One
// goroutine may read while another writes.
type socket struct {
	net.Conn
	raw     syscall.RawConn
	in, out transfer

	stall   time.Duration // how long a write waits for the other side to take something; 0 is no bound
	bounded bool          // this write does
}

// transfer is a read or a write under way.
type transfer struct {
	p   []byte // where to, or what is left
	n   int
	err error
	try func(fd uintptr) (done bool) // bound once
}

// newSocket returns c with system calls by hand, or nil where it is no plain
// TCP connection.
func newSocket(c net.Conn) *socket {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := t.SyscallConn()
	if err != nil {
		return nil
	}
	s := &socket{Conn: t, raw: raw}
	s.in.try, s.out.try = s.tryRead, s.tryWrite
	return s
}

// Read is net.Conn's.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.in.p = p
	err := s.raw.Read(s.in.try)
	s.in.p = nil
	switch {
	case err != nil:
		return 0, err
	case s.in.err != nil:
		return 0, s.failed("read", s.in.err)
	case s.in.n == 0:
		return 0, io.EOF
	}
	return s.in.n, nil
}

func (s *socket) tryRead(fd uintptr) bool {
	var wait bool
	s.in.n, wait, s.in.err = rawRead(fd, s.in.p)
	return !wait
}

// Write is net.Conn's: it returns when all of p is sent, or with an error.
func (s *socket) Write(p []byte) (int, error) {
	s.out.p, s.out.err = p, nil
	err := s.raw.Write(s.out.try)
	n := len(p) - len(s.out.p)
	s.out.p = nil
	if s.bounded {
		s.bounded = false
		s.SetWriteDeadline(time.Time{})
	}
	if err == nil && s.out.err != nil {
		err = s.failed("write", s.out.err)
	}
	return n, err
}

func (s *socket) tryWrite(fd uintptr) bool {
	for len(s.out.p) > 0 {
		n, err := sysWrite(fd, s.out.p)
		switch err {
		case nil:
			s.out.p = s.out.p[n:]
		case syscall.EINTR:
		case syscall.EAGAIN:
			if s.stall > 0 {
				s.bounded = true
				s.SetWriteDeadline(time.Now().Add(s.stall))
			}
			return false
		default:
			s.out.err = err
			return true
		}
	}
	return true
}

func (s *socket) failed(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: s.LocalAddr(), Addr: s.RemoteAddr(), Err: os.NewSyscallError(op, err)}
}

// rawRead reads what is there; wait says that nothing is yet.
func rawRead(fd uintptr, b []byte) (n int, wait bool, err error) {
	for {
		n, err = sysRead(fd, b)
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
