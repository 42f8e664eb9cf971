package backend

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[listener](elem.Spec{
		Class: "BackendListener", Title: "Backend Listener", Kind: elem.KindListener, Status: elem.Partial,
		Note: "InfluxDB (HTTP, UDP, raw) and Graphite (text); no pickle, no other clients",
	})
}

// listener gives each sample of its scope to a client, which sends figures. Those
// of one name share a client.
type listener struct {
	place       string
	name        expr.Text
	class       string
	args        []elem.Arg
	settings    settings
	thread      *vu.Thread
	unsupported bool
	feed        *feed
}

// client is one kind of receiver. Its methods are called with the feed locked.
type client interface {
	// add takes a sample in; active is the number of threads.
	add(s *jtl.Sample, active int64)
	// render appends what is to be sent now and begins a new interval; last is the
	// end of the test.
	render(dst []byte, r *vu.Run, last bool) []byte
}

// kind is how a client is made.
type kind struct {
	interval string // property: seconds between sends
	seconds  int64
	atOnce   bool // the first is sent at the start
	open     func(a arguments, s settings) (client, sender, error)
	senders  []string
	sender   string // argument
}

const own = "org.apache.jmeter.visualizers.backend."

var kinds = map[string]*kind{
	own + "influxdb.InfluxdbBackendListenerClient": {
		"backend_influxdb.send_interval", 5, true, openInflux,
		[]string{"", own + "influxdb.HttpMetricsSender", own + "influxdb.UdpMetricsSender"}, "influxdbMetricsSender",
	},
	own + "influxdb.InfluxDBRawBackendListenerClient": {
		"", 1, false, openRaw,
		[]string{"", own + "influxdb.HttpMetricsSender", own + "influxdb.UdpMetricsSender"}, "influxdbMetricsSender",
	},
	own + "graphite.GraphiteBackendListenerClient": {
		"backend_graphite.send_interval", 1, false, openGraphite,
		[]string{"", own + "graphite.TextGraphiteMetricsSender"}, "graphiteMetricsSender",
	},
}

func (c *listener) Props(p *elem.Props) {
	c.place, c.name = p.Place(), p.Name()
	c.class = strings.TrimSpace(p.Raw("classname", "", "class of JMeter's client"))
	p.Args(&c.args, "arguments", "the client's settings")
	p.Ignore("QUEUE_SIZE") // there is no queue
	c.settings = settingsOf(p)
	if p.Run() == nil {
		return
	}
	c.thread = p.Compiler().Engine
	k := kinds[c.class]
	if k == nil {
		c.unsupported = true
		p.Refuse("option", "classname", "no client %q, only InfluxDB's and Graphite's", c.class)
		return
	}
	for _, a := range c.args {
		if a.Name.Source() == k.sender && a.Value.IsConst() && !contains(k.senders, a.Value.Source()) {
			c.unsupported = true
			p.Refuse("option", k.sender, "no sender %q", a.Value.Source())
		}
	}
	if e := p.Property("backend_metrics_percentile_estimator", "LEGACY"); e != "LEGACY" {
		p.Refuse("option", "backend_metrics_percentile_estimator", "only LEGACY, not %q", e)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Needs: only figures are read.
func (c *listener) Needs() elem.Needs { return 0 }

// arguments are the settings by name; of a name that is there twice the first
// counts.
type arguments struct {
	names  []string
	values map[string]string
}

func (a arguments) get(name, def string) string {
	if v, ok := a.values[name]; ok {
		return v
	}
	return def
}

func (a arguments) flag(name string, def bool) bool {
	if v, ok := a.values[name]; ok {
		return strings.EqualFold(v, "true")
	}
	return def
}

// feed is a client at work.
type feed struct {
	run    *vu.Run
	place  string
	sender sender
	mu     sync.Mutex
	client client
	quit   chan struct{}
	done   chan struct{}
	ended  bool
	told   bool // that something could not be sent
}

type feedKey struct{ name string }

// TestStart opens the client; one of the same name is shared.
func (c *listener) TestStart(r *vu.Run) error {
	if c.unsupported {
		return nil
	}
	a := arguments{values: map[string]string{}}
	for _, x := range c.args {
		if n := x.Name.Eval(c.thread); !has(a.values, n) {
			a.names = append(a.names, n)
			a.values[n] = x.Value.Eval(c.thread)
		}
	}
	k := kinds[c.class]
	var err error
	c.feed = vu.Shared(r, feedKey{c.name.Eval(c.thread)}, func() *feed {
		f := &feed{run: r, place: c.place, quit: make(chan struct{}), done: make(chan struct{})}
		if f.client, f.sender, err = k.open(a, c.settings); err == nil {
			go f.loop(time.Duration(max(1, r.Props.Int(k.interval, k.seconds)))*time.Second, k.atOnce)
		}
		return f
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c.place, err)
	}
	return nil
}

func has(m map[string]string, name string) bool { _, ok := m[name]; return ok }

// loop sends at each interval.
func (f *feed) loop(every time.Duration, atOnce bool) {
	defer close(f.done)
	if atOnce {
		f.send(false)
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			f.send(false)
		case <-f.quit:
			return
		}
	}
}

// send sends what there is. What cannot be sent is lost, which is logged each
// time and shown once.
func (f *feed) send(last bool) {
	f.mu.Lock()
	payload := f.client.render(nil, f.run, last)
	f.mu.Unlock()
	if len(payload) == 0 {
		return
	}
	if err := f.sender.send(payload); err != nil {
		f.run.Log.Error("Metrics are not sent", "logger", "o.a.j.v.b.BackendListener", "err", err)
		if !f.told {
			f.told = true
			fmt.Fprintf(f.run.Err, "%s: metrics are not sent, the log has more: %v\n", f.place, err)
		}
	}
}

func (c *listener) Sampled(t *vu.Thread, s *jtl.Sample) {
	c.feed.mu.Lock()
	defer c.feed.mu.Unlock()
	c.feed.client.add(s, t.Run.Active.Load())
}

// TestEnd sends the last figures, once for all listeners of the name.
func (c *listener) TestEnd(*vu.Run) error {
	f := c.feed
	if f == nil || f.sender == nil || f.ended {
		return nil
	}
	f.ended = true
	close(f.quit)
	<-f.done
	f.send(true)
	f.sender.close()
	return nil
}

var (
	_ elem.Listener    = (*listener)(nil)
	_ elem.Needer      = (*listener)(nil)
	_ elem.TestStarter = (*listener)(nil)
	_ elem.TestEnder   = (*listener)(nil)
)
