package http

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[dnsCacheManager](elem.Spec{Class: "DNSCacheManager", Title: "DNS Cache Manager", Kind: elem.KindConfig, Status: elem.Full})
}

// dnsCacheManager finds the addresses of hosts for each thread on its own
// (JMeter manual, DNS Cache Manager).
type dnsCacheManager struct {
	clear, custom expr.Bool
	servers       []expr.Text
	hosts         []staticHost
	system        wire.Resolver
	slot          vu.Slot[dnsCache]
}

type staticHost struct{ name, addresses expr.Text }

func (m *dnsCacheManager) Props(p *elem.Props) {
	m.hosts = nil
	p.Bool(&m.clear, "DNSCacheManager.clearEachIteration", false, "forget all addresses at the start of each iteration")
	p.Bool(&m.custom, "DNSCacheManager.isCustomResolver", false, "ask the servers of the list")
	p.Texts(&m.servers, "DNSCacheManager.servers", "addresses of DNS servers, asked in turn")
	p.Each("DNSCacheManager.hosts", "rows of host and addresses", func(row *elem.Props) {
		var h staticHost
		row.Text(&h.name, "StaticHost.Name", "", "host")
		row.Text(&h.addresses, "StaticHost.Address", "", "addresses or another host, parted by commas")
		m.hosts = append(m.hosts, h)
	})
	m.slot = elem.SlotOf[dnsCache](p)
	m.system = sharedOf(p).wire.Resolver
}

// constant says that the lists are the same for every sample.
func (m *dnsCacheManager) constant() bool {
	ok := m.custom.IsConst()
	for _, h := range m.hosts {
		ok = ok && h.name.IsConst() && h.addresses.IsConst()
	}
	for _, s := range m.servers {
		ok = ok && s.IsConst()
	}
	return ok
}

// IterationStart empties the cache where that is asked for.
func (m *dnsCacheManager) IterationStart(t *vu.Thread) {
	if m.clear.Eval(t) {
		c := m.slot.Of(t)
		c.mu.Lock()
		clear(c.known)
		c.mu.Unlock()
	}
}

// resolver returns the thread's cache with the lists as they are now.
func (m *dnsCacheManager) resolver(t *vu.Thread) wire.Resolver {
	c := m.slot.Of(t)
	if c.filled && m.constant() {
		return c
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filled, c.system = true, m.system
	c.hosts, c.servers = c.hosts[:0], c.servers[:0]
	for _, h := range m.hosts {
		c.hosts = append(c.hosts, [2]string{h.name.Eval(t), h.addresses.Eval(t)})
	}
	if m.custom.Eval(t) {
		for _, s := range m.servers {
			c.servers = append(c.servers, strings.TrimSpace(s.Eval(t)))
		}
	}
	return c
}

var _ elem.IterationStarter = (*dnsCacheManager)(nil)

// dnsCache is a thread's resolver.
type dnsCache struct {
	mu      sync.Mutex // of the thread's download workers
	filled  bool
	hosts   [][2]string // name, addresses
	servers []string    // none: the system is asked
	system  wire.Resolver
	known   map[string][]wire.Address
	next    int // server
}

// Lookup implements wire.Resolver: what is known, static hosts, the servers of
// the list, the system.
func (c *dnsCache) Lookup(ctx context.Context, host string) ([]wire.Address, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.known[host]; ok {
		return found, nil
	}
	found, err := c.find(ctx, host)
	if err == nil {
		if c.known == nil {
			c.known = map[string][]wire.Address{}
		}
		c.known[host] = found
	}
	return found, err
}

func (c *dnsCache) find(ctx context.Context, host string) ([]wire.Address, error) {
	for _, h := range c.hosts {
		if strings.EqualFold(h[0], host) {
			return c.static(ctx, host)
		}
	}
	return c.lookup(ctx, host)
}

func (c *dnsCache) lookup(ctx context.Context, host string) ([]wire.Address, error) {
	if len(c.servers) > 0 {
		return c.ask(ctx, host)
	}
	return c.system.Lookup(ctx, host)
}

// static returns the addresses of a host of the list. JMeter finds the row in
// any case of letters, and its addresses only in the right one: else there are
// none.
func (c *dnsCache) static(ctx context.Context, host string) ([]wire.Address, error) {
	var found []wire.Address
	for _, h := range c.hosts {
		if h[0] != host {
			continue
		}
		for a := range strings.SplitSeq(h[1], ",") {
			a = strings.TrimSpace(a)
			if a == "" {
				a = "127.0.0.1" // what Java takes no name for
			}
			if ip, err := netip.ParseAddr(a); err == nil {
				found = append(found, wire.Address{Name: host, IP: ip})
			} else if others, err := c.lookup(ctx, a); err == nil {
				found = append(found, others...)
			}
		}
		break
	}
	return found, nil
}

// ask asks the servers of the list, another one first each time. One that has no
// address leaves JMeter without any.
func (c *dnsCache) ask(ctx context.Context, host string) ([]wire.Address, error) {
	servers := make([]string, len(c.servers))
	for i, server := range c.servers {
		name, port, err := net.SplitHostPort(server)
		if err != nil {
			name, port = server, "53"
		}
		ips, err := c.system.Lookup(ctx, name)
		if err != nil || len(ips) == 0 {
			return nil, &wire.Error{Class: classUnknownHost, Message: "Could not resolve host:" + host + ", failed to initialize resolver or no resolver found", Cause: err}
		}
		servers[i] = net.JoinHostPort(ips[0].IP.String(), port)
	}
	var last error
	for range servers {
		server := servers[c.next%len(servers)]
		c.next++
		ips, err := queryDNS(ctx, server, host)
		if err == nil {
			found := make([]wire.Address, len(ips))
			for i, ip := range ips {
				found[i] = wire.Address{Name: host, IP: ip}
			}
			return found, nil
		}
		if last = err; errors.Is(err, errNoSuchName) {
			break
		}
	}
	return nil, &wire.Error{Class: classUnknownHost, Message: "Failed to resolve host name: " + host, Cause: last}
}

const classUnknownHost = "java.net.UnknownHostException"
