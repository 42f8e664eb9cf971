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
			c.servers = append(c.servers, s.Eval(t))
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
			return c.static(ctx, host), nil
		}
	}
	if ip, ok := wire.Literal(host); ok {
		return []wire.Address{{IP: ip}}, nil
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
func (c *dnsCache) static(ctx context.Context, host string) []wire.Address {
	var found []wire.Address
	for _, h := range c.hosts {
		if h[0] != host {
			continue
		}
		for _, a := range addressList(h[1]) {
			found = append(found, c.named(ctx, a)...)
		}
		break
	}
	return found
}

// addressList parts a list as Java's split does: blanks count for something at
// both ends, and nothing at the end is left out.
func addressList(text string) []string {
	const blanks = " \t\n\v\f\r"
	all := strings.Split(text, ",")
	last := len(all) - 1
	for i := range all {
		if i > 0 {
			all[i] = strings.TrimLeft(all[i], blanks)
		}
		if i < last {
			all[i] = strings.TrimRight(all[i], blanks)
		}
	}
	if last == 0 {
		return all
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// named returns the addresses of an entry of the list, none where there are none.
// What the servers do not know the system may, of which JMeter takes one address.
func (c *dnsCache) named(ctx context.Context, entry string) []wire.Address {
	if entry == "" { // what Java takes no name for
		return []wire.Address{{Name: "localhost", IP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}}
	}
	if ip, ok := wire.Literal(entry); ok {
		return []wire.Address{{IP: ip}}
	}
	found, err := c.lookup(ctx, entry)
	if err == nil {
		return found
	}
	if len(c.servers) > 0 {
		if found, err = c.system.Lookup(ctx, entry); err == nil && len(found) > 0 {
			return found[:1]
		}
	}
	return nil
}

// ask asks the servers of the list, another one first each time, and the others
// where one does not answer. An answer is one whatever it says. A server that has
// no address leaves JMeter without any.
func (c *dnsCache) ask(ctx context.Context, host string) ([]wire.Address, error) {
	servers := make([]string, len(c.servers))
	for i, server := range c.servers {
		name, port, err := net.SplitHostPort(server)
		if err != nil {
			name, port = server, "53"
		}
		if servers[i], err = c.server(ctx, name, port); err != nil {
			return nil, &wire.Error{Class: classUnknownHost, Message: "Could not resolve host:" + host + ", failed to initialize resolver or no resolver found", Cause: err}
		}
	}
	first := c.next
	c.next++
	var last error
	for i := range servers {
		found, err := queryDNS(ctx, servers[(first+i)%len(servers)], host)
		switch {
		case err == nil:
			return found, nil
		case errors.Is(err, errNotName):
			return nil, &wire.Error{Class: "java.lang.NullPointerException", Message: `Cannot read the array length because "addresses" is null`, Cause: err}
		}
		if last = err; errors.Is(err, errNoSuchName) {
			break
		}
	}
	return nil, &wire.Error{Class: classUnknownHost, Message: "Failed to resolve host name: " + host, Cause: last}
}

// server returns the address of a server, without a name that of this machine.
func (c *dnsCache) server(ctx context.Context, name, port string) (string, error) {
	if name == "" {
		name = "127.0.0.1"
	}
	if ip, ok := wire.Literal(name); ok {
		return net.JoinHostPort(ip.String(), port), nil
	}
	found, err := c.system.Lookup(ctx, name)
	if err == nil && len(found) == 0 {
		err = errNoSuchName
	}
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(found[0].IP.String(), port), nil
}

const classUnknownHost = "java.net.UnknownHostException"
