package jmespath

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/query/json"
)

// An ArgumentError is a function called with what it does not take.
type ArgumentError struct{ Function, Want, Got string }

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("Invalid argument type calling \"%s\": expected %s but was %s", e.Function, e.Want, e.Got)
}

// An argument is a value or, after &, an expression.
type argument struct {
	value      *json.Value
	expression *node
}

// A function has the kinds of its arguments, each a list of types.
type function struct {
	name string
	want []string
	more bool // the last may be repeated
	do   func(args []argument) (*json.Value, error)
}

func (f *function) arity(n int) (wanted string) {
	switch {
	case n == len(f.want), f.more && n > len(f.want):
		return ""
	case f.more:
		return "at least " + strconv.Itoa(len(f.want))
	}
	return strconv.Itoa(len(f.want))
}

const (
	anyType  = "any value"
	refType  = "expression"
	numbers  = "array of number"
	texts    = "array of string"
	objects  = "array of object"
	anyArray = "array of any value" // but of one type
	sortable = "array of number or string"
)

func functionNamed(name string) *function {
	f := &function{name: name}
	switch name {
	case "abs":
		f.want, f.do = []string{"number"}, numeric(math.Abs)
	case "ceil":
		f.want, f.do = []string{"number"}, numeric(math.Ceil)
	case "floor":
		f.want, f.do = []string{"number"}, numeric(math.Floor)
	case "avg":
		f.want, f.do = []string{numbers}, average
	case "sum":
		f.want, f.do = []string{numbers}, func(a []argument) (*json.Value, error) { return json.NewDouble(total(a[0].value)), nil }
	case "contains":
		f.want, f.do = []string{"array or string", anyType}, contains
	case "starts_with":
		f.want, f.do = []string{"string", "string"}, textual(strings.HasPrefix)
	case "ends_with":
		f.want, f.do = []string{"string", "string"}, textual(strings.HasSuffix)
	case "join":
		f.want, f.do = []string{"string", texts}, join
	case "keys":
		f.want, f.do = []string{"object"}, keys
	case "values":
		f.want, f.do = []string{"object"}, func(a []argument) (*json.Value, error) { return json.NewArray(values(a[0].value)), nil }
	case "length":
		f.want, f.do = []string{"string, array or object"}, length
	case "map":
		f.want, f.do = []string{refType, anyArray}, mapped
	case "max":
		f.want, f.do = []string{sortable}, extreme(1)
	case "min":
		f.want, f.do = []string{sortable}, extreme(-1)
	case "max_by":
		f.want, f.do = []string{objects, refType}, f.extremeBy(1)
	case "min_by":
		f.want, f.do = []string{objects, refType}, f.extremeBy(-1)
	case "merge":
		f.want, f.more, f.do = []string{"object"}, true, merge
	case "not_null":
		f.want, f.more, f.do = []string{anyType}, true, notNull
	case "reverse":
		f.want, f.do = []string{"array or string"}, reverse
	case "sort":
		f.want, f.do = []string{sortable}, sorted
	case "sort_by":
		f.want, f.do = []string{objects, refType}, f.sortedBy
	case "to_array":
		f.want, f.do = []string{anyType}, toArray
	case "to_number":
		f.want, f.do = []string{anyType}, toNumber
	case "to_string":
		f.want, f.do = []string{anyType}, func(a []argument) (*json.Value, error) { return json.NewString(a[0].value.JacksonText()), nil }
	case "type":
		f.want, f.do = []string{anyType}, func(a []argument) (*json.Value, error) { return json.NewString(typeOf(a[0].value)), nil }
	default:
		return nil
	}
	return f
}

func (n *node) invoke(v *json.Value) (*json.Value, error) {
	args := make([]argument, len(n.subs))
	for i, sub := range n.subs {
		if sub.kind == referenceNode {
			args[i].expression = sub.left
			continue
		}
		value, err := sub.eval(v)
		if err != nil {
			return nil, err
		}
		args[i].value = value
	}
	for i, a := range args {
		want := n.call.want[min(i, len(n.call.want)-1)]
		if got := a.mismatch(want); got != "" {
			return nil, &ArgumentError{n.call.name, want, got}
		}
	}
	return n.call.do(args)
}

