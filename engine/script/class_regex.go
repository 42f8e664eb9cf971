package script

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/query/regex"
)

// Pattern is java.util.regex.Pattern.
type Pattern struct {
	text string
	re   *regex.Regexp
}

// Matcher is java.util.regex.Matcher.
type Matcher struct {
	p    *Pattern
	s    string
	m    []int // the match at hand, or empty
	done bool  // find came to the end
	from int   // where the next find begins anew
	anew bool
	tail int // end of what appendReplacement has copied
}

var (
	patternClass = NewClass("java.util.regex.Pattern", objectClass)
	matcherClass = NewClass("java.util.regex.Matcher", objectClass, "java.util.regex.MatchResult")
	patternCache = regex.NewCache(regex.Java, 1000)
)

// JavaClass is Pattern.
func (*Pattern) JavaClass() *Class { return patternClass }
func (p *Pattern) String() string  { return p.text }

// JavaClass is Matcher.
func (*Matcher) JavaClass() *Class { return matcherClass }

// Truth of a matcher is whether it finds anything.
func (m *Matcher) Truth() bool { return m.p.re.ContainsString(m.s) }

// Items are the matches: texts, or lists of groups where the pattern has groups.
func (m *Matcher) Items() []Value {
	var out []Value
	for at := m.p.re.NextString(nil, m.s); len(at) > 0; at = m.p.re.NextString(at, m.s) {
		out = append(out, m.p.groups(m.s, at))
		if len(out) > maxItems {
			break
		}
	}
	return out
}

func (m *Matcher) String() string {
	return "java.util.regex.Matcher[pattern=" + m.p.text + " region=0," + strconv.Itoa(java.Length(m.s)) + " lastmatch=" + m.last() + "]"
}

func (m *Matcher) last() string {
	if len(m.m) == 0 {
		return ""
	}
	return m.s[m.m[0]:m.m[1]]
}

// groups shows a match as Groovy does.
func (p *Pattern) groups(s string, m []int) Value {
	if p.re.Groups() == 0 {
		return s[m[0]:m[1]]
	}
	list := make([]Value, 0, len(m)/2)
	for i := 0; i < len(m); i += 2 {
		list = append(list, part2(s, m, i/2))
	}
	return NewList(list...)
}

// part2 is group g of a match, null when it took no part.
func part2(s string, m []int, g int) Value {
	if m[2*g] < 0 {
		return nil
	}
	return s[m[2*g]:m[2*g+1]]
}

const caseInsensitive, multiLine, dotAll, literalFlag, comments = 2, 8, 32, 16, 4

func compilePattern(s string, flags int) (*Pattern, error) {
	text := s
	if flags&literalFlag != 0 {
		s = quoteRegex(s)
	}
	on := ""
	for f, c := range map[int]string{caseInsensitive: "i", multiLine: "m", dotAll: "s", comments: "x"} {
		if flags&f != 0 {
			on += c
		}
	}
	if on != "" {
		s = "(?" + on + ")" + s
	}
	re, err := patternCache.Get(s)
	if err != nil {
		return nil, throw("java.util.regex.PatternSyntaxException", "%s", err.Error())
	}
	return &Pattern{text, re}, nil
}

func quoteRegex(s string) string {
	return `\Q` + strings.ReplaceAll(s, `\E`, `\E\\E\Q`) + `\E`
}

func patternOf(v Value) (*Pattern, error) {
	if p, ok := v.(*Pattern); ok {
		return p, nil
	}
	return compilePattern(groovyString(v), 0)
}

func newMatcher(p *Pattern, s string) *Matcher { return &Matcher{p: p, s: s} }

// find goes to the next match.
func (m *Matcher) find() bool {
	if m.done {
		return false
	}
	if m.anew {
		m.anew = false
		m.m = m.p.re.FindString(nil, m.s, m.from)
	} else {
		m.m = m.p.re.NextString(m.m, m.s)
	}
	m.done = len(m.m) == 0
	return !m.done
}

