package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// sender delivers what a client renders.
type sender interface {
	send(payload []byte) error
	close()
}

// httpSender posts to InfluxDB's /write.
type httpSender struct {
	url, token string
	client     *http.Client
}

func newHTTPSender(address, token string, connect, wait time.Duration) (*httpSender, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("influxdbUrl: %q is not an address", address)
	}
	tr := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connect}).DialContext,
		ResponseHeaderTimeout: wait,
		MaxIdleConnsPerHost:   1,
	}
	return &httpSender{address, token, &http.Client{Transport: tr, Timeout: connect + wait}}, nil
}

func (s *httpSender) send(payload []byte) error {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.url, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "text/plain; charset=UTF-8")
	req.Header.Set("User-Agent", "gojm")
	if strings.TrimSpace(s.token) != "" {
		req.Header.Set("Authorization", "Token "+s.token)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // for the message only
	if res.StatusCode < 200 || res.StatusCode > 399 {
		return fmt.Errorf("%s answers %s: %s", s.url, res.Status, bytes.TrimSpace(body))
	}
	return nil
}

func (s *httpSender) close() { s.client.CloseIdleConnections() }

// netSender writes to a connection, which is kept: TCP for Graphite, UDP for
// InfluxDB. One that broke is made anew the next time.
type netSender struct {
	network, address string
	timeout          time.Duration
	conn             net.Conn
}

func newUDPSender(address string) (*netSender, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, errors.New("influxdbUrl: InfluxDB url '" + address + "' is wrong. The format should be <host/ip>:<port>")
	}
	return &netSender{network: "udp", address: address, timeout: time.Second}, nil
}

func (s *netSender) send(payload []byte) error {
	if s.conn == nil {
		conn, err := net.DialTimeout(s.network, s.address, s.timeout)
		if err != nil {
			return err
		}
		s.conn = conn
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(s.timeout)) // a connection that has none is none
	if _, err := s.conn.Write(payload); err != nil {
		s.close()
		return err
	}
	return nil
}

func (s *netSender) close() {
	if s.conn != nil {
		_ = s.conn.Close() // what was written is on its way
		s.conn = nil
	}
}
