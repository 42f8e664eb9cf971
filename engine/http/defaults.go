package http

import "github.com/gojm/gojm/engine/elem"

func init() {
	elem.Register[defaults](elem.Spec{Class: "ConfigTestElement", GUI: "HttpDefaultsGui", Title: "HTTP Request Defaults", Kind: elem.KindConfig, Status: elem.Full})
}

// defaults are HTTP Request Defaults: the engine merges them into the samplers
// in their scope.
type defaults struct{ s sampler }

func (d *defaults) Props(p *elem.Props) { d.s.declare(p) }
