package jsonpath

import (
	"strconv"
	"strings"
	"unicode"
)

// Compile reads a path. One that does not begin with $ or @ is taken as if $. stood
// before it. The error of a bad path is an *Error of Reason InvalidPath.
func Compile(path string) (*Path, error) {
	if strings.TrimSpace(path) == "" {
		return nil, &Error{IllegalArgument, "json can not be null or empty"}
	}
	return compilePath(path, 0)
}

// maxNesting bounds filters within filters and arguments within arguments.
const maxNesting = 100

func compilePath(path string, depth int) (*Path, error) {
	if depth > maxNesting {
		return nil, invalid("Path is nested too deeply")
	}
	c := newCursor(path)
	c.trim()
	if c.charAt(0) != '$' && c.charAt(0) != '@' {
		c = newCursor("$." + path)
		c.trim()
	}
	if c.lastIs('.') {
		return nil, invalid("Path must not end with a '.' or '..'")
	}
	p := &pathCompiler{cursor: c, depth: depth}
	root, err := p.path()
	if err != nil {
		return nil, err
	}
	out := &Path{text: path, root: root}
	for t := root; t != nil; t = t.next {
		t.id = out.count
		out.count++
	}
	return out, nil
}

type pathCompiler struct {
	*cursor
	last  *token
	depth int
}

func (p *pathCompiler) append(t *token) {
	t.prev = p.last
	p.last.next = t
	p.last = t
}

func (p *pathCompiler) path() (*token, error) {
	root := &token{kind: rootToken, rootAs: string(p.current())}
	p.last = root
	if p.isTail() {
		return root, nil
	}
	p.at++
	if !p.is('.') && !p.is('[') {
		return nil, invalid("Illegal character at position %d expected '.' or '['", p.at)
	}
	for more := true; more; {
		before := p.at
		var err error
		if more, err = p.step(); err != nil {
			return nil, err
		}
		if p.at <= before {
			return nil, invalid("Could not parse token starting at position %d", before)
		}
	}
	return invertScan(root), nil
}

// invertScan makes $..a.f() to $.f($..a): a function after a scan sees all that the
// scan found. Other functions see what one place holds.
func invertScan(root *token) *token {
	if root.tail().kind != functionToken || root.next.kind != scanToken {
		return root
	}
	f := root.next
	for f.kind != functionToken {
		f = f.next
	}
	f.prev.next = nil
	path := &Path{root: root}
	for t := root; t != nil; t = t.next {
		t.id = path.count
		path.count++
	}
	top := &token{kind: rootToken, rootAs: "$", next: f}
	f.prev = top
	f.call.args = []argument{{path: path}}
	return top
}

// step reads one step and reports whether there is another.
func (p *pathCompiler) step() (more bool, err error) {
	at := p.at
	ok := false
	switch p.current() {
	case '[':
		for _, read := range []func() (bool, error){p.names, p.array, p.wildcard, p.filter, p.placeholder} {
			if ok, err = read(); ok || err != nil {
				break
			}
		}
		if err == nil && !ok {
			return false, invalid("Could not parse token starting at position %d. Expected ?, ', 0-9, * ", p.at)
		}
	case '.':
		return p.dot()
	case '*':
		ok, err = p.wildcard()
	default:
		ok, err = p.name()
	}
	if err == nil && !ok {
		err = invalid("Could not parse token starting at position %d", at)
	}
	return err == nil && !p.isTail(), err
}

func (p *pathCompiler) dot() (more bool, err error) {
	switch {
	case p.charAt(p.at+1) == '.' && p.has(p.at+1):
		p.append(&token{kind: scanToken})
		p.at += 2
	case !p.has(p.at + 1):
		return false, invalid("Path must not end with a '.")
	default:
		p.at++
	}
	if p.is('.') {
		return false, invalid("Character '.' on position %d is not valid.", p.at)
	}
	return true, nil
}

// name reads a member's name after a dot, or a function.
func (p *pathCompiler) name() (bool, error) {
	switch p.current() {
	case '[', '*', '.', ' ', 0:
		return false, nil
	}
	start, end, isCall := p.at, 0, false
	at := start
	for ; p.has(at); at++ {
		c := p.charAt(at)
		if c == ' ' {
			return false, invalid("Use bracket notion ['my prop'] if your property contains blank characters. position: %d", p.at)
		}
		if c == '.' || c == '[' || c == '(' {
			isCall, end = c == '(', at
			break
		}
	}
	if end == 0 {
		end = p.length()
	}
	name := p.sub(start, end)
	if !isCall {
		p.at = end
		p.append(&token{kind: propertyToken, names: []string{name}, quote: "'"})
		return true, nil
	}
	if !p.callIsClosed(at) {
		return false, notClosed(name)
	}
	t := &token{kind: functionToken, call: call{name: name}}
	switch {
	case !p.has(at + 1):
		p.at = at
	case p.charAt(at+1) == ')':
		p.at = at + 1
	default:
		p.at = end + 1
		args, err := p.arguments(name)
		if err != nil {
			return false, err
		}
		t.call.args = args
	}
	p.append(t)
	return true, nil
}

func notClosed(name string) error {
	return invalid("Arguments to function: '%s' are not closed properly.", name)
}

func (p *pathCompiler) callIsClosed(open int) bool {
	depth := 1
	for i := open + 1; i < p.length(); i++ {
		switch p.charAt(i) {
		case ')':
			depth--
		case '(':
			depth++
		}
		if depth == 0 {
			return true
		}
	}
	return false
}

