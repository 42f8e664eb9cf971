// Package target is the deterministic server that the conformance plans run
// against. It speaks HTTP/1.1 on raw sockets, so that /echo shows a request
// exactly as it came over the wire (header order and letter case included) and
// an answer is, byte for byte, the same on every run: no Date header, no random
// values. JMeter and gojm run against the same target and their results are
// compared.
//
// All ports have four digits: a port stands in Host headers and addresses, and
// so in byte counts, which must not change when another port is taken.
package target

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// Ports are the places of a target on 127.0.0.1.
type Ports struct {
	HTTP   int
	HTTPS  int // with a self-signed certificate
	Cert   int // as HTTPS, and asks for a client certificate; any is good, and none as well
	TCP    int // the line echo
	Full   int // connecting never succeeds and never fails; 0 where the system cannot do that
	Closed int // nobody listens
}

// Recorded are the ports that stand in the recorded results.
var Recorded = Ports{HTTP: 8098, HTTPS: 8443, Cert: 8444, TCP: 8097, Full: 8096, Closed: 8095}

// Options say where a target stands.
type Options struct {
	// Ports are taken as they are; a port that is 0 is a free one of four digits.
	Ports Ports
	// Avoid, where set, refuses ports: a caller that replaces port numbers in
	// texts needs such as occur nowhere else in them.
	Avoid func(port int) bool
}

// Server is a running target. Its methods may be called from any goroutine.
type Server struct {
	Ports Ports

	sockets []io.Closer // that listen, or hold a port

	mu       sync.Mutex
	counters map[string]int
	conns    map[net.Conn]bool // open ones; nil once the server is closed
}

// Start starts a target, which runs until Close.
func Start(o Options) (*Server, error) {
	s := &Server{counters: map[string]int{}, conns: map[net.Conn]bool{}}
	if err := s.start(o); err != nil {
		return nil, errors.Join(fmt.Errorf("target: %w", err), s.Close())
	}
	return s, nil
}

func (s *Server) start(o Options) error {
	cert, err := selfSigned()
	if err != nil {
		return err
	}
	places := []struct {
		port *int
		want int
		open func(port int) error
	}{
		{&s.Ports.HTTP, o.Ports.HTTP, func(port int) error { return s.listen(port, nil, s.serveHTTP) }},
		{&s.Ports.HTTPS, o.Ports.HTTPS, func(port int) error {
			return s.listen(port, &tls.Config{Certificates: []tls.Certificate{cert}}, s.serveHTTP)
		}},
		{&s.Ports.Cert, o.Ports.Cert, func(port int) error {
			return s.listen(port, &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequestClientCert}, s.serveHTTP)
		}},
		{&s.Ports.TCP, o.Ports.TCP, func(port int) error { return s.listen(port, nil, echoLines) }},
		{&s.Ports.Full, o.Ports.Full, func(port int) error { return s.keepSocket(fill(port)) }},
		{&s.Ports.Closed, o.Ports.Closed, func(port int) error { return s.keepSocket(hold(port)) }},
	}
	for _, p := range places {
		*p.port, err = open(p.want, o.Avoid, p.open)
		if err != nil {
			return err
		}
	}
	return nil
}

// keepSocket leaves a socket open until Close.
func (s *Server) keepSocket(socket io.Closer, err error) error {
	if err == nil {
		s.sockets = append(s.sockets, socket)
	}
	return err
}

// listen serves each connection to port in its own goroutine.
func (s *Server) listen(port int, secure *tls.Config, serve func(net.Conn)) error {
	l, err := net.Listen("tcp4", address(port))
	if err != nil {
		return err
	}
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	s.sockets = append(s.sockets, l)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // closed
			}
			go func() {
				defer c.Close()
				if s.keep(c) {
					serve(c)
					s.forget(c)
				}
			}()
		}
	}()
	return nil
}

// keep notes an open connection; it says false when the server is closed.
func (s *Server) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		return false
	}
	s.conns[c] = true
	return true
}

func (s *Server) forget(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Close stops listening and breaks every connection.
func (s *Server) Close() error {
	s.mu.Lock()
	conns := s.conns
	s.conns = nil
	s.mu.Unlock()
	var errs []error
	for _, socket := range s.sockets {
		errs = append(errs, socket.Close())
	}
	for c := range conns {
		c.Close()
	}
	return errors.Join(errs...)
}

// ResetCounters sets what the target remembers between requests (/counter,
// /flaky, /cache/version) back to its start.
func (s *Server) ResetCounters() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.counters)
}

func (s *Server) count(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counters[key]++
	return s.counters[key]
}
