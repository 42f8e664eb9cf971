package jsonpath

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/query/json"
)

// A run is the state of one evaluation.
type run struct {
	path    *Path
	root    *json.Value // $ in filters
	require bool        // a missing member is an error everywhere
	quiet   bool        // nobody reads the text of a PathNotFound
	found   []*json.Value
	trail   []place // how the current value was reached; empty when quiet
	element []int   // by token: the element a scan came through, plus 1
	cache   map[*Path]cachedValue
}

type cachedValue struct {
	v   *json.Value
	err error
}

// A place is one step of a trail: an element, by the index the path gave, or the
// member of a name.
type place struct {
	name  string
	index int
	array bool
}

func member(name string) place { return place{name: name} }
func element(i int) place      { return place{index: i, array: true} }

func (r *run) enter(p place) {
	if !r.quiet {
		r.trail = append(r.trail, p)
	}
}

func (r *run) leave() {
	if !r.quiet {
		r.trail = r.trail[:len(r.trail)-1]
	}
}

// where is the trail as the library writes it.
func (r *run) where() string {
	var b strings.Builder
	b.WriteString(r.path.root.rootAs)
	for _, p := range r.trail {
		if p.array {
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
		} else {
			b.WriteString("['" + p.name + "']")
		}
	}
	return b.String()
}

func (r *run) missing(text func() string) error {
	if r.quiet {
		return errMissing
	}
	return &Error{PathNotFound, text()}
}

func (r *run) add(v *json.Value) { r.found = append(r.found, v) }

// pass gives v to the step after t, or to the results.
func (t *token) pass(r *run, v *json.Value) error {
	if t.next == nil {
		r.add(v)
		return nil
	}
	return t.next.evaluate(r, v)
}

func (t *token) evaluate(r *run, v *json.Value) error {
	switch t.kind {
	case propertyToken:
		return t.properties(r, v)
	case wildcardToken:
		return t.wildcard(r, v)
	case scanToken:
		return t.scan(r, v)
	case indexToken, sliceToken:
		return t.array(r, v)
	case filterToken:
		return t.filtered(r, v)
	}
	return t.function(r, v)
}

func (t *token) properties(r *run, v *json.Value) error {
	if v.Kind() != json.Object {
		if !t.definiteBefore() {
			return nil
		}
		return r.missing(func() string {
			return "Expected to find an object with property " + t.fragment() + " in path " + r.where() +
				" but found '" + javaClass(v) + "'. This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'."
		})
	}
	if len(t.names) > 1 && t.isLeaf() {
		return t.merge(r, v)
	}
	for _, name := range t.names {
		if err := t.property(r, v, name); err != nil {
			return err
		}
	}
	return nil
}

// merge makes one object of the named members.
func (t *token) merge(r *run, v *json.Value) error {
	out := json.NewObject()
	for _, name := range t.names {
		switch item := v.Get(name); {
		case item != nil:
			out.Set(name, item)
		case r.require:
			return r.missing(func() string {
				return "Missing property in path " + r.where() + "['" + strings.Join(t.names, "', '") + "']"
			})
		}
	}
	r.add(out)
	return nil
}

func (t *token) property(r *run, v *json.Value, name string) error {
	item := v.Get(name)
	if item == nil {
		text := "Missing property in path "
		if t.isLeaf() {
			// The library finds nothing here and says so of the whole path at the end.
			if !r.require {
				return nil
			}
			text = "No results for path: "
		} else if !(t.isDefinite() && t.definiteBefore()) && !r.require {
			return nil
		}
		return r.missing(func() string { return text + r.where() + "['" + name + "']" })
	}
	if t.isLeaf() && r.skips(t) {
		return nil
	}
	r.enter(member(name))
	err := t.pass(r, item)
	r.leave()
	return err
}

// skips is an oddity of the library: when a scan went into an array and on to the
// step behind its brackets, a member of an element counts only if the path's last
// but one step names just that element.
func (r *run) skips(t *token) bool {
	if r.element == nil || r.element[t.id] == 0 {
		return false
	}
	before := r.path.root.tail().prev
	return before.kind != indexToken || len(before.indexes) != 1 || before.indexes[0] != r.element[t.id]-1
}

func (t *token) wildcard(r *run, v *json.Value) error {
	switch v.Kind() {
	case json.Object:
		for i := range v.Len() {
			if err := t.member(r, v, i); err != nil && (!isNotFound(err) || r.require) {
				return err
			}
		}
	case json.Array:
		for i := range v.Len() {
			if err := t.element(r, v, i); err != nil && (!isNotFound(err) || r.require) {
				return err
			}
		}
	}
	return nil
}

func (t *token) member(r *run, v *json.Value, i int) error {
	if t.isLeaf() && r.skips(t) {
		return nil
	}
	r.enter(member(v.Key(i)))
	err := t.pass(r, v.At(i))
	r.leave()
	return err
}

// element passes on the element i of an array, from its end when i is negative.
func (t *token) element(r *run, v *json.Value, i int) error {
	at := i
	if i < 0 {
		at += v.Len()
	}
	if at < 0 || at >= v.Len() {
		return nil
	}
	r.enter(element(i))
	err := t.pass(r, v.At(at))
	r.leave()
	return err
}

