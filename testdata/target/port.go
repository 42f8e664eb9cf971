package target

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Free ports are looked for between these, each port once: two targets of one
// program, and a port that nobody listens on, never get in each other's way.
const firstPort, lastPort = 7011, 9989

var nextPort = struct {
	sync.Mutex
	port int
}{port: firstPort}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// open calls try with want, or, where that is 0, with one port after the other
// until it succeeds; it returns the port. What the system cannot do at all
// (errors.ErrUnsupported) has port 0.
func open(want int, avoid func(int) bool, try func(port int) error) (int, error) {
	if want != 0 {
		return want, try(want)
	}
	var last error
	for {
		nextPort.Lock()
		port := nextPort.port
		nextPort.port++
		nextPort.Unlock()
		if port > lastPort {
			return 0, fmt.Errorf("no free port from %d to %d: %w", firstPort, lastPort, last)
		}
		if avoid != nil && avoid(port) {
			continue
		}
		last = try(port)
		if errors.Is(last, errors.ErrUnsupported) {
			return 0, nil
		}
		if last == nil {
			return port, nil
		}
	}
}

// probe says whether nobody listens on port.
func probe(port int) error {
	l, err := net.Listen("tcp4", address(port))
	if err != nil {
		return err
	}
	return l.Close()
}

// FreePort returns a port of 127.0.0.1 for a server that is a program of its own,
// which takes it a moment later. It is none of those that systems give to
// connections, so that none of these has it by then.
func FreePort() (int, error) {
	const first, last = 10000, 32000
	var err error
	for range 100 {
		port := first + rand.IntN(last-first)
		if err = probe(port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port from %d to %d: %w", first, last, err)
}
