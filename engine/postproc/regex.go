package postproc

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[regexExtractor](elem.Spec{
		Class: "RegexExtractor", Title: "Regular Expression Extractor", Kind: elem.KindPost, Status: elem.Partial,
		Note: "all but responses read as documents",
	})
}

// regexExtractor puts groups of a regular expression's matches into variables.
type regexExtractor struct {
	scope
	part
	name, template, fallback expr.Text
	pattern                  elem.Derived[*regex.Regexp]
	number                   expr.Int
	fallbackEmpty            expr.Bool
	dialect                  regex.Dialect
	slot                     vu.Slot[regexState]
}

// regexState holds a thread's template, which JMeter reads once, and its memory.
type regexState struct {
	ready    bool
	strict   bool // the dialect is Java's
	template []piece
	re       *regex.Regexp
	match    []int
	all      []int
	out      []byte
}

// piece is a literal or the number of a group.
type piece struct {
	text  string
	group int // -1 for a literal
}

func (c *regexExtractor) Props(p *elem.Props) {
	c.scope.props(p)
	c.part.props(p, "RegexExtractor.useHeaders")
	p.Text(&c.name, "RegexExtractor.refname", "", "variable")
	var pattern expr.Text
	p.Text(&pattern, "RegexExtractor.regex", "", "regular expression")
	p.Text(&c.template, "RegexExtractor.template", "", "$1$ is group 1, $0$ the whole match")
	p.Int(&c.number, "RegexExtractor.match_number", "0", "0 any, -1 all, else that match")
	p.Text(&c.fallback, "RegexExtractor.default", "", "value without a match")
	p.Bool(&c.fallbackEmpty, "RegexExtractor.default_empty_value", false, "an empty default counts")
	c.slot = elem.SlotOf[regexState](p)
	c.dialect = dialect(p)
	cache := regex.NewCache(c.dialect, 1000)
	c.pattern = elem.Derive(p, pattern, cache.Get)
	if err := c.pattern.Err(); err != nil {
		p.Note("value", "RegexExtractor.regex", "%v", err)
	}
}

// dialect is what the property jmeter.regex.engine chooses.
func dialect(p *elem.Props) regex.Dialect {
	if strings.EqualFold(p.Property("jmeter.regex.engine", "oro"), "oro") {
		return regex.ORO
	}
	return regex.Java
}

// Needs is what the chosen part asks for.
func (c *regexExtractor) Needs() elem.Needs { return c.part.needs() }

func (c *regexExtractor) After(t *vu.Thread, main *jtl.Sample) {
	s := c.slot.Of(t)
	if !s.ready {
		s.ready, s.strict, s.template = true, c.dialect == regex.Java, readTemplate(c.template.Eval(t))
	}
	name, number := c.name.Eval(t), c.number.Eval(t)
	if def := c.fallback.Eval(t); def != "" || c.fallbackEmpty.Eval(t) {
		t.Vars.Put(name, def)
	}
	pattern := c.pattern.Text(t)
	re, err := c.pattern.For(t, pattern)
	if err != nil {
		t.Log().Error("Error in pattern: '"+pattern+"'", "logger", "o.a.j.e.RegexExtractor")
		return
	}
	s.re = re
	if number > 0 && !c.scope.isVariable(t) && c.scope.apply.IsConst() && c.scope.apply.Source() == "" {
		c.one(t, s, main, name, number)
		return
	}
	c.many(t, s, main, name, number)
}

// one is the usual case, a certain match of the sample itself, without memory.
func (c *regexExtractor) one(t *vu.Thread, s *regexState, main *jtl.Sample, name string, number int) {
	text := c.part.of(t, main)
	m := s.re.Find(s.match, text, 0)
	for n := 1; n < number && len(m) > 0; n++ {
		m = s.re.Next(m, text)
	}
	s.match = m
	previous := takeCount(t, name)
	switch {
	case len(m) == 0:
		removeGroups(t, name)
	case !s.save(t, name, text, m):
		return
	}
	dropFrom(t, name, 1, previous)
}

// found is one match with the text it is of.
type found struct {
	text []byte
	at   []int
}

// many handles all scopes and match numbers.
func (c *regexExtractor) many(t *vu.Thread, s *regexState, main *jtl.Sample, name string, number int) {
	matches := c.find(t, s, main, number)
	previous := takeCount(t, name)
	count := 0
	if number >= 0 {
		if m, ok := choose(t, matches, number); !ok {
			removeGroups(t, name)
		} else if !s.save(t, name, m.text, m.at) {
			return
		}
	} else {
		removeGroups(t, name)
		count = len(matches)
		t.Vars.Put(name+"_matchNr", strconv.Itoa(count))
		for i, m := range matches {
			if !s.save(t, numbered(name, i+1), m.text, m.at) {
				return
			}
		}
	}
	dropFrom(t, name, count+1, previous)
}

