package postproc

import (
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[debug](elem.Spec{
		Class: "DebugPostProcessor", Title: "Debug PostProcessor", Kind: elem.KindPost, Status: elem.Partial,
		Note: "of the sampler's properties shows those that the plan has: no managers, nothing that scripts changed",
	})
}

// debug adds a part to the sample that shows variables and properties. The sample
// lasts until then.
type debug struct {
	label                                   expr.Text
	settings, variables, properties, system expr.Bool
	rename                                  bool // parts are named after the whole
}

func (c *debug) Props(p *elem.Props) {
	c.label = p.Name()
	p.Bool(&c.settings, "displaySamplerProperties", true, "show the sampler's properties")
	p.Bool(&c.variables, "displayJMeterVariables", true, "show the variables")
	p.Bool(&c.properties, "displayJMeterProperties", false, "show the JMeter properties")
	p.Bool(&c.system, "displaySystemProperties", false, "show the system properties")
	c.rename = !strings.EqualFold(p.Property("subresults.disable_renaming", ""), "true")
}

// Needs: nothing of a response is read.
func (c *debug) Needs() elem.Needs { return 0 }

// ReadsSettings tells the engine to keep the sampler's properties.
func (c *debug) ReadsSettings() bool { return !c.settings.IsConst() || c.settings.Eval(nil) }

func (c *debug) After(t *vu.Thread, main *jtl.Sample) {
	sub := &jtl.Sample{SampleCount: 1}
	sub.Restart()
	var l vu.Listing
	if c.settings.Eval(t) {
		values := map[string]string{}
		var names []string
		if step := elem.LastStep(t); step != nil {
			for i := range step.Settings {
				s := &step.Settings[i]
				names = append(names, s.Name)
				values[s.Name] = s.Value(t)
			}
		}
		l.Section("SamplerProperties", names, func(n string) string { return values[n] })
	}
	if c.variables.Eval(t) {
		l.Variables(t)
	}
	if c.properties.Eval(t) {
		l.Properties(t.Run.Props)
	}
	if c.system.Eval(t) {
		l.System(t.Run.Props)
	}
	sub.SetBody(l.Body())
	sub.SamplerData, sub.HasSamplerData = l.Titles(), true
	sub.DataType, sub.Encoding = "text", "UTF-8"
	sub.Code, sub.Message, sub.Success = "200", "OK", true
	sub.ThreadName, sub.GroupThreads, sub.AllThreads = t.Name, int(t.Group.Active.Load()), int(t.Run.Active.Load())
	sub.Label = c.label.Eval(t)
	if c.rename && !t.Run.Functional {
		sub.Label = main.Label + "-" + strconv.Itoa(len(main.Subs))
	}
	sub.End = time.Now().UnixMilli()
	sub.Elapsed = sub.End - sub.Start
	main.AddSub(sub)
	main.Elapsed = main.End - main.Start - main.IdleTime
}

var (
	_ elem.PostProcessor  = (*debug)(nil)
	_ elem.SettingsReader = (*debug)(nil)
	_ elem.Needer         = (*debug)(nil)
)
