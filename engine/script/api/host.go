package api

import (
	"github.com/gojm/gojm/engine/script"
)

// Vars are the variables of a thread.
type Vars interface {
	Object(name string) any // nil when not set, a string, or another value
	PutObject(name string, v any)
	Remove(name string)
	Names() []string
}

// Props are JMeter's properties, shared by all threads; implementations are safe for concurrent use. Scripts
// also keep objects in them.
type Props interface {
	Object(name string) any // nil when not set; system properties are not seen
	PutObject(name string, v any)
	Remove(name string)
	Names() []string
	// Lookup also sees system properties.
	Lookup(name string) (string, bool)
}

// Action is what a script asks the thread to do after the sample.
type Action string

// The actions, as org.apache.jmeter.threads.JMeterContext.TestLogicalAction names them.
const (
	Continue           Action = "CONTINUE"
	StartNextIteration Action = "START_NEXT_ITERATION_OF_THREAD"
	StartNextLoop      Action = "START_NEXT_ITERATION_OF_CURRENT_LOOP"
	BreakCurrentLoop   Action = "BREAK_CURRENT_LOOP"
	stopThread         Action = "STOP_THREAD"
	stopTest           Action = "STOP_TEST"
	stopTestNow        Action = "STOP_TEST_NOW"
)

// Thread is the thread a script runs in.
type Thread interface {
	Name() string   // Users 1-1
	Number() int    // 0-based
	Iteration() int // 1-based loop of the thread group
	GroupName() string
	GroupThreads() int // as configured
	StopThread()
	StopTest(now bool)
	Do(Action) // after the sample
}

// Sampler is the sampler at hand. Property names are those of the plan ("HTTPSampler.path"); changes last for
// the current sample.
type Sampler interface {
	Name() string
	SetName(string)
	Property(name string) string
	SetProperty(name, value string)
}

// Log takes what log.info and its like write; level is TRACE, DEBUG, INFO, WARN or ERROR. cause is the text of
// an exception, or empty.
type Log interface {
	Log(level, message, cause string)
}

// Plan tells where the plan lies.
type Plan interface {
	BaseDir() string    // FileServer.getBaseDir()
	ScriptName() string // file name of the plan
}

// Host is what a script's bindings stand on. Nil parts are not bound.
type Host struct {
	Vars                     Vars
	Props                    Props
	Thread                   Thread
	Prev                     Result
	Sampler, PreviousSampler Sampler
	Log                      Log
	Plan                     Plan
	// Result is SampleResult: the result a sampler makes, or an assertion judges.
	Result Result
	// ResultName is the name Result is bound by: SampleResult, or sampleResult for functions.
	ResultName string
	// Context is the map of ctx.getSamplerContext(), made when nil.
	Context *script.Map
}

// Bind gives a script the names that JMeter's script elements and functions bind: vars props ctx prev sampler
// log threadName OUT, and the result. Those without something behind them are left out, as in JMeter.
func Bind(env *script.Env, h *Host) {
	if env.Bindings == nil {
		env.Bindings = map[string]script.Value{}
	}
	env.Host = h
	b := env.Bindings
	if h.Vars != nil {
		b["vars"] = &vars{h}
	}
	if h.Props != nil {
		b["props"] = &props{h.Props}
	}
	if h.Thread != nil {
		b["ctx"] = &context{h}
		b["threadName"] = h.Thread.Name()
	}
	if h.Prev != nil {
		b["prev"] = &result{r: h.Prev}
	}
	if h.Sampler != nil {
		b["sampler"] = &sampler{h.Sampler}
	}
	if h.Log != nil {
		b["log"] = &logger{h.Log}
	}
	if h.Result != nil && h.ResultName != "" {
		b[h.ResultName] = &result{r: h.Result}
	}
	b["OUT"] = script.Out()
}

// hostOf finds the Host of a run.
func hostOf(c *script.Call) *Host {
	if h, ok := c.Run.Host().(*Host); ok {
		return h
	}
	return &Host{}
}

// none is what JMeter's methods without a result return.
func none(do func(c *script.Call)) func(c *script.Call) (script.Value, error) {
	return func(c *script.Call) (script.Value, error) {
		do(c)
		return script.Void, nil
	}
}

// get makes a method that takes nothing.
func get(do func(c *script.Call) script.Value) *script.Method {
	return script.NewMethod(0, 0, func(c *script.Call) (script.Value, error) { return do(c), nil })
}