// expand writes a replacement: $1, ${name}, and \ before any character.
func (p *Pattern) expand(b *strings.Builder, s string, m []int, with string) error {
	for i := 0; i < len(with); i++ {
		c := with[i]
		if c == '\\' {
			if i++; i == len(with) {
				return throw("java.lang.IllegalArgumentException", "character to be escaped is missing")
			}
			b.WriteByte(with[i])
			continue
		}
		if c != '$' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(with) {
			return throw("java.lang.IllegalArgumentException", "Illegal group reference: group index is missing")
		}
		g := -1
		switch {
		case with[i] == '{':
			end := strings.IndexByte(with[i:], '}')
			if end < 0 {
				return throw("java.lang.IllegalArgumentException", "named capturing group is missing trailing '}'")
			}
			name := with[i+1 : i+end]
			if g = p.re.GroupIndex(name); g < 0 {
				return throw("java.lang.IllegalArgumentException", "No group with name {%s}", name)
			}
			i += end
		case isDigit(with[i]):
			g = int(with[i] - '0')
			for i+1 < len(with) && isDigit(with[i+1]) && g*10+int(with[i+1]-'0') <= p.re.Groups() {
				i++
				g = g*10 + int(with[i]-'0')
			}
		default:
			return throw("java.lang.IllegalArgumentException", "Illegal group reference")
		}
		if g > p.re.Groups() {
			return throw("java.lang.IndexOutOfBoundsException", "No group %d", g)
		}
		if m[2*g] >= 0 {
			b.WriteString(s[m[2*g]:m[2*g+1]])
		}
	}
	return nil
}

// replace replaces up to limit matches; a negative limit means all.
func (p *Pattern) replace(r *Run, s, with string, limit int) (Value, error) {
	return p.replaceBy(s, limit, func(b *strings.Builder, m []int) error { return p.expand(b, s, m, with) })
}

func (p *Pattern) replaceBy(s string, limit int, by func(b *strings.Builder, m []int) error) (Value, error) {
	var b strings.Builder
	at := 0
	for m := p.re.NextString(nil, s); len(m) > 0 && limit != 0; m = p.re.NextString(m, s) {
		b.WriteString(s[at:m[0]])
		if err := by(&b, m); err != nil {
			return nil, err
		}
		at = m[1]
		limit--
		if b.Len() > maxText {
			return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
		}
	}
	b.WriteString(s[at:])
	return b.String(), nil
}

// groupArgs are the arguments a closure gets for a match: whole, or whole and groups.
func (p *Pattern) groupArgs(s string, m []int, cl *Closure) []Value {
	if p.re.Groups() == 0 {
		return []Value{s[m[0]:m[1]]}
	}
	args := mustItems(p.groups(s, m))
	if cl.params() == 1 {
		return []Value{NewList(args...)}
	}
	return args
}

func replaceRegex(c *Call, limit int) (Value, error) {
	s := str(c)
	p, err := patternOf(c.Args[0])
	if err != nil {
		return nil, err
	}
	if cl, ok := c.Args[1].(*Closure); ok {
		return p.replaceBy(s, limit, func(b *strings.Builder, m []int) error {
			v, err := cl.Call(c.Run, p.groupArgs(s, m, cl)...)
			b.WriteString(groovyString(v))
			return err
		})
	}
	return p.replace(c.Run, s, c.Str(1), limit)
}

func matchesWhole(c *Call) (Value, error) {
	p, err := patternOf(c.Args[0])
	if err != nil {
		return nil, err
	}
	return p.re.MatchesString(str(c)), nil
}

// findRegex is find(pattern) and find(pattern, closure) of a text, and find(closure) of its characters.
func findRegex(c *Call) (Value, error) {
	if _, ok := c.Args[0].(*Closure); ok {
		return findItem(c)
	}
	s := str(c)
	p, err := patternOf(c.Args[0])
	if err != nil {
		return nil, err
	}
	m := p.re.NextString(nil, s)
	if len(m) == 0 {
		return nil, nil
	}
	if c.N() == 2 {
		cl := c.fn(1)
		return cl.Call(c.Run, p.groupArgs(s, m, cl)...)
	}
	return s[m[0]:m[1]], nil
}

func findAllRegex(c *Call) (Value, error) {
	if _, ok := c.Args[0].(*Closure); ok {
		return findAllItems(c)
	}
	s := str(c)
	p, err := patternOf(c.Args[0])
	if err != nil {
		return nil, err
	}
	var out []Value
	for m := p.re.NextString(nil, s); len(m) > 0; m = p.re.NextString(m, s) {
		var v Value = s[m[0]:m[1]]
		if c.N() == 2 {
			cl := c.fn(1)
			if v, err = cl.Call(c.Run, p.groupArgs(s, m, cl)...); err != nil {
				return nil, err
			}
		}
		out = append(out, v)
	}
	return NewList(out...), nil
}

