//go:build unix

package target

import (
	"errors"
	"io"
	"syscall"
)

// hold takes a port and does not listen there: connections are refused, and no
// other program comes to listen.
func hold(port int) (io.Closer, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return nil, errors.Join(err, syscall.Close(fd))
	}
	return heldPort(fd), nil
}

type heldPort int

func (fd heldPort) Close() error { return syscall.Close(int(fd)) }
