package listener

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[collector](elem.Spec{
		Class: "ResultCollector", Title: "Result Collector (any listener of JMeter)", Kind: elem.KindListener, Status: elem.Full,
		Note: "writes its file when it has one, does nothing else",
	})
	// the graphs of the jp@gc plug-ins write as JMeter's own listeners do
	for _, class := range []string{"kg.apc.jmeter.vizualizers.CorrectedResultCollector", "kg.apc.jmeter.vizualizers.CompositeResultCollector"} {
		elem.Register[collector](elem.Spec{
			Class: class, Title: "jp@gc graph", Kind: elem.KindListener, Status: elem.Partial,
			Note: "writes its file when it has one, does nothing else",
		})
	}
}

// collector writes samples to a file (JMeter manual, "Simple Data Writer"). One
// without a file name does nothing. The file of -l is one, too.
type collector struct {
	place        string
	file         expr.Text
	errorsOnly   bool
	successOnly  bool
	cfg          jtl.Config
	needs        elem.Needs
	out          *jtl.Collector
	thread       *vu.Thread
	hasVariables bool
	withHealth   bool
	health       *health // how the generator fares, beside the file
}

func (c *collector) Props(p *elem.Props) {
	c.place = p.Place()
	p.Text(&c.file, "filename", "", "result file; ~/ at its start is the plan's folder")
	p.Flag(&c.errorsOnly, "ResultCollector.error_logging", false, "only failed samples")
	p.Flag(&c.successOnly, "ResultCollector.success_only_logging", false, "only successful samples")
	p.Flag(&c.withHealth, jtl.HealthProperty, false, "record the generator's health beside the file")
	save := p.Object("saveConfig", "what is saved; absent: the jmeter.save.saveservice properties")
	p.Ignore("interval_grouping", "graph_aggregated", "include_sample_labels", "exclude_sample_labels", "start_offset", "end_offset",
		"include_checkbox_state", "exclude_checkbox_state")
	if p.Run() == nil || c.file.Source() == "" {
		return
	}
	c.thread = p.Compiler().Engine
	cfg, err := jtl.ConfigFromProperties(p.Run().Props.Lookup)
	if err == nil && save != nil {
		err = cfg.SetPlanFlags(save)
	}
	if err != nil {
		p.Wrong("saveConfig", "%v", err)
	}
	c.cfg, c.hasVariables = cfg, len(cfg.Variables) > 0
	if cfg.Format == jtl.XML {
		if cfg.ResponseData || cfg.ResponseDataOnError {
			c.needs |= elem.NeedBody
		}
		if cfg.RequestHeaders {
			c.needs |= elem.NeedRequestHeaders
		}
		if cfg.ResponseHeaders {
			c.needs |= elem.NeedResponseHeaders
		}
		if cfg.SamplerData || cfg.ResponseDataOnError {
			c.needs |= elem.NeedSamplerData
		}
	}
}

// Needs are what the file holds of a response.
func (c *collector) Needs() elem.Needs { return c.needs }

type filesKey struct{}

// files are the result files of a run; a write that fails ends the run, since
// it would measure in vain.
func files(r *vu.Run) *jtl.Files {
	return vu.Shared(r, filesKey{}, func() *jtl.Files {
		return jtl.NewFiles(jtl.CreateOptions{
			OnError: func(err error) {
				r.Fail(fmt.Errorf("results cannot be written: %w", err))
				r.Stop(true, "results cannot be written")
			},
			OnWarning: func(text string) {
				fmt.Fprintf(r.Err, "Warning: %s\n", text)
				r.Log.Warn(text)
			},
		})
	})
}

// Open opens the file.
func (c *collector) Open(r *vu.Run) error {
	if c.thread == nil {
		return nil
	}
	name := c.file.Eval(c.thread)
	if name == "" {
		return nil
	}
	if r.Functional {
		c.cfg.Functional = true
		if c.cfg.Format == jtl.XML {
			c.needs = elem.NeedAll
		}
	}
	path := Resolve(r, c.cfg.BasePrefix, name)
	st, err := os.Stat(path)
	fresh := err != nil || st.Size() == 0
	out, err := files(r).Open(path, &c.cfg, jtl.FilterOf(c.errorsOnly, c.successOnly))
	if err != nil {
		return fmt.Errorf("%s: %w", c.place, err)
	}
	c.out = out
	if c.withHealth {
		if c.health, err = startHealth(r, path, out, fresh); err != nil { // the run is worth more than this
			fmt.Fprintf(r.Err, "Warning: the generator's health is not recorded: %v\n", err)
			r.Log.Warn("The generator's health is not recorded", "err", err)
		}
	}
	return nil
}

// Resolve is where a file named by a listener stands: with the prefix (~/) in
// the plan's folder, else in the working directory.
func Resolve(r *vu.Run, prefix, name string) string {
	if rest, ok := strings.CutPrefix(name, prefix); ok && prefix != "" {
		return filepath.Join(r.BaseDir, rest)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.WorkDir, name)
}

func (c *collector) TestEnd(r *vu.Run) error {
	if c.out == nil {
		return nil
	}
	if c.health != nil {
		c.health.stop()
		c.health = nil
	}
	_ = files(r).Close() // each file tells the run of its error, once
	return nil
}

func (c *collector) Sampled(t *vu.Thread, s *jtl.Sample) {
	if c.out == nil {
		return
	}
	if c.hasVariables {
		variables(t, s, c.cfg.Variables)
	}
	// the file tells the run of its errors, once
	_ = c.out.Write(s)
}

// variables notes the values of sample_variables, for the sample and its parts.
func variables(t *vu.Thread, s *jtl.Sample, names []string) {
	s.Vars = s.Vars[:0]
	for _, n := range names {
		if v, ok := t.Vars.Get(n); ok {
			s.Vars = append(s.Vars, &v)
		} else {
			s.Vars = append(s.Vars, nil)
		}
	}
}

var (
	_ elem.Listener  = (*collector)(nil)
	_ elem.Needer    = (*collector)(nil)
	_ elem.Opener    = (*collector)(nil)
	_ elem.TestEnder = (*collector)(nil)
)