// splitText is String.split, and Groovy's split() at white space.
func splitText(c *Call) (Value, error) {
	s := str(c)
	if c.N() == 0 {
		var out []Value
		for _, f := range strings.Fields(s) {
			out = append(out, f)
		}
		return &Array{Elem: "java.lang.String", Items: out}, nil
	}
	if _, ok := c.Args[0].(*Closure); ok {
		return splitItems(c)
	}
	limit := 0
	if c.N() == 2 {
		limit = c.Int(1)
	}
	p, err := patternOf(c.Args[0])
	if err != nil {
		return nil, err
	}
	return p.split(s, limit), nil
}

func (p *Pattern) split(s string, limit int) *Array {
	var out []Value
	at := 0
	for m := p.re.NextString(nil, s); len(m) > 0; m = p.re.NextString(m, s) {
		if limit > 0 && len(out) == limit-1 {
			break
		}
		if m[1] == 0 { // nothing before an empty match at the start
			continue
		}
		out = append(out, s[at:m[0]])
		at = m[1]
	}
	if at == 0 && len(out) == 0 {
		return &Array{Elem: "java.lang.String", Items: []Value{s}}
	}
	out = append(out, s[at:])
	if limit == 0 {
		for len(out) > 0 && out[len(out)-1] == "" {
			out = out[:len(out)-1]
		}
	}
	return &Array{Elem: "java.lang.String", Items: out}
}

// group reads a group of the match at hand, by number or name.
func (m *Matcher) group(c *Call) (int, error) {
	if len(m.m) == 0 {
		return 0, throw("java.lang.IllegalStateException", "No match found")
	}
	if c.N() == 0 {
		return 0, nil
	}
	if n, ok := c.Args[0].(string); ok {
		g := m.p.re.GroupIndex(n)
		if g < 0 {
			return 0, throw("java.lang.IllegalArgumentException", "No group with name <%s>", n)
		}
		return g, nil
	}
	g := c.Int(0)
	if g < 0 || g > m.p.re.Groups() {
		return 0, throw("java.lang.IndexOutOfBoundsException", "No group %d", g)
	}
	return g, nil
}

