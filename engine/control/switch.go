package control

import (
	"math"
	"strings"
	"unicode"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[switcher](elem.Spec{
		Class: "SwitchController", Title: "Switch Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// switcher runs one child a pass: the one of that number or name.
type switcher struct {
	elem.Flow
	value expr.Text
}

func (c *switcher) Props(p *elem.Props) {
	p.Text(&c.value, "SwitchController.value", "", "number (from 0) or name of the child to run")
}

func (c *switcher) Next(t *vu.Thread) elem.Pick {
	if c.First(t) {
		c.SetPosition(t, c.choose(t))
	}
	return c.Flow.Next(t)
}

// IncrementCurrent ends the pass after the chosen child.
func (c *switcher) IncrementCurrent(t *vu.Thread) { c.SetPosition(t, math.MaxInt32) }

func (c *switcher) choose(t *vu.Thread) int {
	sel := strings.TrimSpace(c.value.Eval(t))
	if sel == "" {
		return 0
	}
	if strings.IndexFunc(sel, func(r rune) bool { return !unicode.IsDigit(r) }) < 0 {
		if n, ok := vu.ParseInt(sel); ok {
			if int(n) >= len(c.Children(t)) {
				return 0
			}
			return int(n)
		}
	}
	other := math.MaxInt32
	for i, k := range c.Children(t) {
		name := k.Name.Eval(t)
		if name == sel {
			return i
		}
		if strings.EqualFold(name, "default") {
			other = i
		}
	}
	return other
}

var _ elem.Controller = (*switcher)(nil)
