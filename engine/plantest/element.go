package plantest

import (
	"fmt"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[sampler](elem.Spec{Class: "plantest.Sampler", Title: "Sampler of tests", Kind: elem.KindSampler, Status: elem.Partial})
	elem.Register[listener](elem.Spec{Class: "plantest.Recorder", Title: "Recorder of tests", Kind: elem.KindListener, Status: elem.Partial})
}

// sampler samples its label.
type sampler struct {
	sleep expr.Long
	fail  expr.Bool
}

func (c *sampler) Props(p *elem.Props) {
	p.Long(&c.sleep, "sleep", "0", "ms")
	p.Bool(&c.fail, "fail", false, "the sample fails")
}

func (c *sampler) Sample(t *vu.Thread, s *jtl.Sample) bool {
	whole := t.SleepInSample(time.Duration(c.sleep.Eval(t)) * time.Millisecond)
	s.Success = !c.fail.Eval(t) && whole
	return true
}

// recorder keeps the samples of a run.
type recorder struct {
	mu      sync.Mutex
	samples []*jtl.Sample
	started []time.Time
}

// listener hands samples to its recorder, found by a property.
type listener struct{ to *recorder }

const recorderProperty = "plantest.recorder"

var recorders = struct {
	sync.Mutex
	m map[string]*recorder
}{m: map[string]*recorder{}}

func register(r *recorder) string {
	recorders.Lock()
	defer recorders.Unlock()
	name := fmt.Sprintf("%p", r)
	recorders.m[name] = r
	return name
}

func forget(r *recorder) {
	recorders.Lock()
	defer recorders.Unlock()
	delete(recorders.m, fmt.Sprintf("%p", r))
}

func (l *listener) Props(p *elem.Props) {
	recorders.Lock()
	defer recorders.Unlock()
	l.to = recorders.m[p.Property(recorderProperty, "")]
}

func (l *listener) Sampled(_ *vu.Thread, s *jtl.Sample) {
	l.to.mu.Lock()
	defer l.to.mu.Unlock()
	l.to.samples = append(l.to.samples, s.Clone())
	l.to.started = append(l.to.started, time.UnixMilli(s.Start))
}

var (
	_ elem.Sampler  = (*sampler)(nil)
	_ elem.Listener = (*listener)(nil)
)
