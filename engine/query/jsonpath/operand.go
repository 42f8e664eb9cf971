package jsonpath

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/query/regex"
)

func itoa(n int) string { return strconv.Itoa(n) }

type operandKind uint8

const (
	undefinedOperand operandKind = iota // a place that is not there; equal to nothing
	valueOperand                        // null, boolean, number or text
	literalOperand                      // an array or object
	patternOperand
	pathOperand
	opaqueOperand // an element that the library takes for a path
)

// An operand is one side of a comparison.
type operand struct {
	kind    operandKind
	value   *json.Value
	pattern *regex.Regexp
	path    *Path
	exists  bool // the path is asked only whether it is there
	absent  bool // it has a ! before it
}

// resolve makes a path what it leads to.
func (o operand) resolve(c *context) (operand, error) {
	if o.kind != pathOperand {
		return o, nil
	}
	if o.exists {
		_, err := o.path.value(&run{root: c.run.root, require: true, quiet: true}, c.item)
		if isNotFound(err) {
			err = nil
			return operand{kind: valueOperand, value: json.NewBool(false)}, err
		}
		return operand{kind: valueOperand, value: json.NewBool(true)}, err
	}
	v, err := c.lookup(o.path)
	switch {
	case isNotFound(err):
		return operand{}, nil
	case err != nil:
		return operand{}, err
	}
	return operandOf(v), nil
}

// lookup evaluates a path of a filter; one from $ only once in an evaluation.
func (c *context) lookup(p *Path) (*json.Value, error) {
	if p.root.rootAs != "$" {
		return p.value(&run{root: c.run.root, quiet: true}, c.item)
	}
	if hit, ok := c.run.cache[p]; ok {
		return hit.v, hit.err
	}
	v, err := p.value(&run{root: c.run.root, quiet: true}, c.run.root)
	if c.run.cache == nil {
		c.run.cache = map[*Path]cachedValue{}
	}
	c.run.cache[p] = cachedValue{v, err}
	return v, err
}

func operandOf(v *json.Value) operand {
	if v.Kind() == json.Array || v.Kind() == json.Object {
		return operand{kind: literalOperand, value: v}
	}
	return operand{kind: valueOperand, value: v}
}

func (o operand) isText() bool   { return o.kind == valueOperand && o.value.Kind() == json.String }
func (o operand) isNumber() bool { return o.kind == valueOperand && o.value.IsNumber() }
func (o operand) isBool() bool   { return o.kind == valueOperand && o.value.Kind() == json.Bool }
func (o operand) isArray() bool  { return o.kind == literalOperand && o.value.Kind() == json.Array }

// text is a number or text as a text.
func (o operand) text() string {
	if o.isNumber() {
		return json.FormatDecimal(o.value.Str())
	}
	return o.value.Str()
}

// equal is ==: a text equals the number it spells.
func (o operand) equal(p operand) bool {
	switch {
	case o.kind == literalOperand && p.kind == literalOperand:
		return o.value.Equal(p.value)
	case o.kind != valueOperand || p.kind != valueOperand:
		return false
	case o.isText() && (p.isText() || p.isNumber()):
		return o.text() == p.text()
	case o.isNumber() && (p.isText() || p.isNumber()):
		n, ok := compareNumbers(o.value.Str(), p.value.Str())
		return ok && n == 0
	}
	return o.value.Kind() == p.value.Kind() && o.value.Str() == p.value.Str()
}

// shortNumber is the length up to which a double holds a number exactly enough.
const shortNumber = 15

