package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gojm/gojm/engine/vu"
)

// Eval appends what an occurrence of a function yields for thread t. It is
// called by many threads at once: state beyond a thread's own slot is locked.
// A run-time failure is thrown (vu.Throw) where JMeter gives up the sampler.
type Eval func(dst []byte, t *vu.Thread) []byte

// Func declares a function: its name, what it takes, and how one textual
// occurrence of it is compiled.
type Func struct {
	Name     string // "__time"
	Title    string // one line for people
	Args     string // "format?, var?"
	Min, Max int    // number of arguments; Max -1 is any
	Compile  func(c *Call) (Eval, error)

	// Plugin marks a function that JMeter itself does not have. Called with a
	// wrong number of arguments it is text, as it is where no plugin is
	// installed, and does not stop the run.
	Plugin bool
}

func (f *Func) takes(n int) bool { return n >= f.Min && (f.Max < 0 || n <= f.Max) }

// Call is one occurrence of a function while the plan is compiled. Each is
// compiled once and shared by all threads.
type Call struct {
	*Compiler
	Name string
	Args []Text

	settled bool
}

// Arg returns argument i, an empty constant where it is absent.
func (c *Call) Arg(i int) Text {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return Text{}
}

// NeedPrev says that the occurrence reads the previous result, so that
// samplers keep what it may ask for.
func (c *Call) NeedPrev() { c.ReadsPrev = true }

// Settle says that the occurrence yields what its arguments and the properties
// say and does nothing else, see [Text.Settled].
func (c *Call) Settle() { c.settled = true }

// Notice tells the plan's check that the occurrence will not do what it says.
func (c *Call) Notice(format string, args ...any) {
	if c.Note != nil {
		c.Note(fmt.Sprintf(format, args...))
	}
}

// Lack tells the plan's check that the occurrence uses what gojm does not have,
// so that the plan is refused.
func (c *Call) Lack(format string, args ...any) {
	if c.Lacks != nil {
		c.Lacks(fmt.Sprintf(format, args...))
	}
}

var functions = map[string]*Func{}

// RegisterFunc adds a function to the registry. It is called from init
// functions and panics on a name that is taken or a half-filled declaration.
func RegisterFunc(f Func) {
	if f.Name == "" || f.Title == "" || f.Compile == nil || (f.Max >= 0 && f.Max < f.Min) {
		panic(fmt.Sprintf("expr: half-filled declaration of function %q", f.Name))
	}
	if functions[f.Name] != nil {
		panic("expr: function declared twice: " + f.Name)
	}
	functions[f.Name] = &f
}

// Functions returns all functions, by name.
func Functions() []*Func {
	var out []*Func
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		out = append(out, functions[name])
	}
	return out
}

// Lookup returns the function of that name, or nil.
func Lookup(name string) *Func { return functions[name] }
