package assertion

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[compare](elem.Spec{
		Class: "CompareAssertion", Title: "Compare Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// compare holds the responses of one pass of the nearest controller against each
// other. From the first that differs on all fail.
type compare struct {
	label   expr.Text
	content expr.Bool
	time    expr.Text
	skips   []skip
	slot    vu.Slot[compareState]
}

// skip is what does not count in the comparison: matches are replaced first.
type skip struct {
	pattern elem.Derived[*regex.Regexp]
	by      expr.Text
}

// compareState is what is known of the pass.
type compareState struct {
	begun        bool
	text         string // of the last response
	elapsed      int64
	details      string // what was sent for it
	textDiffers  bool
	timesDiffers bool
	compared     jtl.Compared // of the first that differ
}

func (c *compare) Props(p *elem.Props) {
	c.label = p.Name()
	p.Bool(&c.content, "compareContent", true, "compare the texts")
	p.Text(&c.time, "compareTime", "-1", "by how many ms the times may differ; -1 does not compare them")
	c.skips = nil
	p.Each("stringsToSkip", "what is replaced before texts are compared", func(m *elem.Props) {
		var s skip
		var re expr.Text
		m.Text(&re, "regex", "", "regular expression")
		s.pattern = pattern(m, re)
		m.Text(&s.by, "substitute", "", "text in its place")
		if dialect(p) == regex.Java && strings.ContainsAny(s.by.Source(), `$\`) {
			m.Refuse("value", "substitute", "references to groups are not supported")
		}
		c.skips = append(c.skips, s)
	})
	c.slot = elem.SlotOf[compareState](p)
}

// Needs: texts are compared, and shown with what was sent.
func (c *compare) Needs() elem.Needs {
	return elem.NeedBody | elem.NeedRequestHeaders | elem.NeedSamplerData
}

// Name is the assertion's name.
func (c *compare) Name(t *vu.Thread) string { return c.label.Eval(t) }

// PassStart forgets the responses of the pass before.
func (c *compare) PassStart(t *vu.Thread, _ elem.Controller, _ int) { *c.slot.Of(t) = compareState{} }

func (c *compare) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name, st := c.label.Eval(t), c.slot.Of(t)
	content := c.content.Eval(t)
	limit, ok := vu.ParseLong(c.time.Eval(t))
	if !ok {
		limit = -1
	}
	text := ""
	if content {
		text = c.filtered(t, string(s.Text()))
	}
	details := strings.TrimSpace(s.SentText()) + "\n" + s.RequestHeaders + "\n\n"
	if !st.begun {
		st.begun, st.text, st.elapsed, st.details = true, text, s.Elapsed, details
		return passed(name)
	}
	if content && !st.textDiffers && text != st.text {
		st.textDiffers = true
		st.differ(st.details+st.text, details+text)
	}
	if limit >= 0 && !st.timesDiffers && max(s.Elapsed-st.elapsed, st.elapsed-s.Elapsed) > limit {
		st.timesDiffers = true
		const what = "Response Time:"
		st.differ(st.details+what+strconv.FormatInt(st.elapsed, 10), details+what+strconv.FormatInt(s.Elapsed, 10))
	}
	st.text, st.elapsed, st.details = text, s.Elapsed, details
	res := passed(name)
	switch {
	case st.timesDiffers:
		res = failed(name, "Responses differ in response time by more than"+strconv.FormatInt(limit, 10)+" ms") // JMeter's wording
	case st.textDiffers:
		res = failed(name, "Responses differ in content")
	}
	compared := st.compared
	res.Compared = &compared
	return res
}

// differ notes two texts for those who look into XML results.
func (st *compareState) differ(base, secondary string) {
	if st.compared != (jtl.Compared{}) {
		base, secondary = st.compared.Base+"\n\n"+base, st.compared.Secondary+"\n\n"+secondary
	}
	st.compared = jtl.Compared{Base: base, Secondary: secondary}
}

// filtered is text after all replacements.
func (c *compare) filtered(t *vu.Thread, text string) string {
	for i := range c.skips {
		s := &c.skips[i]
		re, err := s.pattern.Of(t)
		if err != nil {
			vu.Throw(errors.New(thrown(err)))
		}
		by, out, end := s.by.Eval(t), strings.Builder{}, 0
		for m := re.NextString(nil, text); len(m) > 0; m = re.NextString(m, text) {
			out.WriteString(text[end:m[0]])
			out.WriteString(by)
			end = m[1]
		}
		out.WriteString(text[end:])
		text = out.String()
	}
	return text
}

var (
	_ elem.Assertion   = (*compare)(nil)
	_ elem.PassStarter = (*compare)(nil)
	_ elem.Needer      = (*compare)(nil)
)