func initRegex() {
	patternClass.Fields = map[string]Value{"CASE_INSENSITIVE": int32(2), "MULTILINE": int32(8), "DOTALL": int32(32), "LITERAL": int32(16), "COMMENTS": int32(4), "UNICODE_CASE": int32(0)}
	patternClass.Static = Methods{
		"compile": method(1, 2, func(c *Call) (Value, error) {
			flags := 0
			if c.N() == 2 {
				flags = c.Int(1)
			}
			return errValue(compilePattern(c.Str(0), flags))
		}),
		"matches": method(2, 2, func(c *Call) (Value, error) {
			p, err := compilePattern(c.Str(0), 0)
			if err != nil {
				return nil, err
			}
			return p.re.MatchesString(c.Str(1)), nil
		}),
		"quote": method(1, 1, func(c *Call) (Value, error) { return quoteRegex(c.Str(0)), nil }),
	}
	patternClass.Methods = Methods{
		"matcher": method(1, 1, func(c *Call) (Value, error) { return newMatcher(c.Self.(*Pattern), c.Str(0)), nil }),
		"pattern": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Pattern).text, nil }),
		"split": method(1, 2, func(c *Call) (Value, error) {
			limit := 0
			if c.N() == 2 {
				limit = c.Int(1)
			}
			return c.Self.(*Pattern).split(c.Str(0), limit), nil
		}),
	}
	self := func(c *Call) *Matcher { return c.Self.(*Matcher) }
	at := func(end int) func(c *Call) (Value, error) {
		return func(c *Call) (Value, error) {
			m := self(c)
			g, err := m.group(c)
			if err != nil {
				return nil, err
			}
			if m.m[2*g] < 0 {
				return int32(-1), nil
			}
			return int32(java.Length(m.s[:m.m[2*g+end]])), nil
		}
	}
	whole := func(prefix bool) func(c *Call) (Value, error) {
		return func(c *Call) (Value, error) {
			m := self(c)
			if prefix {
				if m.m = m.p.re.FindString(nil, m.s, 0); len(m.m) > 0 && m.m[0] != 0 {
					m.m = nil
				}
			} else {
				m.m = m.p.re.FindWhole(nil, []byte(m.s))
			}
			return len(m.m) > 0, nil
		}
	}
	matcherClass.Methods = Methods{
		"find": method(0, 1, func(c *Call) (Value, error) {
			m := self(c)
			if c.N() == 1 {
				sub, ok := java.Substring(m.s, 0, c.Int(0))
				if !ok {
					return nil, throw("java.lang.IndexOutOfBoundsException", "Illegal start index")
				}
				m.from, m.anew, m.done = len(sub), true, false
			}
			return m.find(), nil
		}),
		"matches":   method(0, 0, whole(false)),
		"lookingAt": method(0, 0, whole(true)),
		"group": method(0, 1, func(c *Call) (Value, error) {
			m := self(c)
			g, err := m.group(c)
			if err != nil {
				return nil, err
			}
			return part2(m.s, m.m, g), nil
		}),
		"start":      method(0, 1, at(0)),
		"end":        method(0, 1, at(1)),
		"groupCount": method(0, 0, func(c *Call) (Value, error) { return int32(self(c).p.re.Groups()), nil }),
		"hitEnd":     method(0, 0, func(c *Call) (Value, error) { return self(c).done, nil }),
		"reset": method(0, 1, func(c *Call) (Value, error) {
			m := self(c)
			if c.N() == 1 {
				m.s = c.Str(0)
			}
			m.m, m.done, m.anew, m.tail = nil, false, false, 0
			return m, nil
		}),
		"replaceAll": method(1, 1, func(c *Call) (Value, error) {
			m := self(c)
			if cl, ok := c.Args[0].(*Closure); ok {
				return m.p.replaceBy(m.s, -1, func(b *strings.Builder, at []int) error {
					v, err := cl.Call(c.Run, &Matcher{p: m.p, s: m.s, m: at})
					b.WriteString(groovyString(v))
					return err
				})
			}
			return m.p.replace(c.Run, m.s, c.Str(0), -1)
		}),
		"replaceFirst": method(1, 1, func(c *Call) (Value, error) { return self(c).p.replace(c.Run, self(c).s, c.Str(0), 1) }),
		"appendReplacement": method(2, 2, func(c *Call) (Value, error) {
			m := self(c)
			sb, ok := c.Args[0].(*StringBuilder)
			if !ok || len(m.m) == 0 {
				return nil, throw("java.lang.IllegalStateException", "No match available")
			}
			var b strings.Builder
			b.WriteString(m.s[m.tail:m.m[0]])
			if err := m.p.expand(&b, m.s, m.m, c.Str(1)); err != nil {
				return nil, err
			}
			sb.append(b.String())
			m.tail = m.m[1]
			return m, nil
		}),
		"appendTail": method(1, 1, func(c *Call) (Value, error) {
			if sb, ok := c.Args[0].(*StringBuilder); ok {
				sb.append(self(c).s[self(c).tail:])
			}
			return c.Args[0], nil
		}),
	}
	matcherClass.Groovy = Methods{
		"size":      method(0, 0, func(c *Call) (Value, error) { return int32(len(self(c).Items())), nil }),
		"getCount":  method(0, 0, func(c *Call) (Value, error) { return int32(len(self(c).Items())), nil }),
		"hasGroup":  method(0, 0, func(c *Call) (Value, error) { return self(c).p.re.Groups() > 0, nil }),
		"asBoolean": method(0, 0, func(c *Call) (Value, error) { return self(c).Truth(), nil }),
		"getAt": method(1, 1, func(c *Call) (Value, error) {
			list := self(c).Items()
			if isRangeOrList(c.Args[0]) {
				return pickItems(c.Run, NewList(list...), list, c.Args[0])
			}
			i := c.Int(0)
			if i < 0 {
				i += len(list)
			}
			if i < 0 || i >= len(list) {
				return nil, throw("java.lang.IndexOutOfBoundsException", "index is out of range 0..%d (index = %d)", len(list)-1, i)
			}
			return list[i], nil
		}),
	}
}

// digestText makes md5(), sha256() and digest(name) of a text.
func digestText(n string) func(c *Call) (Value, error) {
	return func(c *Call) (Value, error) {
		b := []byte(str(c))
		switch n {
		case "md5":
			sum := md5.Sum(b)
			return hex.EncodeToString(sum[:]), nil
		case "sha256":
			sum := sha256.Sum256(b)
			return hex.EncodeToString(sum[:]), nil
		}
		if c.N() != 1 {
			return nil, missingMethod(c.Self, n, c.Args)
		}
		h, err := newHash(c.Str(0))
		if err != nil {
			return nil, err
		}
		h.Write(b)
		return hex.EncodeToString(h.Sum(nil)), nil
	}
}
