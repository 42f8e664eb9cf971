package assertion

import (
	"crypto/md5"
	"encoding/hex"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[md5Hex](elem.Spec{
		Class: "MD5HexAssertion", Title: "MD5Hex Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// md5Hex compares the MD5 sum of the body with the one expected.
type md5Hex struct{ label, want expr.Text }

func (c *md5Hex) Props(p *elem.Props) {
	c.label = p.Name()
	p.Text(&c.want, "MD5HexAssertion.size", "", "MD5 sum expected, in hexadecimal digits")
}

// Needs: only the body is read.
func (c *md5Hex) Needs() elem.Needs { return elem.NeedBody }

// Name is the assertion's name.
func (c *md5Hex) Name(t *vu.Thread) string { return c.label.Eval(t) }

func (c *md5Hex) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	if len(s.Body) == 0 {
		return wasNull(name)
	}
	want := c.want.Eval(t)
	if want == "" {
		return failed(name, "MD5Hex to test against is empty")
	}
	sum := md5.Sum(s.Body)
	var got [2 * md5.Size]byte
	hex.Encode(got[:], sum[:])
	if !strings.EqualFold(string(got[:]), want) {
		return failed(name, "Error asserting MD5 sum : got "+string(got[:])+" but should have been "+want)
	}
	return passed(name)
}

var (
	_ elem.Assertion = (*md5Hex)(nil)
	_ elem.Needer    = (*md5Hex)(nil)
)
