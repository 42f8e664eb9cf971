package expr

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/vu"
)

// Compiler turns texts into [Text] while a plan is compiled. It is used by one
// goroutine; a text compiled during the run (__eval) uses a copy of it.
type Compiler struct {
	Names *vu.Names
	Slots *vu.Slots
	// Engine stands for the thread that prepares the run: what JMeter evaluates
	// while it compiles is evaluated on it.
	Engine *vu.Thread
	// CachePerIteration is the property function.cache.per.iteration.
	CachePerIteration bool

	// Live says that the text is compiled during the run, for one evaluation by
	// one thread: no slots are reserved, state lives as long as the text.
	Live bool

	// ReadsPrev is set once a compiled text may read the previous result.
	ReadsPrev bool
	// Seen, if set, is told of each reference that looks like a function and of
	// whether there is one.
	Seen func(name string, known bool)
	// Note, if set, is told what is known to fail when a text is evaluated: a
	// script with a class that gojm does not have.
	Note func(text string)
	// Lacks, if set, is told what a text asks for that gojm does not have.
	Lacks func(text string)
}

// During returns the compiler of texts that come up while the plan runs
// (__eval). It may be used by any thread once the names are frozen.
func (c *Compiler) During() *Compiler {
	return &Compiler{Names: c.Names, Slots: c.Slots, Engine: c.Engine, Live: true}
}

// SyntaxError is a broken expression. JMeter abandons the whole run over one.
type SyntaxError struct {
	Source string
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s in %q", e.Msg, e.Source) }

// maxDepth bounds the nesting of references, which no real plan comes near;
// maxName the length of a function's name, blanks around included.
const (
	maxDepth = 200
	maxName  = 80
)

// Text compiles src. A text without a reference keeps every backslash.
func (c *Compiler) Text(src string) (Text, error) {
	if !strings.Contains(src, "${") {
		return Const(src), nil
	}
	p := parser{c: c, all: src, s: src}
	parts, err := p.text()
	switch {
	case err != nil:
		return Text{}, err
	case len(parts) == 1 && !parts[0].isRef():
		return Const(src), nil
	}
	return c.build(src, parts), nil
}

// Argument compiles src as the argument of a function is compiled: backslashes
// count even where there is no reference.
func (c *Compiler) Argument(src string) (Text, error) {
	p := parser{c: c, all: src, s: src}
	parts, err := p.text()
	if err != nil {
		return Text{}, err
	}
	return c.build(src, parts), nil
}

func (c *Compiler) build(src string, parts []part) Text {
	if !slices.ContainsFunc(parts, part.isRef) {
		var lit string
		for _, x := range parts {
			lit += x.lit
		}
		return Const(lit)
	}
	b := &body{src: src, parts: parts}
	b.settled = !c.CachePerIteration && !slices.ContainsFunc(parts, func(x part) bool { return x.isRef() && !x.settled })
	if c.CachePerIteration && !c.Live {
		b.cached = true
		b.cache = vu.NewSlot[cache](c.Slots)
	}
	return Text{body: b}
}

type parser struct {
	c     *Compiler
	all   string // for messages
	s     string
	i     int
	depth int
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{Source: p.all, Msg: fmt.Sprintf(format, args...)}
}

// text reads a whole property value, or one argument. A reference without an end
// makes a part of its own, so that a text of one literal part is one that held
// no "${" at all, or nothing but such a reference.
func (p *parser) text() ([]part, error) {
	var parts []part
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			parts = append(parts, part{lit: lit.String()})
			lit.Reset()
		}
	}
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch == '\\':
			p.i++
			if p.i == len(p.s) {
				lit.WriteByte('\\')
				break
			}
			if next := p.s[p.i]; next != '$' && next != ',' && next != '\\' {
				lit.WriteByte('\\')
			}
			_, n := utf8.DecodeRuneInString(p.s[p.i:])
			lit.WriteString(p.s[p.i : p.i+n])
			p.i += n
		case strings.HasPrefix(p.s[p.i:], "${"):
			p.i += 2
			x, err := p.reference()
			if err != nil {
				return nil, err
			}
			flush()
			parts = append(parts, x)
		default:
			lit.WriteByte(ch)
			p.i++
		}
	}
	flush()
	return parts, nil
}