// mismatch returns what a is when it is not what is wanted.
func (a argument) mismatch(want string) string {
	if a.expression != nil {
		if want == refType {
			return ""
		}
		return "expression"
	}
	got := typeOf(a.value)
	switch want {
	case anyType:
		return ""
	case numbers, texts, sortable, objects, anyArray:
		if a.value.Kind() != json.Array {
			return got
		}
		return elementMismatch(a.value, want)
	}
	for _, w := range strings.FieldsFunc(strings.ReplaceAll(want, " or ", ","), func(r rune) bool { return r == ',' || r == ' ' }) {
		if w == got {
			return ""
		}
	}
	return got
}

// elementMismatch checks the types in an array; of a sortable one all must be the
// same.
func elementMismatch(v *json.Value, want string) string {
	var kinds []string
	for i := range v.Len() {
		if t := typeOf(v.At(i)); !slices.Contains(kinds, t) {
			kinds = append(kinds, t)
		}
	}
	ok := len(kinds) == 0
	if len(kinds) == 1 {
		ok = want == sortable && (kinds[0] == "number" || kinds[0] == "string") || want == "array of "+kinds[0] || want == anyArray
	}
	if ok {
		return ""
	}
	list := kinds[len(kinds)-1]
	if len(kinds) > 1 {
		list = strings.Join(kinds[:len(kinds)-1], ", ") + " and " + list
	}
	return "array containing " + list
}

func typeOf(v *json.Value) string {
	switch v.Kind() {
	case json.Null:
		return "null"
	case json.Bool:
		return "boolean"
	case json.String:
		return "string"
	case json.Array:
		return "array"
	case json.Object:
		return "object"
	}
	return "number"
}

func numeric(f func(float64) float64) func([]argument) (*json.Value, error) {
	return func(a []argument) (*json.Value, error) { return json.NewDouble(f(a[0].value.Float())), nil }
}

func textual(f func(string, string) bool) func([]argument) (*json.Value, error) {
	return func(a []argument) (*json.Value, error) {
		return json.NewBool(f(a[0].value.Str(), a[1].value.Str())), nil
	}
}

func total(v *json.Value) float64 {
	sum := 0.0
	for i := range v.Len() {
		sum += v.At(i).Float()
	}
	return sum
}

func average(a []argument) (*json.Value, error) {
	n := a[0].value.Len()
	if n == 0 {
		return json.NewNull(), nil
	}
	return json.NewDouble(total(a[0].value) / float64(n)), nil
}

func contains(a []argument) (*json.Value, error) {
	in, what := a[0].value, a[1].value
	if in.Kind() == json.String {
		return json.NewBool(what.Kind() == json.String && strings.Contains(in.Str(), what.Str())), nil
	}
	for i := range in.Len() {
		if in.At(i).Equal(what) {
			return json.NewBool(true), nil
		}
	}
	return json.NewBool(false), nil
}

func join(a []argument) (*json.Value, error) {
	parts := make([]string, a[1].value.Len())
	for i := range parts {
		parts[i] = a[1].value.At(i).Str()
	}
	return json.NewString(strings.Join(parts, a[0].value.Str())), nil
}

func keys(a []argument) (*json.Value, error) {
	out := make([]*json.Value, a[0].value.Len())
	for i := range out {
		out[i] = json.NewString(a[0].value.Key(i))
	}
	return json.NewArray(out), nil
}

func length(a []argument) (*json.Value, error) {
	v := a[0].value
	if v.Kind() == json.String {
		return json.NewInt(int64(len(utf16.Encode([]rune(v.Str()))))), nil
	}
	return json.NewInt(int64(v.Len())), nil
}

func mapped(a []argument) (*json.Value, error) {
	out := make([]*json.Value, a[1].value.Len())
	for i := range out {
		var err error
		if out[i], err = a[0].expression.eval(a[1].value.At(i)); err != nil {
			return nil, err
		}
	}
	return json.NewArray(out), nil
}

