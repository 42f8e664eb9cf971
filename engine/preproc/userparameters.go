package preproc

import (
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[userParameters](elem.Spec{
		Class: "UserParameters", Title: "User Parameters", Kind: elem.KindPre, Status: elem.Full,
	})
}

// userParameters sets variables to the values of the thread's column, before
// each sampler or once a pass of the controller around it.
type userParameters struct {
	names        []expr.Text
	columns      [][]expr.Text // values of a thread; the threads take turns
	perIteration expr.Bool

	// mu keeps the values of one thread together, for functions that read from a
	// file that all threads share.
	mu sync.Mutex
}

func (c *userParameters) Props(p *elem.Props) {
	p.Texts(&c.names, "UserParameters.names", "variables")
	p.Rows(&c.columns, "UserParameters.thread_values", "values, a list for each thread in turn")
	p.Bool(&c.perIteration, "UserParameters.per_iteration", false, "set them once a pass of the controller around, not before each sampler")
}

func (c *userParameters) Before(t *vu.Thread) {
	if !c.perIteration.Eval(t) {
		c.set(t)
	}
}

// PassStart sets the variables once a pass.
func (c *userParameters) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	if c.perIteration.Eval(t) {
		c.set(t)
	}
}

func (c *userParameters) set(t *vu.Thread) {
	if len(c.columns) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	values := c.columns[t.Num%len(c.columns)]
	for i, name := range c.names[:min(len(c.names), len(values))] {
		n := name.Eval(t)
		t.Vars.Put(n, values[i].Eval(t))
	}
}

// Needs: no result is read, but for functions in the values, which say so
// themselves.
func (c *userParameters) Needs() elem.Needs { return 0 }

var (
	_ elem.PreProcessor = (*userParameters)(nil)
	_ elem.PassStarter  = (*userParameters)(nil)
	_ elem.Needer       = (*userParameters)(nil)
)