// reference reads what follows "${".
func (p *parser) reference() (part, error) {
	if p.depth++; p.depth > maxDepth {
		return part{}, p.fail("references nested too deep")
	}
	defer func() { p.depth-- }()
	var name strings.Builder
	prev := rune(' ')
	for p.i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		switch {
		case r == '\\':
			p.i++
			if p.i == len(p.s) {
				name.WriteByte('\\')
			} else {
				r, n = utf8.DecodeRuneInString(p.s[p.i:])
				name.WriteString(p.s[p.i : p.i+n])
				p.i += n
				prev = r
			}
			continue
		case r == '(' && prev != ' ':
			if f := named(strings.TrimFunc(name.String(), javaBlank)); f != nil {
				at := p.i
				p.i += n
				x, ok, err := p.call(f)
				if ok || err != nil {
					return x, err
				}
				p.i = at
			}
		case r == '}':
			p.i += n
			if f := named(name.String()); f != nil && (f.takes(0) || !f.Plugin) {
				return p.compile(f, nil)
			}
			return p.variable(name.String()), nil
		}
		name.WriteString(p.s[p.i : p.i+n])
		p.i += n
		prev = r
	}
	return part{lit: name.String()}, nil // no end: the text without its "${"
}

func named(name string) *Func {
	if len(name) > maxName {
		return nil
	}
	return functions[name]
}

func (p *parser) variable(name string) part {
	if strings.HasPrefix(name, "__") {
		if f, _, call := strings.Cut(name, "("); call || !strings.HasPrefix(name, "__jm") {
			p.unknown(f)
		}
	}
	return part{name: name, variable: true, ref: p.c.Names.Ref(name)}
}

// unknown reports a variable that looks like a function.
func (p *parser) unknown(name string) {
	switch known := named(name) != nil; {
	case known && p.c.Note != nil:
		p.c.Note(name + " has a wrong number of arguments and is text, as in JMeter without its plugin")
	case !known && p.c.Seen != nil:
		p.c.Seen(name, false)
	}
}

// call reads the arguments of f and the closing brace. A call that JMeter takes
// for a variable, not knowing f, is not ok.
func (p *parser) call(f *Func) (x part, ok bool, err error) {
	raw, err := p.arguments(f.Name)
	if f.Plugin && (err != nil || !f.takes(len(raw))) {
		return x, false, nil
	}
	if err != nil {
		return x, false, err
	}
	for p.i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		if !unicode.Is(unicode.Z, r) {
			break
		}
		p.i += n
	}
	if p.i == len(p.s) || p.s[p.i] != '}' {
		return x, false, p.fail("expected } after the call of %s", f.Name)
	}
	p.i++
	args := make([]Text, len(raw))
	for i, a := range raw {
		q := parser{c: p.c, all: p.all, s: a, depth: p.depth}
		parts, err := q.text()
		if err != nil {
			return x, false, err
		}
		args[i] = p.c.build(a, parts)
	}
	x, err = p.compile(f, args)
	return x, true, err
}

// arguments splits the text up to the closing parenthesis; every argument is
// parsed again as a text.
func (p *parser) arguments(fname string) ([]string, error) {
	start, braces, parens := p.i, 0, 0
	var args []string
	for p.i < len(p.s) {
		ch := p.s[p.i]
		switch {
		case ch == '\\' && p.i+1 < len(p.s):
			p.i++
		case ch == '$' && strings.HasPrefix(p.s[p.i:], "${"):
			braces++
			p.i++
		case ch == '}' && braces > 0:
			braces--
		case braces > 0:
		case ch == ',':
			args = append(args, p.s[start:p.i])
			start = p.i + 1
		case ch == '(':
			parens++
		case ch == ')' && parens > 0:
			parens--
		case ch == ')':
			if len(args) > 0 || p.i > start {
				args = append(args, p.s[start:p.i])
			}
			p.i++
			return args, nil
		}
		p.i++
	}
	return nil, p.fail("expected ) after the arguments of %s", fname)
}

func (p *parser) compile(f *Func, args []Text) (part, error) {
	if p.c.Seen != nil {
		p.c.Seen(f.Name, true)
	}
	if n := len(args); !f.takes(n) {
		want := fmt.Sprintf("%d to %d", f.Min, f.Max)
		switch {
		case f.Max < 0:
			want = fmt.Sprintf("%d or more", f.Min)
		case f.Min == f.Max:
			want = fmt.Sprint(f.Min)
		}
		return part{}, p.fail("%s takes %s arguments, not %d,", f.Name, want, n)
	}
	call := &Call{Compiler: p.c, Name: f.Name, Args: args}
	var eval Eval
	var err error
	if thrown := vu.Try(func() { // some arguments are evaluated now
		eval, err = f.Compile(call)
	}); thrown != nil {
		err = thrown
	}
	if err != nil {
		return part{}, p.fail("%s: %v", f.Name, err)
	}
	settled := call.settled && !slices.ContainsFunc(args, func(a Text) bool { return !a.Settled() })
	return part{name: f.Name, eval: eval, settled: settled}, nil
}

// javaBlank is what Java's String.trim removes.
func javaBlank(r rune) bool { return r <= ' ' }