// choose picks match n; 0 is any.
func choose[T any](t *vu.Thread, matches []T, n int) (m T, ok bool) {
	switch {
	case len(matches) == 0 || n > len(matches):
		return m, false
	case n == 0:
		return matches[t.Rand.IntN(len(matches))], true
	}
	return matches[n-1], true
}

func (c *regexExtractor) find(t *vu.Thread, s *regexState, main *jtl.Sample, number int) []found {
	var out []found
	look := func(text []byte) bool {
		limit := -1
		if number > 0 {
			limit = number - len(out)
		}
		s.all = s.re.FindAll(s.all[:0], text, limit)
		for at := s.all; len(at) > 0; at = at[s.re.Stride():] {
			out = append(out, found{text, append([]int(nil), at[:s.re.Stride()]...)})
		}
		return number > 0 && len(out) >= number
	}
	if c.scope.isVariable(t) {
		v := c.scope.variable.Eval(t)
		text, ok := t.Vars.Get(v)
		if !ok {
			t.Log().Warn("No variable '"+v+"' found to process by RegexExtractor, skipping processing", "logger", "o.a.j.e.RegexExtractor")
			return nil
		}
		look([]byte(text))
		return out
	}
	for _, sample := range c.scope.samples(t, main) {
		if look(c.part.of(t, sample)) {
			break
		}
	}
	return out
}

// save puts a match into the variables: the template's text, the groups and
// their number; groups of an earlier match that had more are removed. A template
// that asks for a group that the expression does not have is "null" in ORO; java.util.regex
// throws there, and save gives up.
func (s *regexState) save(t *vu.Thread, name string, text []byte, m []int) bool {
	s.out = s.out[:0]
	groups := len(m) / 2
	for _, p := range s.template {
		switch {
		case p.group < 0:
			s.out = append(s.out, p.text...)
		case p.group >= groups && s.strict:
			t.Log().Warn("Error while generating result", "logger", "o.a.j.e.RegexExtractor")
			return false
		case p.group >= groups || m[2*p.group] < 0:
			s.out = append(s.out, "null"...)
		default:
			s.out = append(s.out, text[m[2*p.group]:m[2*p.group+1]]...)
		}
	}
	t.Vars.Put(name, string(s.out))
	count := name + "_g"
	previous := 0
	if old, ok := t.Vars.Get(count); ok {
		n, _ := vu.ParseInt(old)
		previous = int(n)
	}
	for i := range groups {
		g := count + strconv.Itoa(i)
		if m[2*i] < 0 {
			t.Vars.Remove(g)
		} else {
			t.Vars.Put(g, string(text[m[2*i]:m[2*i+1]]))
		}
	}
	t.Vars.Put(count, strconv.Itoa(groups-1))
	for i := groups; i <= previous; i++ {
		t.Vars.Remove(count + strconv.Itoa(i))
	}
	return true
}

func removeGroups(t *vu.Thread, name string) {
	count := name + "_g"
	n := int32(0)
	if old, ok := t.Vars.Get(count); ok {
		n, _ = vu.ParseInt(old)
	}
	t.Vars.Remove(count)
	for i := range n + 1 {
		t.Vars.Remove(count + strconv.Itoa(int(i)))
	}
}

// dropFrom removes the numbered variables that an earlier run left.
func dropFrom(t *vu.Thread, name string, from, to int) {
	for i := from; i <= to; i++ {
		n := numbered(name, i)
		t.Vars.Remove(n)
		removeGroups(t, n)
	}
}

// readTemplate splits $1$-style text into its pieces.
func readTemplate(s string) []piece {
	var out []piece
	lit := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '$' {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j == i+1 || j == len(s) || s[j] != '$' {
			continue
		}
		n, err := strconv.Atoi(s[i+1 : j])
		if err != nil {
			continue
		}
		if i > lit {
			out = append(out, piece{text: s[lit:i], group: -1})
		}
		out = append(out, piece{group: n})
		i, lit = j, j+1
	}
	if lit < len(s) {
		out = append(out, piece{text: s[lit:], group: -1})
	}
	return out
}

var (
	_ elem.PostProcessor = (*regexExtractor)(nil)
	_ elem.Needer        = (*regexExtractor)(nil)
)
