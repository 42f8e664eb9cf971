package expr

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/vu"
)

// Text is a compiled text. The zero Text is the empty constant. A Text is
// immutable and shared by all threads.
type Text struct {
	lit  string
	body *body // nil for a constant
}

type body struct {
	src    string
	parts  []part
	cached bool
	cache  vu.Slot[cache]
	// settled: see Text.Settled.
	settled bool
}

type cache struct {
	iteration int
	text      string
}

// part is a literal, a variable or a call.
type part struct {
	lit      string
	name     string
	ref      vu.Ref
	variable bool
	eval     Eval
	settled  bool // eval yields what the properties say
}

func (x part) isRef() bool { return x.variable || x.eval != nil }

// Const returns a constant text.
func Const(s string) Text { return Text{lit: s} }

// IsConst tells whether the text never changes.
func (x Text) IsConst() bool { return x.body == nil }

// Settled tells whether the text is the same for all threads and changes only
// with the properties (vu.Properties.Edits): whoever knows that they have not
// changed may keep what it made of the text.
func (x Text) Settled() bool { return x.body == nil || x.body.settled }

// Source is the text as it stands in the plan.
func (x Text) Source() string {
	if x.body == nil {
		return x.lit
	}
	return x.body.src
}

// Append appends the value for thread t.
func (x Text) Append(dst []byte, t *vu.Thread) []byte {
	switch {
	case x.body == nil:
		return append(dst, x.lit...)
	case x.body.cached:
		return append(dst, x.Eval(t)...)
	}
	return x.body.append(dst, t)
}

func (b *body) append(dst []byte, t *vu.Thread) []byte {
	for i := range b.parts {
		switch p := &b.parts[i]; {
		case p.eval != nil:
			dst = p.eval(dst, t)
		case p.variable:
			if s, ok := p.value(t); ok {
				dst = append(dst, s...)
			} else {
				dst = append(append(append(dst, "${"...), p.name...), '}')
			}
		default:
			dst = append(dst, p.lit...)
		}
	}
	return dst
}

// value looks the variable up; while the Test Plan's own are read there are none.
func (x *part) value(t *vu.Thread) (string, bool) {
	if t.Vars == nil {
		return "", false
	}
	if x.ref != vu.NoRef {
		return t.Vars.GetRef(x.ref)
	}
	return t.Vars.Get(x.name)
}

// Eval returns the value for thread t. Constants and single variables cost no
// memory.
func (x Text) Eval(t *vu.Thread) string {
	if x.body == nil {
		return x.lit
	}
	if x.body.cached && t.Iteration > 0 {
		c := x.body.cache.Of(t)
		if c.iteration != t.Iteration {
			c.text = x.body.eval(t)
			c.iteration = t.Iteration
		}
		return c.text
	}
	return x.body.eval(t)
}

func (b *body) eval(t *vu.Thread) string {
	if len(b.parts) == 1 && b.parts[0].variable {
		if s, ok := b.parts[0].value(t); ok {
			return s
		}
	}
	return string(b.append(make([]byte, 0, 64), t))
}

// Int is a text read as Java's int: 0 where it is none, blanks included.
type Int struct {
	Text
	n int32
}

// NewInt reads a constant at once.
func NewInt(x Text) Int {
	v := Int{Text: x}
	if x.IsConst() {
		v.n, _ = vu.ParseInt(x.lit)
	}
	return v
}

// Eval returns the number.
func (v Int) Eval(t *vu.Thread) int {
	if v.IsConst() {
		return int(v.n)
	}
	n, _ := vu.ParseInt(v.Text.Eval(t))
	return int(n)
}

// Wrong returns the text for thread t where it is no number, blank aside: JMeter
// counts it as 0 in silence.
func (v Int) Wrong(t *vu.Thread) (text string, wrong bool) {
	text = v.Text.Eval(t)
	_, ok := vu.ParseInt(text)
	return text, !ok && strings.TrimSpace(text) != ""
}

// Long is Int for Java's long.
type Long struct {
	Text
	n int64
}

// NewLong reads a constant at once.
func NewLong(x Text) Long {
	v := Long{Text: x}
	if x.IsConst() {
		v.n = long(x.lit)
	}
	return v
}

// Eval returns the number.
func (v Long) Eval(t *vu.Thread) int64 {
	if v.IsConst() {
		return v.n
	}
	return long(v.Text.Eval(t))
}

func long(s string) int64 {
	if n, ok := vu.ParseLong(s); ok {
		return n
	}
	return 0
}

// Float is Int for Java's double, which allows blanks around.
type Float struct {
	Text
	n float64
}

// NewFloat reads a constant at once.
func NewFloat(x Text) Float {
	v := Float{Text: x}
	if x.IsConst() {
		v.n, _ = strconv.ParseFloat(strings.TrimSpace(x.lit), 64)
	}
	return v
}

// Eval returns the number.
func (v Float) Eval(t *vu.Thread) float64 {
	if v.IsConst() {
		return v.n
	}
	n, _ := strconv.ParseFloat(strings.TrimSpace(v.Text.Eval(t)), 64)
	return n
}

// Bool is a text read as Java's boolean: true in any case, else false.
type Bool struct {
	Text
	b bool
}

// NewBool reads a constant at once.
func NewBool(x Text) Bool {
	return Bool{Text: x, b: x.IsConst() && strings.EqualFold(x.lit, "true")}
}

// Eval returns the flag.
func (v Bool) Eval(t *vu.Thread) bool {
	if v.IsConst() {
		return v.b
	}
	return strings.EqualFold(v.Text.Eval(t), "true")
}
