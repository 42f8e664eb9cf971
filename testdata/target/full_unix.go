//go:build unix

package target

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// fullSocket listens and never accepts, and its queue is full: a connection
// attempt runs into its timeout.
type fullSocket struct {
	fd   int
	held []net.Conn // the connections in the queue
}

func fill(port int) (io.Closer, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	err = errors.Join(
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}),
		syscall.Listen(fd, 0))
	if err != nil {
		return nil, errors.Join(err, syscall.Close(fd))
	}
	full := &fullSocket{fd: fd}
	for range 3 {
		c, err := net.DialTimeout("tcp4", address(port), 200*time.Millisecond)
		if err != nil {
			break
		}
		full.held = append(full.held, c)
	}
	return full, nil
}

func (f *fullSocket) Close() error {
	for _, c := range f.held {
		c.Close()
	}
	return syscall.Close(f.fd)
}
