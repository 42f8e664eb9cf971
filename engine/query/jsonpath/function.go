package jsonpath

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/gojm/gojm/engine/query/json"
)

// A call is a function with its arguments.
type call struct {
	name string
	args []argument
}

// An argument is a path, evaluated on the whole document, or a JSON text.
type argument struct {
	path *Path
	text string
}

type function func(r *run, t *token, v *json.Value) (*json.Value, error)

// functionNamed returns one of the functions of json-path 2.8.0, or nil.
func functionNamed(name string) function {
	switch name {
	case "avg":
		return aggregate(func(s stats) float64 { return s.sum / s.count })
	case "stddev":
		return aggregate(stats.stddev)
	case "sum":
		return aggregate(func(s stats) float64 { return s.sum })
	case "min":
		return aggregate(func(s stats) float64 { return s.min })
	case "max":
		return aggregate(func(s stats) float64 { return s.max })
	case "concat":
		return concat
	case "length", "size":
		return length
	case "append":
		return appendTo
	case "keys":
		return keys
	case "first":
		return pick(func(*run, *token) (int, error) { return 0, nil })
	case "last":
		return pick(func(*run, *token) (int, error) { return -1, nil })
	case "index":
		return pick(pickedIndex)
	}
	return nil
}

func (t *token) function(r *run, v *json.Value) error {
	f := functionNamed(t.call.name)
	if f == nil {
		return invalid("Function with name: %s does not exist.", t.call.name)
	}
	out, err := f(r, t, v)
	if err != nil {
		return err
	}
	r.add(out)
	if t.next == nil {
		return nil
	}
	return t.next.evaluate(r, out)
}

// values returns what the arguments stand for; arrays give their elements.
func (t *token) values(r *run) ([]*json.Value, error) {
	var out []*json.Value
	for _, a := range t.call.args {
		v, err := a.value(r)
		if err != nil {
			return nil, err
		}
		if v.Kind() != json.Array {
			out = append(out, v)
			continue
		}
		for i := range v.Len() {
			out = append(out, v.At(i))
		}
	}
	return out, nil
}

func (a argument) value(r *run) (*json.Value, error) {
	if a.path == nil {
		v, err := json.ParseLenient([]byte(a.text))
		if err != nil {
			return nil, &Error{InvalidJSON, err.Error()}
		}
		return v, nil
	}
	return a.path.value(&run{root: r.root, quiet: r.quiet}, r.root)
}

type stats struct{ count, sum, squares, min, max float64 }

func (s stats) stddev() float64 {
	return math.Sqrt(s.squares/s.count - s.sum*s.sum/s.count/s.count)
}

func (s *stats) add(v *json.Value) {
	if !v.IsNumber() {
		return
	}
	f := v.Float()
	s.count++
	s.sum += f
	s.squares += f * f
	s.min, s.max = math.Min(s.min, f), math.Max(s.max, f)
}

func aggregate(of func(stats) float64) function {
	return func(r *run, t *token, v *json.Value) (*json.Value, error) {
		s := stats{min: math.MaxFloat64, max: -math.MaxFloat64}
		if v.Kind() == json.Array {
			for i := range v.Len() {
				s.add(v.At(i))
			}
		}
		args, err := t.values(r)
		if err != nil {
			return nil, err
		}
		for _, a := range args {
			s.add(a)
		}
		if s.count == 0 {
			return nil, errNoNumbers
		}
		return json.NewDouble(of(s)), nil
	}
}

var errNoNumbers = failed("Aggregation function attempted to calculate value using empty array")

func concat(r *run, t *token, v *json.Value) (*json.Value, error) {
	var b strings.Builder
	if v.Kind() == json.Array {
		for i := range v.Len() {
			if v.At(i).Kind() == json.String {
				b.WriteString(v.At(i).Str())
			}
		}
	}
	args, err := t.values(r)
	if err != nil {
		return nil, err
	}
	for _, a := range args {
		if a.Kind() != json.Null {
			b.WriteString(javaText(a))
		}
	}
	return json.NewString(b.String()), nil
}

// length counts the elements of an array, the members of an object, or what its
// argument finds; a text has none, as in the original.
func length(r *run, t *token, v *json.Value) (*json.Value, error) {
	if len(t.call.args) > 0 && t.call.args[0].path != nil {
		if t.call.args[0].path.root.tail().kind == scanToken {
			return nil, &Error{IllegalState, "Current path token is a leaf"}
		}
		found, err := t.call.args[0].path.spread().value(&run{root: r.root, quiet: r.quiet}, v)
		if err != nil {
			return nil, err
		}
		if found.Kind() == json.Array {
			return json.NewInt(int64(found.Len())), nil
		}
	}
	if v.Kind() == json.Array || v.Kind() == json.Object {
		return json.NewInt(int64(v.Len())), nil
	}
	return json.NewNull(), nil
}

