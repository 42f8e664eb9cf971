package assertion

import (
	"strconv"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[duration](elem.Spec{
		Class: "DurationAssertion", Title: "Duration Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// duration fails a sample that took longer than so many milliseconds.
type duration struct {
	scope
	limit expr.Long
}

func (c *duration) Props(p *elem.Props) {
	c.scope.props(p)
	p.Long(&c.limit, "DurationAssertion.duration", "0", "limit in ms; 0 is none")
}

// Needs: only the time is read.
func (c *duration) Needs() elem.Needs { return 0 }

func (c *duration) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name, limit := c.label.Eval(t), c.limit.Eval(t)
	if limit > 0 && s.Elapsed > limit {
		return failed(name, "The operation lasted too long: It took "+grouped(s.Elapsed)+
			" milliseconds, but should not have lasted longer than "+grouped(limit)+" milliseconds.")
	}
	return passed(name)
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

var (
	_ elem.Assertion = (*duration)(nil)
	_ elem.Needer    = (*duration)(nil)
)
