package htmlreport

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gojm/gojm/jtl"
)

const customs = "Customs Graphs"

// customMean gathers the values of one interval.
type customMean struct {
	n   int64
	sum float64
}

func (m *customMean) merge(o *customMean) { m.n += o.n; m.sum += o.sum }

// customSeries gathers one custom graph.
type customSeries struct {
	graph  *CustomGraph
	value  func(r *jtl.Row) (float64, bool, error)
	values timeline[customMean, *customMean]
}

// numericColumns are the columns of JMeter's that a custom graph can show.
var numericColumns = map[string]func(r *jtl.Row) int64{
	"timeStamp":   func(r *jtl.Row) int64 { return r.TimeStamp },
	"elapsed":     func(r *jtl.Row) int64 { return r.Elapsed },
	"bytes":       func(r *jtl.Row) int64 { return r.Bytes },
	"sentBytes":   func(r *jtl.Row) int64 { return r.SentBytes },
	"grpThreads":  func(r *jtl.Row) int64 { return r.GroupThreads },
	"allThreads":  func(r *jtl.Row) int64 { return r.AllThreads },
	"Latency":     func(r *jtl.Row) int64 { return r.Latency },
	"IdleTime":    func(r *jtl.Row) int64 { return r.IdleTime },
	"Connect":     func(r *jtl.Row) int64 { return r.Connect },
	"SampleCount": func(r *jtl.Row) int64 { return r.SampleCount },
	"ErrorCount":  func(r *jtl.Row) int64 { return r.ErrorCount },
}

// bind finds the graph's variable in a file.
func (c *customSeries) bind(info *jtl.Info) error {
	name := strings.Trim(c.graph.Variable, `"`)
	for i, x := range info.Extra {
		if x.Name == name {
			c.value = func(r *jtl.Row) (float64, bool, error) { return parseValue(r.Extra[i]) }
			return nil
		}
	}
	if get := numericColumns[name]; get != nil {
		c.value = func(r *jtl.Row) (float64, bool, error) { return float64(get(r)), true, nil }
		return nil
	}
	return fmt.Errorf("property %s%s.property.set_Sample_Variable_Name: the result file has no variable or numeric column %q",
		graphPrefix, c.graph.ID, name)
}

// parseValue reads a variable; one that was not set is no point.
func parseValue(b []byte) (float64, bool, error) {
	if len(b) == 0 || string(b) == "null" {
		return 0, false, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	if err != nil {
		return 0, false, fmt.Errorf("%q is not a number", b)
	}
	return v, true, nil
}

func (c *customSeries) add(r *jtl.Row) error {
	if c.graph.ExcludeControllers && r.IsTransaction() {
		return nil
	}
	v, ok, err := c.value(r)
	if err != nil {
		return fmt.Errorf("graph %s: line %d: variable %s: %w", c.graph.ID, r.Line, c.graph.Variable, err)
	}
	if !ok {
		return nil
	}
	m, _ := c.values.at(bucket(r.End, c.graph.Granularity))
	m.n++
	m.sum += v
	return nil
}

// build is the finished graph.
func (c *customSeries) build() Graph {
	s := Series{Name: strings.Trim(c.graph.Variable, `"`)}
	for _, m := range c.values.inOrder() {
		s.point(float64(m.at), m.value.sum/float64(m.value.n))
	}
	return Graph{ID: c.graph.ID, Title: c.graph.Title, Page: customs, XAxis: c.graph.XAxis, YAxis: c.graph.YAxis,
		OverTime: true, Granularity: c.graph.Granularity, Content: c.graph.Content, Series: []Series{s}}
}