// spread is p with [*] behind it, unless it ends in a function.
func (p *Path) spread() *Path {
	if p.IsFunction() {
		return p
	}
	out := &Path{text: p.text}
	var last *token
	add := func(t token) {
		t.prev, t.next, t.id = last, nil, out.count
		out.count++
		if last == nil {
			out.root = &t
		} else {
			last.next = &t
		}
		last = &t
	}
	for t := p.root; t != nil; t = t.next {
		add(*t)
	}
	add(token{kind: wildcardToken})
	return out
}

func appendTo(r *run, t *token, v *json.Value) (*json.Value, error) {
	if v.Kind() != json.Array {
		return v, nil
	}
	items := make([]*json.Value, 0, v.Len()+len(t.call.args))
	for i := range v.Len() {
		items = append(items, v.At(i))
	}
	for _, a := range t.call.args {
		item, err := a.value(r)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return json.NewArray(items), nil
}

// keys gives the names of the members, as Java prints a set.
func keys(_ *run, _ *token, v *json.Value) (*json.Value, error) {
	if v.Kind() != json.Object {
		return json.NewNull(), nil
	}
	names := make([]string, v.Len())
	for i := range names {
		names[i] = v.Key(i)
	}
	return json.NewString("[" + strings.Join(names, ", ") + "]"), nil
}

func pick(which func(*run, *token) (int, error)) function {
	return func(r *run, t *token, v *json.Value) (*json.Value, error) {
		if v.Kind() != json.Array {
			return nil, errNoNumbers
		}
		i, err := which(r, t)
		if err != nil {
			return nil, err
		}
		at := i
		if i < 0 {
			at += v.Len()
		}
		if at < 0 || at >= v.Len() {
			if i < 0 {
				return nil, failed("Target index:%d larger than object count:%d", i, v.Len())
			}
			return nil, &Error{OutOfBounds, fmt.Sprintf("Index %d out of bounds for length %d", i, v.Len())}
		}
		return v.At(at), nil
	}
}

func pickedIndex(r *run, t *token) (int, error) {
	args, err := t.values(r)
	if err != nil {
		return 0, err
	}
	if len(args) == 0 || !args[0].IsNumber() {
		return 0, failed("index() needs a number")
	}
	return int(args[0].Float()), nil
}

// arguments reads what stands between the parentheses of a function.
func (p *pathCompiler) arguments(name string) ([]argument, error) {
	const (
		none = iota
		isText
		isPath
	)
	var (
		args                            []argument
		text                            []rune
		kind                            = none
		parens, brackets, braces, quote = 1, 0, 0, 0
		before                          rune
	)
	for done := false; p.inBounds() && !done; {
		c := p.current()
		p.at++
		if kind == none {
			switch {
			case unicode.IsSpace(c):
				continue
			case c == '{' || unicode.IsDigit(c) || c == '"' || c == '-':
				kind = isText
			case c == '$' || c == '@':
				kind = isPath
			}
		}
		switch c {
		case '"':
			if before != '\\' && quote > 0 {
				quote--
			} else {
				quote++
			}
		case '(':
			parens++
		case '{':
			braces++
		case '[':
			brackets++
		case '}':
			if braces == 0 {
				return nil, invalid("Unexpected close brace '}' at character position: %d", p.at)
			}
			braces--
		case ']':
			if brackets == 0 {
				return nil, invalid("Unexpected close bracket ']' at character position: %d", p.at)
			}
			brackets--
		case ')', ',':
			if c == ')' {
				if parens--; parens < 0 || before == '(' {
					text = append(text, c)
				}
			}
			if quote != 0 || braces != 0 || brackets != 0 || !(parens == 0 && c == ')' || parens == 1) {
				break
			}
			done = parens == 0
			if kind == none {
				break
			}
			a := argument{text: string(text)}
			if kind == isPath {
				var err error
				if a.path, err = compilePath(a.text, p.depth+1); err != nil {
					return nil, err
				}
			}
			args = append(args, a)
			text, kind = nil, none
		}
		if kind != none && !(c == ',' && braces == 0 && brackets == 0 && parens == 1) {
			text = append(text, c)
		}
		before = c
	}
	if braces != 0 || parens != 0 || brackets != 0 {
		return nil, notClosed(name)
	}
	return args, nil
}