// extreme finds the first of the greatest, or with -1 of the least.
func extreme(sign int) func([]argument) (*json.Value, error) {
	return func(a []argument) (*json.Value, error) {
		best := json.NewNull()
		for i := range a[0].value.Len() {
			if v := a[0].value.At(i); i == 0 || sign*order(v, best) > 0 {
				best = v
			}
		}
		return best, nil
	}
}

// keyed evaluates the expression on every element; all must give numbers, or all
// texts.
func (f *function) keyed(list *json.Value, by *node) ([]*json.Value, error) {
	out := make([]*json.Value, list.Len())
	for i := range out {
		k, err := by.eval(list.At(i))
		if err != nil {
			return nil, err
		}
		t := typeOf(k)
		want := "number or string"
		if i > 0 {
			want = typeOf(out[0])
		}
		if t != "number" && t != "string" || i > 0 && t != want {
			return nil, &ArgumentError{f.name, want, t}
		}
		out[i] = k
	}
	return out, nil
}

func (f *function) extremeBy(sign int) func([]argument) (*json.Value, error) {
	return func(a []argument) (*json.Value, error) {
		by, err := f.keyed(a[0].value, a[1].expression)
		if err != nil || len(by) == 0 {
			return json.NewNull(), err
		}
		best := 0
		for i := range by {
			if sign*order(by[i], by[best]) > 0 {
				best = i
			}
		}
		return a[0].value.At(best), nil
	}
}

func (f *function) sortedBy(a []argument) (*json.Value, error) {
	by, err := f.keyed(a[0].value, a[1].expression)
	if err != nil {
		return nil, err
	}
	places := make([]int, len(by))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(i, j int) int { return order(by[i], by[j]) })
	out := make([]*json.Value, len(by))
	for i, at := range places {
		out[i] = a[0].value.At(at)
	}
	return json.NewArray(out), nil
}

func sorted(a []argument) (*json.Value, error) {
	out := values(a[0].value)
	slices.SortStableFunc(out, order)
	return json.NewArray(out), nil
}

func merge(a []argument) (*json.Value, error) {
	out := json.NewObject()
	for _, arg := range a {
		for i := range arg.value.Len() {
			out.Set(arg.value.Key(i), arg.value.At(i))
		}
	}
	return out, nil
}

func notNull(a []argument) (*json.Value, error) {
	for _, arg := range a {
		if arg.value.Kind() != json.Null {
			return arg.value, nil
		}
	}
	return json.NewNull(), nil
}

func reverse(a []argument) (*json.Value, error) {
	v := a[0].value
	if v.Kind() == json.Array {
		out := values(v)
		slices.Reverse(out)
		return json.NewArray(out), nil
	}
	out := make([]byte, 0, len(v.Str()))
	for s := v.Str(); s != ""; {
		r, n := utf8.DecodeLastRuneInString(s)
		out = utf8.AppendRune(out, r)
		s = s[:len(s)-n]
	}
	return json.NewString(string(out)), nil
}

func toArray(a []argument) (*json.Value, error) {
	if a[0].value.Kind() == json.Array {
		return a[0].value, nil
	}
	return json.NewArray([]*json.Value{a[0].value}), nil
}

// toNumber reads a text as Java's Double.parseDouble does; a whole result is an
// integer.
func toNumber(a []argument) (*json.Value, error) {
	v := a[0].value
	if v.IsNumber() {
		return v, nil
	}
	if v.Kind() != json.String {
		return json.NewNull(), nil
	}
	text := strings.TrimFunc(v.Str(), func(r rune) bool { return r <= ' ' })
	if text == "NaN" || text == "Infinity" || text == "-Infinity" {
		f, err := strconv.ParseFloat(text, 64)
		return json.NewDouble(f), err
	}
	if strings.ContainsAny(text, "xXpP_nNiI") {
		return json.NewNull(), nil
	}
	f, err := strconv.ParseFloat(strings.TrimRight(text, "dDfF"), 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		return json.NewNull(), nil
	case f == math.Trunc(f) && math.Abs(f) < 1<<63:
		return json.NewInt(int64(f)), nil
	}
	return json.NewDouble(f), nil
}
