package api

import (
	"strconv"

	"github.com/gojm/gojm/engine/script"
)

var (
	contextClass = script.NewClass("org.apache.jmeter.threads.JMeterContext", script.ObjectClass())
	actionClass  = script.NewClass("org.apache.jmeter.threads.JMeterContext.TestLogicalAction", script.ObjectClass())
	threadClass  = script.NewClass("org.apache.jmeter.threads.JMeterThread", script.ObjectClass())
	groupClass   = script.NewClass("org.apache.jmeter.threads.ThreadGroup", script.ObjectClass())
	engineClass  = script.NewClass("org.apache.jmeter.engine.StandardJMeterEngine", script.ObjectClass())
	samplerClass = script.NewClass("org.apache.jmeter.samplers.AbstractSampler", script.ObjectClass())
	eventClass   = script.NewClass("org.apache.jmeter.samplers.SampleEvent", script.ObjectClass())
	utilsClass   = script.NewClass("org.apache.jmeter.util.JMeterUtils", script.ObjectClass())
	serverClass  = script.NewClass("org.apache.jmeter.services.FileServer", script.ObjectClass())
	serviceClass = script.NewClass("org.apache.jmeter.threads.JMeterContextService", script.ObjectClass())
)

// context is ctx.
type context struct{ h *Host }

func (*context) JavaClass() *script.Class { return contextClass }

// action is a TestLogicalAction.
type action Action

func (action) JavaClass() *script.Class { return actionClass }
func (a action) String() string         { return string(a) }

// part is one of the small objects behind ctx: thread, group, engine, file server.
type part struct {
	class *script.Class
	h     *Host
}

func (p *part) JavaClass() *script.Class { return p.class }

// sampler is the current sampler.
type sampler struct{ s Sampler }

func (*sampler) JavaClass() *script.Class { return samplerClass }

// String is the name.
func (s *sampler) String() string { return s.s.Name() }

// Equal makes sampler equal to ctx.getCurrentSampler().
func (s *sampler) Equal(v script.Value) bool {
	o, ok := v.(*sampler)
	return ok && o.s == s.s
}

// Event is the sampleEvent of listener scripts.
type Event struct {
	Result   Result
	Group    string
	Hostname string
}

// JavaClass is SampleEvent.
func (*Event) JavaClass() *script.Class { return eventClass }

func setAction(c *script.Call) (script.Value, error) {
	a, ok := c.Args[0].(action)
	h := hostOf(c)
	if !ok || h.Thread == nil {
		return nil, script.MissingMethod(c.Self, "setTestLogicalAction", c.Args)
	}
	switch Action(a) {
	case stopThread:
		h.Thread.StopThread()
	case stopTest, stopTestNow:
		h.Thread.StopTest(Action(a) == stopTestNow)
	default:
		h.Thread.Do(Action(a))
	}
	return nil, nil
}

// opt wraps a sampler, or gives null.
func opt(s Sampler) script.Value {
	if s == nil {
		return nil
	}
	return &sampler{s}
}

