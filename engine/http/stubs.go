package http

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

type cacheManager struct{}

func (*cacheManager) Props(p *elem.Props) {}

type cacheStore struct{}

func (*cacheStore) conditional(*address) conditional                              { return conditional{} }
func (*cacheStore) fresh(r *jtl.Sample, to *address, c *call) (bool, bool)        { return false, false }
func (*cacheStore) save(r *jtl.Sample, w *worker, to *address, m string, c *call) {}

type authManager struct{}

func (*authManager) Props(p *elem.Props) {}

func (*authManager) preemptive(*shared, *vu.Thread, *address) string { return "" }

type dnsCacheManager struct{}

func (*dnsCacheManager) Props(p *elem.Props)               {}
func (*dnsCacheManager) resolver(*vu.Thread) wire.Resolver { return nil }

type keystoreConfig struct{}

func (*keystoreConfig) Props(p *elem.Props)               {}
func (*keystoreConfig) tls(*vu.Thread) (*wire.TLS, error) { return nil, nil }

func (c *call) files0() bool                { return false }
func (c *call) readFile(r *jtl.Sample) bool { return true }