func (t *token) array(r *run, v *json.Value) error {
	if v.Kind() != json.Array {
		if !t.definiteBefore() {
			return nil
		}
		return r.missing(func() string {
			if v.Kind() == json.Null {
				return "The path " + r.where() + " is null"
			}
			return "Filter: " + t.text() + " can only be applied to arrays. Current context is: " + javaText(v)
		})
	}
	if t.kind == indexToken {
		for _, i := range t.indexes {
			if err := t.element(r, v, i); err != nil {
				return err
			}
		}
		return nil
	}
	from, to := t.slice.bounds(v.Len())
	for i := from; i < to; i++ {
		if err := t.element(r, v, i); err != nil {
			return err
		}
	}
	return nil
}

// bounds returns the elements from and to of a slice in an array of n. With both
// ends given, the library takes them as they stand: [1:-1] is empty, [-3:-1] is not.
func (s slice) bounds(n int) (from, to int) {
	switch {
	case s.hasFrom && s.hasTo:
		return s.from, min(s.to, n)
	case s.hasFrom:
		if from = s.from; from < 0 {
			from = max(from+n, 0)
		}
		return from, n
	}
	if to = s.to; to < 0 {
		to += n
	}
	return 0, min(to, n)
}

func (t *token) filtered(r *run, v *json.Value) error {
	switch v.Kind() {
	case json.Object:
		ok, err := t.accepts(r, v)
		if err != nil || !ok {
			return err
		}
		return t.pass(r, v)
	case json.Array:
		for i := range v.Len() {
			ok, err := t.accepts(r, v.At(i))
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if err := t.element(r, v, i); err != nil {
				return err
			}
		}
		return nil
	}
	if t.definiteBefore() {
		return invalid("Filter: %s can not be applied to primitives. Current context is: %s", t.text(), javaText(v))
	}
	return nil
}

// accepts applies the filter to v; what is wrong with a path inside it means no.
func (t *token) accepts(r *run, v *json.Value) (bool, error) {
	ok, err := t.filter.holds(&context{item: v, run: r})
	if isInvalid(err) {
		return false, nil
	}
	return ok, err
}

// scan visits v and everything in it, parents first, and goes on with the next step
// wherever that has something to find.
func (t *token) scan(r *run, v *json.Value) error {
	return t.walk(r, v, t.next)
}

func (t *token) walk(r *run, v *json.Value, next *token) error {
	switch v.Kind() {
	case json.Object:
		ok, err := next.findsIn(r, v)
		if err != nil {
			return err
		}
		if ok {
			if err := next.evaluate(r, v); err != nil {
				return err
			}
		}
		for i := range v.Len() {
			r.enter(member(v.Key(i)))
			err := t.walk(r, v.At(i), next)
			r.leave()
			if err != nil {
				return err
			}
		}
	case json.Array:
		if err := t.walkArray(r, v, next); err != nil {
			return err
		}
		for i := range v.Len() {
			r.enter(element(i))
			err := t.walk(r, v.At(i), next)
			r.leave()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// walkArray is the visit to an array itself. If more than one step is left the
// library hands each element to the second, whatever the first selects; see skips.
func (t *token) walkArray(r *run, v *json.Value, next *token) error {
	ok, err := next.findsIn(r, v)
	if err != nil || !ok {
		return err
	}
	if next.isLeaf() {
		return next.evaluate(r, v)
	}
	if r.element == nil {
		r.element = make([]int, r.path.count)
	}
	for i := range v.Len() {
		r.element[next.next.id] = i + 1
		r.enter(element(i))
		err := next.next.evaluate(r, v.At(i))
		r.leave()
		if err != nil {
			return err
		}
	}
	return nil
}

// findsIn reports whether a scan stops at v for the step t.
func (t *token) findsIn(r *run, v *json.Value) (bool, error) {
	switch t.kind {
	case propertyToken:
		if v.Kind() != json.Object {
			return false, nil
		}
		if !t.isDefinite() {
			return true, nil
		}
		for _, name := range t.names {
			if v.Get(name) == nil {
				return false, nil
			}
		}
		return true, nil
	case indexToken, sliceToken:
		return v.Kind() == json.Array, nil
	case wildcardToken:
		return true, nil
	case filterToken:
		return t.accepts(r, v)
	}
	return false, nil
}

// javaClass is the class of v that the library names in messages.
func javaClass(v *json.Value) string {
	switch v.Kind() {
	case json.Null:
		return "null"
	case json.Array:
		return "net.minidev.json.JSONArray"
	case json.Object:
		return "java.util.LinkedHashMap"
	}
	switch name := v.JavaType(); name {
	case "BigInteger", "BigDecimal":
		return "java.math." + name
	default:
		return "java.lang." + name
	}
}

// javaText is v.toString() in Java.
func javaText(v *json.Value) string {
	switch v.Kind() {
	case json.Array:
		return string(v.AppendJSON(nil))
	case json.Object:
		var b strings.Builder
		b.WriteByte('{')
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(v.Key(i) + "=" + javaText(v.At(i)))
		}
		b.WriteByte('}')
		return b.String()
	}
	return v.Text()
}