// names reads ['a'] or ['a','b'].
func (p *pathCompiler) names() (bool, error) {
	quote := p.significantAfter(p.at)
	if quote != '\'' && quote != '"' {
		return false, nil
	}
	var names []string
	start, end := p.at+1, 0
	inName, escaped, afterComma := false, false, false
	i := start
	for ; p.has(i); i++ {
		c := p.charAt(i)
		if escaped {
			escaped = false
			continue
		}
		if c == ']' && !inName {
			if afterComma {
				return false, invalid("Found empty property at index %d", i)
			}
			break
		}
		switch {
		case c == '\\':
			escaped = true
		case c == quote && inName:
			if after := p.significantAfter(i); after != ']' && after != ',' {
				return false, invalid("Property must be separated by comma or Property must be terminated close square bracket at index %d", i)
			}
			end = i
			names = append(names, unescape(p.sub(start, end)))
			inName = false
		case c == quote:
			start, inName, afterComma = i+1, true, false
		case c == ',' && !inName:
			if afterComma {
				return false, invalid("Found empty property at index %d", i)
			}
			afterComma = true
		}
	}
	if inName {
		return false, invalid("Property has not been closed - missing closing %c", quote)
	}
	closed := p.indexAfter(end, ']')
	if closed < 0 || len(names) == 0 {
		return false, invalid("Property must be terminated close square bracket at index %d", end)
	}
	p.at = closed + 1
	p.append(&token{kind: propertyToken, names: names, quote: string(quote)})
	return true, nil
}

// array reads [0], [0,1] or a slice.
func (p *pathCompiler) array() (bool, error) {
	if c := p.significantAfter(p.at); !unicode.IsDigit(c) && c != '-' && c != ':' {
		return false, nil
	}
	end := p.indexOf(p.at+1, ']')
	if end < 0 {
		return false, nil
	}
	text := strings.TrimSpace(p.sub(p.at+1, end))
	if strings.Trim(text, "0123456789,-: ") != "" {
		return false, nil
	}
	var t *token
	var err error
	if strings.Contains(text, ":") {
		t, err = parseSlice(text)
	} else {
		t, err = parseIndexes(text)
	}
	if err != nil {
		return false, err
	}
	p.at = end + 1
	p.append(t)
	return true, nil
}

func parseSlice(text string) (*token, error) {
	bad := invalid("Failed to parse SliceOperation: %s", text)
	if strings.ContainsAny(text, ", ") {
		return nil, bad
	}
	parts := strings.Split(text, ":")
	t := &token{kind: sliceToken}
	for i, part := range parts[:min(2, len(parts))] {
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 32)
		switch {
		case err != nil:
			return nil, bad
		case i == 0:
			t.slice.from, t.slice.hasFrom = int(n), true
		default:
			t.slice.to, t.slice.hasTo = int(n), true
		}
	}
	if !t.slice.hasFrom && !t.slice.hasTo {
		return nil, bad
	}
	return t, nil
}

func parseIndexes(text string) (*token, error) {
	t := &token{kind: indexToken}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil {
			return nil, invalid("Failed to parse token in ArrayIndexOperation: %s", part)
		}
		t.indexes = append(t.indexes, int(n))
	}
	return t, nil
}

func (p *pathCompiler) wildcard() (bool, error) {
	if p.is('[') {
		star := p.indexAfter(p.at, '*')
		if star < 0 || !p.has(star) {
			return false, nil
		}
		end := p.indexAfter(star, ']')
		if end < 0 {
			return false, invalid("Expected wildcard token to end with ']' on position %d", star+1)
		}
		p.at = end + 1
	} else {
		p.at++
	}
	p.append(&token{kind: wildcardToken})
	return true, nil
}

func (p *pathCompiler) filter() (bool, error) {
	question := p.indexAfter(p.at, '?')
	if question < 0 {
		return false, nil
	}
	open := p.indexAfter(question, '(')
	if open < 0 {
		return false, nil
	}
	shut, err := p.closing(open, '(', ')', true)
	if err != nil || shut < 0 {
		return false, err
	}
	end := p.indexAfter(shut, ']')
	if end < 0 {
		return false, nil
	}
	f, err := compileFilter(p.sub(p.at, end+1), p.depth+1)
	if err != nil {
		return false, err
	}
	p.at = end + 1
	p.append(&token{kind: filterToken, filter: f})
	return true, nil
}

// placeholder refuses [?], which stands for a filter that only a program can give.
func (p *pathCompiler) placeholder() (bool, error) {
	question := p.indexAfter(p.at, '?')
	if question < 0 {
		return false, nil
	}
	if c := p.significantAfter(question); c != ']' && c != ',' {
		return false, nil
	}
	end := p.indexOf(question, ']')
	if end < 0 {
		return false, nil
	}
	return false, invalid("Not enough predicates supplied for filter [%s] at position %d", p.sub(p.at+1, end), p.at)
}

// unescape resolves the escapes of Java in a name or a text.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	r := []rune(s)
	for i := 0; i < len(r); i++ {
		if r[i] != '\\' || i+1 == len(r) {
			b.WriteRune(r[i])
			continue
		}
		i++
		switch r[i] {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'f':
			b.WriteByte('\f')
		case 'b':
			b.WriteByte('\b')
		case 'u':
			if i+4 < len(r) {
				if n, err := strconv.ParseUint(string(r[i+1:i+5]), 16, 32); err == nil {
					b.WriteRune(rune(n))
					i += 4
				}
			}
		default:
			b.WriteRune(r[i])
		}
	}
	return b.String()
}
