package backend

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// influx writes the lines of JMeter's InfluxdbBackendListenerClient.
type influx struct {
	table
	measurement, application, title string
	tags, eventTags                 string // the user's, and those of events
	summary                         bool
	labels                          *regex.Regexp
	percentiles                     []float32
	begun                           bool
}

func openInflux(a arguments, s settings) (client, sender, error) {
	c := &influx{table: newTable(s),
		measurement: tag(a.get("measurement", "jmeter")), application: tag(a.get("application", "")),
		title: a.get("testTitle", "Test"), eventTags: tag(a.get("eventTags", "")), summary: a.flag("summaryOnly", false),
		percentiles: percentiles(a.get("percentiles", ""))}
	var err error
	if c.labels, err = regex.Compile(a.get("samplersRegex", ""), regex.Java); err != nil {
		return nil, nil, err
	}
	for _, name := range a.names {
		value := a.values[name]
		if rest, ok := strings.CutPrefix(name, "TAG_"); ok && strings.TrimSpace(value) != "" {
			c.tags += "," + tag(rest) + "=" + tag(value)
		}
	}
	to, err := influxSender(a)
	return c, to, err
}

func influxSender(a arguments) (sender, error) {
	address := a.get("influxdbUrl", "")
	if strings.HasSuffix(a.get("influxdbMetricsSender", ""), ".UdpMetricsSender") {
		return newUDPSender(address)
	}
	return newHTTPSender(address, a.get("influxdbToken", ""), time.Second, 3*time.Second)
}

var tagEscapes = strings.NewReplacer(" ", `\ `, ",", `\,`, "=", `\=`, "\n", `\n`)

// tag is a text as a tag's value.
func tag(s string) string { return tagEscapes.Replace(strings.TrimSpace(s)) }

// percentiles reads 90;95;99; what is no number is left out.
func percentiles(s string) (out []float32) {
	for part := range strings.SplitSeq(s, ";") {
		f, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err == nil && f > 0 && f <= 100 {
			out = append(out, float32(f))
		}
	}
	return out
}

func (c *influx) add(s *jtl.Sample, active int64) {
	c.table.add(s, active, !c.summary && c.labels.ContainsString(s.Label))
}

func (c *influx) render(dst []byte, r *vu.Run, last bool) []byte {
	now := time.Now().UnixMilli()
	end := func() {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, now, 10)
		dst = append(dst, "000000\n"...)
	}
	event := func(what string) {
		dst = append(dst, "events,application="+c.application+",title=ApacheJMeter"+c.tags...)
		if c.eventTags != "" {
			dst = append(dst, ",tags="+c.eventTags...)
		}
		dst = append(dst, ` text="`+strings.ReplaceAll(strings.TrimSpace(c.title+what), `"`, `\"`)+`"`...)
		end()
	}
	line := func(tags string) { dst = append(dst, c.measurement+",application="+c.application+tags+c.tags+" "...) }
	if !c.begun {
		c.begun = true
		event(" started")
	}
	if last {
		event(" ended")
	}
	if f := c.all; f != nil {
		if f.total() > 0 {
			line(",transaction=all,statut=all")
			dst = integer(dst, "count=", f.total())
			dst = integer(dst, ",countError=", f.failures)
			dst = statistics(dst, &f.ok)
			dst = c.traffic(dst, f)
			dst = c.appendPercentiles(dst, &f.percentiles)
			end()
		}
		f.interval()
	}
	for _, label := range c.table.labels {
		f, transaction := c.byLabel[label], ",transaction="+tag(label)
		for _, part := range []struct {
			status string
			count  int64
			w, of  *window
		}{{"all", f.total(), &f.all, &f.percentiles}, {"ok", f.successes, &f.ok, &f.ok}, {"ko", f.failures, &f.ko, &f.ko}} {
			if part.count <= 0 {
				continue
			}
			line(transaction + ",statut=" + part.status)
			dst = integer(dst, "count=", part.count)
			dst = statistics(dst, part.w)
			dst = c.traffic(dst, f)
			dst = c.appendPercentiles(dst, part.of)
			end()
		}
		for _, e := range f.errorsInTurn {
			if e.count > 0 {
				line(transaction + ",responseCode=" + tag(e.code) + ",responseMessage=" + tag(e.message))
				dst = integer(dst, "count=", e.count)
				end()
			}
		}
		f.interval()
	}
	least, greatest, mean := c.active()
	line(",transaction=internal")
	dst = integer(dst, "minAT=", least)
	dst = integer(dst, ",maxAT=", greatest)
	dst = integer(dst, ",meanAT=", mean)
	dst = integer(dst, ",startedT=", r.Started.Load())
	dst = integer(dst, ",endedT=", r.Finished.Load())
	end()
	return dst
}

func integer(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(dst, name...), n, 10)
}

// statistics are those that there are.
func statistics(dst []byte, w *window) []byte {
	for _, x := range []struct {
		name  string
		value float64
	}{{",avg=", w.mean()}, {",min=", w.min()}, {",max=", w.max()}} {
		if !math.IsNaN(x.value) {
			dst = java.AppendDouble(append(dst, x.name...), x.value)
		}
	}
	return dst
}

func (c *influx) traffic(dst []byte, f *figures) []byte {
	dst = integer(dst, ",hit=", f.hits)
	dst = integer(dst, ",sb=", f.sent)
	return integer(dst, ",rb=", f.got)
}

func (c *influx) appendPercentiles(dst []byte, w *window) []byte {
	for _, p := range c.percentiles {
		dst = append(dst, ",pct"+java.FormatFloat(p)+"="...)
		dst = java.AppendDouble(dst, w.percentile(float64(p)))
	}
	return dst
}

// raw writes a line for each sample, as JMeter's InfluxDBRawBackendListenerClient.
type raw struct {
	measurement string
	atStart     bool // the time of a sample is that of its start
	lines       []byte
}

func openRaw(a arguments, s settings) (client, sender, error) {
	to, err := influxSender(a)
	return &raw{measurement: a.get("measurement", "jmeter"), atStart: s.stampStart}, to, err
}

func (c *raw) add(s *jtl.Sample, _ int64) {
	status := "ok"
	if s.Errors() != 0 {
		status = "ko"
	}
	thread := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s.ThreadName)
	c.lines = append(c.lines, c.measurement+",status="+status+",transaction="+tag(strings.Trim(s.Label, `" `))+",threadName="+thread+" "...)
	c.lines = integer(c.lines, "duration=", s.Elapsed)
	c.lines = integer(c.lines, ",ttfb=", s.Latency)
	c.lines = integer(c.lines, ",connectTime=", s.Connect)
	stamp := s.End
	if c.atStart {
		stamp = s.Start
	}
	c.lines = append(integer(c.lines, " ", stamp), "000000\n"...)
}

func (c *raw) render(dst []byte, _ *vu.Run, _ bool) []byte {
	dst = append(dst, c.lines...)
	c.lines = c.lines[:0]
	return dst
}
