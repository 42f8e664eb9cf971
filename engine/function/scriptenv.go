package function

import (
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
)

// env gives a script what JMeter binds for functions: log, ctx, vars, props,
// threadName, sampler, the previous result and OUT.
//
// In Groovy that result is prev, and what is not there is not bound; the others
// call it sampleResult, and have null in its place.
func (f *scriptFunction) env(seat host.Seat, t *vu.Thread) *script.Env {
	e, h := host.Env(t), seat.Host(t)
	h.Log = host.Log(t.Log(), "o.a.j.f."+f.class)
	if t.Vars == nil {
		bare := *h
		bare.Vars, h = nil, &bare
	}
	if f.lang == "groovy" {
		api.Bind(&e, h)
		return &e
	}
	h.Result, h.ResultName = h.Prev, "sampleResult"
	api.Bind(&e, h)
	delete(e.Bindings, "prev")
	for _, name := range []string{"vars", "sampler", "sampleResult"} {
		if _, ok := e.Bindings[name]; !ok {
			e.Bindings[name] = nil
		}
	}
	if f.lang == "javascript" {
		delete(e.Bindings, "OUT")
	}
	return &e
}
