package backend

import (
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// graphite writes the lines of JMeter's GraphiteBackendListenerClient.
type graphite struct {
	table
	prefix      string
	summary     bool
	labels      *regex.Regexp // nil: wanted counts
	wanted      map[string]bool
	percentiles []percentile
}

type percentile struct {
	name  string // pct99_9
	value float64
}

func openGraphite(a arguments, s settings) (client, sender, error) {
	c := &graphite{table: newTable(s), prefix: a.get("rootMetricsPrefix", "jmeter."), summary: a.flag("summaryOnly", true), wanted: map[string]bool{}}
	format, err := java.ParseDecimalFormat("0.##")
	if err != nil {
		return nil, nil, err
	}
	for _, p := range percentiles(a.get("percentiles", "")) {
		c.percentiles = append(c.percentiles, percentile{"pct" + sanitize(format.FormatDouble(float64(p))), float64(p)})
	}
	list := a.get("samplersList", "")
	if a.flag("useRegexpForSamplersList", false) {
		if c.labels, err = regex.Compile(list, regex.Java); err != nil {
			return nil, nil, err
		}
	}
	for name := range strings.SplitSeq(list, ";") {
		c.wanted[name] = true
	}
	port := a.get("graphitePort", "")
	if _, ok := vu.ParseInt(port); !ok {
		port = "2003"
	}
	return c, &netSender{network: "tcp", address: net.JoinHostPort(a.get("graphiteHost", ""), port), timeout: time.Second}, nil
}

var unsuited = strings.NewReplacer(`\`, "-", " ", "-", ".", "_")

// sanitize is a text as a part of a metric's name.
func sanitize(s string) string { return unsuited.Replace(s) }

func (c *graphite) add(s *jtl.Sample, active int64) {
	named := !c.summary
	switch {
	case !named:
	case c.labels != nil:
		named = c.labels.MatchesString(s.Label)
	default:
		named = c.wanted[s.Label]
	}
	c.table.add(s, active, named)
}

func (c *graphite) render(dst []byte, r *vu.Run, _ bool) []byte {
	now := strconv.FormatInt(time.Now().Unix(), 10)
	prefix := ""
	count := func(name string, n int64) {
		dst = append(integer(dst, prefix+name+" ", n), " "+now+"\n"...)
	}
	value := func(name string, v float64) {
		dst = append(java.AppendDouble(append(dst, prefix+name+" "...), v), " "+now+"\n"...)
	}
	statistics := func(kind string, w, of *window) {
		value(kind+".min", w.min())
		value(kind+".max", w.max())
		value(kind+".avg", w.mean())
		for _, p := range c.percentiles {
			value(kind+"."+p.name, of.percentile(p.value))
		}
	}
	group := func(context string, f *figures) {
		if f.total() > 0 {
			prefix = c.prefix + context + "."
			count("ok.count", f.successes)
			count("ko.count", f.failures)
			count("a.count", f.total())
			count("h.count", f.hits)
			count("sb.bytes", f.sent)
			count("rb.bytes", f.got)
			if f.successes > 0 {
				statistics("ok", &f.ok, &f.ok)
			}
			if f.failures > 0 {
				statistics("ko", &f.ko, &f.ko)
			}
			statistics("a", &f.all, &f.percentiles)
		}
		f.interval()
	}
	if c.all != nil {
		group("all", c.all)
	}
	for _, label := range c.table.labels {
		group(sanitize(label), c.byLabel[label])
	}
	prefix = c.prefix + "test."
	least, greatest, mean := c.active()
	count("minAT", least)
	count("maxAT", greatest)
	count("meanAT", mean)
	count("startedT", r.Started.Load())
	count("endedT", r.Finished.Load())
	return dst
}
