package control

import (
	"errors"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[ifController](elem.Spec{
		Class: "IfController", Title: "If Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// ifController runs its children while its condition holds: a text that is to
// read true, or JavaScript.
type ifController struct {
	elem.Flow
	condition     expr.Text
	useExpression expr.Bool
	evaluateAll   expr.Bool
	scripts       conditions
}

func (c *ifController) Props(p *elem.Props) {
	p.Text(&c.condition, "IfController.condition", "", "condition")
	p.Bool(&c.useExpression, "IfController.useExpression", false, "the condition is a text that reads true or not; else it is JavaScript")
	p.Bool(&c.evaluateAll, "IfController.evaluateAll", false, "evaluate the condition before each child, not only on entry")
}

// IsDone is always false: the condition may hold the next time.
func (c *ifController) IsDone(*vu.Thread) bool { return false }

func (c *ifController) Next(t *vu.Thread) elem.Pick {
	if (c.First(t) || c.evaluateAll.Eval(t)) && !c.holds(t) {
		c.InitializeChildren(t)
		return c.NextIsNull(t)
	}
	return c.Flow.Next(t)
}

func (c *ifController) TriggerEndOfLoop(t *vu.Thread) {
	c.InitializeChildren(t)
	c.Flow.TriggerEndOfLoop(t)
}

func (c *ifController) holds(t *vu.Thread) bool {
	cond := strings.TrimFunc(c.condition.Eval(t), func(r rune) bool { return r <= ' ' })
	if c.useExpression.Eval(t) {
		return strings.EqualFold(cond, "true")
	}
	ok, err := c.scripts.eval(cond)
	if err != nil {
		t.Log().Error(c.Name(t)+": error while processing ["+cond+"]", "logger", "o.a.j.c.IfController", "err", err)
	}
	return ok
}

// conditions are the compiled JavaScript conditions of an If Controller: its
// text with the values of variables in it, which are few as a rule.
type conditions struct {
	mu    sync.Mutex
	known map[string]*script.Program
}

// maxConditions bounds the memory of conditions that hold a counter or a token.
const maxConditions = 256

func (c *conditions) eval(cond string) (bool, error) {
	p, err := c.program(cond)
	if err != nil {
		return false, err
	}
	v, err := p.Run(&script.Env{})
	if err != nil {
		return false, err
	}
	switch s, _ := script.ToString(v); s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errors.New("expected true or false")
}

func (c *conditions) program(cond string) (*script.Program, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.known[cond]; p != nil {
		return p, nil
	}
	p, err := script.Compile("javascript", cond, "<cmd>")
	if err != nil {
		return nil, err
	}
	if c.known == nil || len(c.known) >= maxConditions {
		c.known = map[string]*script.Program{}
	}
	c.known[cond] = p
	return p, nil
}

var _ elem.Controller = (*ifController)(nil)