func init() {
	actionClass.Fields = map[string]script.Value{}
	for _, a := range []Action{Continue, StartNextIteration, StartNextLoop, BreakCurrentLoop, stopThread, stopTest, stopTestNow} {
		actionClass.Fields[string(a)] = action(a)
	}
	h := func(c *script.Call) *Host { return c.Self.(*context).h }
	contextClass.Methods = script.Methods{
		"getVariables": get(func(c *script.Call) script.Value {
			if h(c).Vars == nil {
				return nil
			}
			return &vars{h(c)}
		}),
		"getProperties": get(func(c *script.Call) script.Value {
			if h(c).Props == nil {
				return nil
			}
			return &props{h(c).Props}
		}),
		"getPreviousResult": get(func(c *script.Call) script.Value {
			if h(c).Prev == nil {
				return nil
			}
			return &result{h(c).Prev}
		}),
		"getCurrentSampler":  get(func(c *script.Call) script.Value { return opt(h(c).Sampler) }),
		"getPreviousSampler": get(func(c *script.Call) script.Value { return opt(h(c).PreviousSampler) }),
		"getThreadNum":       get(func(c *script.Call) script.Value { return int32(h(c).Thread.Number()) }),
		"getThread":          get(func(c *script.Call) script.Value { return &part{threadClass, h(c)} }),
		"getThreadGroup":     get(func(c *script.Call) script.Value { return &part{groupClass, h(c)} }),
		"getEngine":          get(func(c *script.Call) script.Value { return &part{engineClass, h(c)} }),
		"getSamplerContext": get(func(c *script.Call) script.Value {
			if h(c).Context == nil {
				h(c).Context = script.NewMap()
			}
			return h(c).Context
		}),
		"isSamplingStarted":    get(func(*script.Call) script.Value { return true }),
		"setTestLogicalAction": script.NewMethod(1, 1, setAction),
		"setStartNextThreadLoop": script.NewMethod(1, 1, none(func(c *script.Call) {
			if c.Bool(0) {
				h(c).Thread.Do(StartNextIteration)
			}
		})),
		"setVariables": script.NewMethod(1, 1, none(func(*script.Call) {})),
	}
	p := func(c *script.Call) *Host { return c.Self.(*part).h }
	stop := func(now bool) *script.Method {
		return script.NewMethod(0, 1, none(func(c *script.Call) { p(c).Thread.StopTest(now || c.N() == 1 && c.Bool(0)) }))
	}
	threadClass.Methods = script.Methods{
		"getThreadName": get(func(c *script.Call) script.Value { return p(c).Thread.Name() }),
		"getName":       get(func(c *script.Call) script.Value { return p(c).Thread.Name() }),
		"getThreadNum":  get(func(c *script.Call) script.Value { return int32(p(c).Thread.Number()) }),
		"stop":          script.NewMethod(0, 0, none(func(c *script.Call) { p(c).Thread.StopThread() })),
	}
	groupClass.Methods = script.Methods{
		"getName":            get(func(c *script.Call) script.Value { return p(c).Thread.GroupName() }),
		"getNumThreads":      get(func(c *script.Call) script.Value { return int32(p(c).Thread.GroupThreads()) }),
		"getNumberOfThreads": get(func(c *script.Call) script.Value { return int32(p(c).Thread.GroupThreads()) }),
	}
	// stopTest() without an argument stops now, as in JMeter's engine.
	engineClass.Methods = script.Methods{
		"stopTest":         script.NewMethod(0, 1, none(func(c *script.Call) { p(c).Thread.StopTest(c.N() == 0 || c.Bool(0)) })),
		"askThreadsToStop": stop(false),
	}
	initSampler()
	initTables()
	eventClass.Methods = script.Methods{
		"getResult":      get(func(c *script.Call) script.Value { return &result{c.Self.(*Event).Result} }),
		"getThreadGroup": get(func(c *script.Call) script.Value { return c.Self.(*Event).Group }),
		"getHostname":    get(func(c *script.Call) script.Value { return c.Self.(*Event).Hostname }),
	}
	initStatics()
}

// httpProperties are the getters and setters of HTTP samplers by property.
var httpProperties = map[string]string{"Domain": "HTTPSampler.domain", "Path": "HTTPSampler.path", "Protocol": "HTTPSampler.protocol", "Method": "HTTPSampler.method",
	"ContentEncoding": "HTTPSampler.contentEncoding", "Comment": "TestPlan.comments", "EmbeddedUrlRE": "HTTPSampler.embedded_url_re",
	"ConnectTimeout": "HTTPSampler.connect_timeout", "ResponseTimeout": "HTTPSampler.response_timeout", "ProxyHost": "HTTPSampler.proxyHost"}