// compareNumbers compares by value, exactly; ok is false when one is no number.
func compareNumbers(a, b string) (n int, ok bool) {
	if len(a) <= shortNumber && len(b) <= shortNumber && !strings.ContainsAny(a+b, "eEpPxX_nNiI") {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		switch {
		case err1 != nil || err2 != nil:
			return 0, false
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, true
	}
	x, y := json.ParseRat(a), json.ParseRat(b)
	if x == nil || y == nil {
		return 0, false
	}
	return x.Cmp(y), true
}

// list returns the elements as operands. What is no array is no list, and an element
// that is itself an array or object breaks the comparison, as in the original.
func (o operand) list() (list []operand, ok bool, err error) {
	if o.kind == literalOperand && !o.isArray() {
		return nil, false, nil
	}
	if !o.isArray() {
		return nil, false, invalid("Expected value list node")
	}
	for i := range o.value.Len() {
		v := o.value.At(i)
		switch v.Kind() {
		case json.Array, json.Object:
			return nil, false, failed("Could not determine value type")
		case json.String:
			list = append(list, elementText(v))
		default:
			list = append(list, operandOf(v))
		}
	}
	return list, true, nil
}

// elementText is a text in a list, where the library looks closer: it may be a
// path, a JSON text, or in quotes.
func elementText(v *json.Value) operand {
	s := strings.TrimSpace(v.Str())
	if s != "" && (s[0] == '$' || s[0] == '@') {
		if _, err := Compile(s); err == nil {
			return operand{kind: opaqueOperand}
		}
	}
	if len(s) > 1 && (s[0] == '[' && s[len(s)-1] == ']' || s[0] == '{' && s[len(s)-1] == '}') {
		if parsed, err := json.ParseLenient([]byte(s)); err == nil {
			return operandOf(parsed)
		}
	}
	text := v.Str()
	if n := len(text); n > 1 {
		if q := text[0]; q == text[n-1] && (q == '\'' || q == '"') {
			text = text[1 : n-1]
		}
		text = unescape(text)
	}
	return operand{kind: valueOperand, value: json.NewString(text)}
}

func contains(list []operand, o operand) bool {
	for _, x := range list {
		if o.equal(x) {
			return true
		}
	}
	return false
}

type operator func(left, right operand) (bool, error)

// operatorNamed returns one of the operators of json-path 2.8.0, named in capitals,
// or nil.
func operatorNamed(name string) operator {
	switch name {
	case "==":
		return func(l, r operand) (bool, error) { return l.equal(r), nil }
	case "!=":
		return func(l, r operand) (bool, error) { return !l.equal(r), nil }
	case "===":
		return func(l, r operand) (bool, error) { return sameType(l, r) && l.equal(r), nil }
	case "!==":
		return func(l, r operand) (bool, error) { return !(sameType(l, r) && l.equal(r)), nil }
	case "<":
		return ordering(func(n int) bool { return n < 0 })
	case "<=":
		return ordering(func(n int) bool { return n <= 0 })
	case ">":
		return ordering(func(n int) bool { return n > 0 })
	case ">=":
		return ordering(func(n int) bool { return n >= 0 })
	case "=~":
		return matches
	case "IN":
		return in
	case "NIN":
		return func(l, r operand) (bool, error) { ok, err := in(l, r); return !ok, err }
	case "CONTAINS":
		return containsOperator
	case "SIZE":
		return sizeIs
	case "EXISTS":
		return existence
	case "EMPTY":
		return emptiness
	case "SUBSETOF":
		return subset(within)
	case "ANYOF":
		return subset(overlap)
	case "NONEOF":
		return subset(func(l, r []operand) bool { return !overlap(l, r) })
	case "ALL", "TYPE", "MATCHES": // want on their right what no path can say
		return func(operand, operand) (bool, error) { return false, invalid("Expected another node") }
	}
	return nil
}

func sameType(l, r operand) bool {
	if l.kind != r.kind {
		return false
	}
	if l.kind != valueOperand {
		return true
	}
	return l.value.Kind() == r.value.Kind() || l.isNumber() && r.isNumber()
}

func ordering(holds func(int) bool) operator {
	return func(l, r operand) (bool, error) {
		switch {
		case l.isNumber() && r.isNumber():
			n, ok := compareNumbers(l.value.Str(), r.value.Str())
			return ok && holds(n), nil
		case l.isText() && r.isText():
			return holds(compareUTF16(l.value.Str(), r.value.Str())), nil
		}
		return false, nil
	}
}

// compareUTF16 is Java's String.compareTo, which differs from the order of runes
// beyond U+D7FF only.
func compareUTF16(a, b string) int {
	for i, r := range a {
		if r >= 0xd800 {
			return compareUnits(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		}
		if i >= len(b) || a[i] != b[i] {
			break
		}
	}
	return strings.Compare(a, b)
}

func compareUnits(a, b []uint16) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return int(a[i]) - int(b[i])
		}
	}
	return len(a) - len(b)
}

func existence(l, r operand) (bool, error) {
	if !l.isBool() && !r.isBool() {
		return false, failed("Failed to evaluate exists expression")
	}
	if !l.isBool() || !r.isBool() {
		return false, invalid("Expected boolean node")
	}
	return l.value.Bool() == r.value.Bool(), nil
}

func matches(l, r operand) (bool, error) {
	if (l.kind == patternOperand) == (r.kind == patternOperand) {
		return false, nil
	}
	re, other := l.pattern, r
	if r.kind == patternOperand {
		re, other = r.pattern, l
	}
	if other.isArray() {
		list, _, err := other.list()
		for _, x := range list {
			if re.MatchesString(x.input()) {
				return true, err
			}
		}
		return false, err
	}
	return re.MatchesString(other.input()), nil
}

// input is the text a pattern is matched with.
func (o operand) input() string {
	if o.isText() || o.isNumber() || o.isBool() {
		return o.text()
	}
	return ""
}

func in(l, r operand) (bool, error) {
	list, ok, err := r.list()
	return ok && contains(list, l), err
}

func containsOperator(l, r operand) (bool, error) {
	if l.isText() && r.isText() {
		return strings.Contains(l.value.Str(), r.value.Str()), nil
	}
	if l.kind != literalOperand {
		return false, nil
	}
	return in(r, l)
}

func sizeIs(l, r operand) (bool, error) {
	if !r.isNumber() {
		return false, nil
	}
	want := int(r.value.Float())
	switch {
	case l.isText():
		return len(utf16.Encode([]rune(l.value.Str()))) == want, nil
	case l.isArray():
		return l.value.Len() == want, nil
	case l.kind == literalOperand:
		return want == -1, nil
	}
	return false, nil
}

func emptiness(l, r operand) (bool, error) {
	if !l.isText() && l.kind != literalOperand {
		return false, nil
	}
	if !r.isBool() {
		return false, invalid("Expected boolean node")
	}
	if l.kind == literalOperand && l.value.Kind() == json.Object {
		return false, &Error{ClassCast, "class java.util.LinkedHashMap cannot be cast to class java.util.Collection (java.util.LinkedHashMap and java.util.Collection are in module java.base of loader 'bootstrap')"}
	}
	empty := l.isText() && l.value.Str() == "" || l.kind == literalOperand && l.value.Len() == 0
	return empty == r.value.Bool(), nil
}

// subset lifts a relation of lists to operands.
func subset(relation func(l, r []operand) bool) operator {
	return func(l, r operand) (bool, error) {
		right, ok, err := r.list()
		if err != nil || !ok {
			return false, err
		}
		left, ok, err := l.list()
		return ok && relation(left, right), err
	}
}

func within(l, r []operand) bool {
	for _, x := range l {
		if !contains(r, x) {
			return false
		}
	}
	return true
}

func overlap(l, r []operand) bool {
	for _, x := range l {
		if contains(r, x) {
			return true
		}
	}
	return false
}
