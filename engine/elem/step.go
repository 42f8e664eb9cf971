package elem

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// Step is a sampler with all that applies to it, in the order in which it runs:
// the product of compiling a plan. It is immutable and shared by all threads.
type Step struct {
	Label   expr.Text
	Place   string // path in the tree, for messages
	Sampler Sampler

	Pre        []PreProcessor
	Timers     []Timer
	Post       []PostProcessor
	Assertions []Assertion
	Listeners  []Listener

	// Settings are the sampler's properties, where something in its scope shows them.
	Settings []Setting

	// Controllers lead from the sampler's parent up to the thread group's main
	// controller.
	Controllers []Controller
}

// Name is the sampler's name for thread t, evaluated anew.
func (s *Step) Name(t *vu.Thread) string { return s.Label.Eval(t) }

// Pick is what a controller hands out: a step, or a parent-mode transaction
// around one. The zero Pick is JMeter's null: the pass is over.
type Pick struct {
	Step *Step
	Tx   *Transaction
}

// None tells whether the pass is over.
func (p Pick) None() bool { return p.Step == nil && p.Tx == nil }