func initSampler() {
	s := func(c *script.Call) Sampler { return c.Self.(*sampler).s }
	m := script.Methods{
		"getName": get(func(c *script.Call) script.Value { return s(c).Name() }),
		"setName": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			n := c.Str(0)
			if err := c.Err(); err != nil {
				return nil, err
			}
			s(c).SetName(n)
			return nil, nil
		}),
		"getThreadName": get(func(c *script.Call) script.Value {
			if t := hostOf(c).Thread; t != nil {
				return t.Name()
			}
			return ""
		}),
		"getPropertyAsString": script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
			v := s(c).Property(c.Str(0))
			if v == "" && c.N() == 2 {
				return c.Args[1], nil
			}
			return v, nil
		}),
		"getPropertyAsInt": script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
			n, _ := strconv.Atoi(s(c).Property(c.Str(0)))
			return int32(n), nil
		}),
		"getPropertyAsBoolean": script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
			return s(c).Property(c.Str(0)) == "true", nil
		}),
		"setProperty": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			n := c.Str(0)
			if err := c.Err(); err != nil {
				return nil, err
			}
			v, _ := script.ToString(c.Args[1])
			s(c).SetProperty(n, v)
			return nil, nil
		}),
		"getPort": get(func(c *script.Call) script.Value {
			n, _ := strconv.Atoi(s(c).Property("HTTPSampler.port"))
			return int32(n)
		}),
		"setPort":    script.NewMethod(1, 1, none(func(c *script.Call) { s(c).SetProperty("HTTPSampler.port", strconv.Itoa(c.Int(0))) })),
		"setEnabled": script.NewMethod(1, 1, none(func(c *script.Call) { s(c).SetProperty("TestElement.enabled", strconv.FormatBool(c.Bool(0))) })),
		"setFollowRedirects": script.NewMethod(1, 1, none(func(c *script.Call) {
			s(c).SetProperty("HTTPSampler.follow_redirects", strconv.FormatBool(c.Bool(0)))
		})),
		"setPostBodyRaw": script.NewMethod(1, 1, none(func(c *script.Call) {
			s(c).SetProperty("HTTPSampler.postBodyRaw", strconv.FormatBool(c.Bool(0)))
		})),
	}
	for n, property := range httpProperties {
		m["get"+n] = get(func(c *script.Call) script.Value { return s(c).Property(property) })
		m["set"+n] = script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			v := c.Str(0)
			if err := c.Err(); err != nil {
				return nil, err
			}
			s(c).SetProperty(property, v)
			return nil, nil
		})
	}
	samplerClass.Methods = m
	for _, n := range []string{"org.apache.jmeter.protocol.http.sampler.HTTPSamplerProxy", "org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase"} {
		script.NewClass(n, samplerClass)
	}
}

func initStatics() {
	lookup := func(c *script.Call) (string, bool) {
		if p := hostOf(c).Props; p != nil {
			return p.Lookup(c.Str(0))
		}
		return "", false
	}
	utilsClass.Static = script.Methods{
		"getPropDefault": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			s, ok := lookup(c)
			if !ok {
				return c.Args[1], nil
			}
			switch c.Args[1].(type) {
			case int32:
				if n, err := strconv.ParseInt(s, 10, 32); err == nil {
					return int32(n), nil
				}
				return c.Args[1], nil
			case int64:
				if n, err := strconv.ParseInt(s, 10, 64); err == nil {
					return n, nil
				}
				return c.Args[1], nil
			case bool:
				return s == "true" || s == "TRUE", nil
			}
			return s, nil
		}),
		"getProperty": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			if s, ok := lookup(c); ok {
				return s, nil
			}
			return nil, nil
		}),
		"setProperty": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			p := hostOf(c).Props
			if p == nil {
				return nil, nil
			}
			n, v := c.Str(0), c.Str(1)
			if err := c.Err(); err != nil {
				return nil, err
			}
			old := p.Object(n)
			p.PutObject(n, v)
			return old, nil
		}),
		"getJMeterProperties": get(func(c *script.Call) script.Value {
			if p := hostOf(c).Props; p != nil {
				return &props{p}
			}
			return nil
		}),
		"getJMeterVersion": get(func(c *script.Call) script.Value {
			if p := hostOf(c).Props; p != nil {
				if s, ok := p.Lookup("jmeter.version"); ok {
					return s
				}
			}
			return "5.6.3"
		}),
	}
	serverClass.Static = script.Methods{"getFileServer": get(func(c *script.Call) script.Value { return &part{serverClass, hostOf(c)} })}
	serverClass.Methods = script.Methods{
		"getBaseDir": get(func(c *script.Call) script.Value {
			if p := c.Self.(*part).h.Plan; p != nil {
				return p.BaseDir()
			}
			return nil
		}),
		"getScriptName": get(func(c *script.Call) script.Value {
			if p := c.Self.(*part).h.Plan; p != nil {
				return p.ScriptName()
			}
			return nil
		}),
	}
	serviceClass.Static = script.Methods{"getContext": get(func(c *script.Call) script.Value { return &context{hostOf(c)} })}
}
