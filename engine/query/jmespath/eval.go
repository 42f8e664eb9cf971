// Package jmespath evaluates JMESPath as io.burt's jmespath-java 0.6.0 does, the
// library under JMeter's JMESPath elements, on documents read by json.ParseStrict.
package jmespath

import (
	"errors"
	"strings"

	"github.com/gojm/gojm/engine/query/json"
)

// Search evaluates the expression on a document. What is missing is null. A function
// called with a wrong type is an *ArgumentError.
func (e *Expression) Search(doc *json.Value) (*json.Value, error) {
	return e.root.eval(doc)
}

func (n *node) eval(v *json.Value) (*json.Value, error) {
	switch n.kind {
	case literalNode:
		return n.value, nil
	case fieldNode:
		if v.Kind() == json.Object {
			if item := v.Get(n.text); item != nil {
				return item, nil
			}
		}
		return json.NewNull(), nil
	case indexNode:
		return at(v, n.index), nil
	case chainNode, pipeNode:
		left, err := n.left.eval(v)
		if err != nil {
			return nil, err
		}
		return n.right.eval(left)
	case listProjection, slicedProjection, flatProjection, filterProjection, objectProjection:
		return n.project(v)
	case notNode:
		left, err := n.left.eval(v)
		if err != nil {
			return nil, err
		}
		return json.NewBool(!truthy(left)), nil
	case andNode, orNode:
		left, err := n.left.eval(v)
		if err != nil || truthy(left) == (n.kind == orNode) {
			return left, err
		}
		return n.right.eval(v)
	case compareNode:
		return n.compare(v)
	case multiList, multiObject:
		return n.multi(v)
	case callNode:
		return n.invoke(v)
	}
	return v, nil
}

func at(v *json.Value, i int) *json.Value {
	if v.Kind() == json.Array {
		if i < 0 {
			i += v.Len()
		}
		if i >= 0 && i < v.Len() {
			return v.At(i)
		}
	}
	return json.NewNull()
}

func (n *node) multi(v *json.Value) (*json.Value, error) {
	if v.Kind() == json.Null {
		return v, nil
	}
	object := json.NewObject()
	items := make([]*json.Value, 0, len(n.subs))
	for i, sub := range n.subs {
		item, err := sub.eval(v)
		if err != nil {
			return nil, err
		}
		if n.kind == multiObject {
			object.Set(n.keys[i], item)
		}
		items = append(items, item)
	}
	if n.kind == multiObject {
		return object, nil
	}
	return json.NewArray(items), nil
}

// project applies the right side to each value of the left, and leaves out where it
// finds nothing.
func (n *node) project(v *json.Value) (*json.Value, error) {
	left, err := n.left.eval(v)
	if err != nil {
		return nil, err
	}
	items, ok := n.projected(left)
	if !ok {
		return json.NewNull(), nil
	}
	if n.kind == slicedProjection {
		if items, err = n.slice.of(items, left.Kind()); err != nil {
			return nil, err
		}
	}
	out := make([]*json.Value, 0, len(items))
	for _, item := range items {
		if n.kind == filterProjection {
			keep, err := n.cond.eval(item)
			if err != nil {
				return nil, err
			}
			if !truthy(keep) {
				continue
			}
		}
		item, err := n.right.eval(item)
		if err != nil {
			return nil, err
		}
		if item.Kind() != json.Null || n.right.kind == currentNode && n.kind != listProjection {
			out = append(out, item)
		}
	}
	return json.NewArray(out), nil
}

// projected returns the values that a projection of left runs over.
func (n *node) projected(left *json.Value) (items []*json.Value, ok bool) {
	if n.kind == objectProjection {
		return values(left), left.Kind() == json.Object
	}
	if n.kind == slicedProjection {
		return values(left), true // of an object its values, of a text or null nothing
	}
	if left.Kind() != json.Array {
		return nil, false
	}
	if n.kind != flatProjection {
		return values(left), true
	}
	for i := range left.Len() {
		if item := left.At(i); item.Kind() == json.Array {
			items = append(items, values(item)...)
		} else {
			items = append(items, item)
		}
	}
	return items, true
}

func values(v *json.Value) []*json.Value {
	if v.Kind() != json.Array && v.Kind() != json.Object {
		return nil
	}
	out := make([]*json.Value, v.Len())
	for i := range out {
		out[i] = v.At(i)
	}
	return out
}

// of takes a slice of what a value of a kind holds.
func (s *slice) of(items []*json.Value, kind json.Kind) ([]*json.Value, error) {
	n := len(items)
	if n == 0 && s.step < 0 { // where the library slips
		switch kind {
		case json.Array:
			return []*json.Value{json.NewNull()}, nil
		case json.Object:
			return nil, errors.New("Index 0 out of bounds for length 0")
		}
		return nil, errors.New("Index: 0")
	}
	limit := func(i int, given bool, otherwise int) int {
		if !given {
			return otherwise
		}
		if i < 0 {
			i += n
		}
		if s.step > 0 {
			return max(0, min(i, n))
		}
		return max(-1, min(i, n-1))
	}
	var out []*json.Value
	if s.step > 0 {
		for i, to := limit(s.from, s.hasFrom, 0), limit(s.to, s.hasTo, n); i < to; i += s.step {
			out = append(out, items[i])
		}
		return out, nil
	}
	for i, to := limit(s.from, s.hasFrom, n-1), limit(s.to, s.hasTo, -1); i > to; i += s.step {
		out = append(out, items[i])
	}
	return out, nil
}

// truthy: all but null, false, and what is empty.
func truthy(v *json.Value) bool {
	switch v.Kind() {
	case json.Null:
		return false
	case json.Bool:
		return v.Bool()
	case json.String:
		return v.Str() != ""
	case json.Array, json.Object:
		return v.Len() > 0
	}
	return true
}

// compare: == and != for all, the rest for numbers only; null where it has no sense.
func (n *node) compare(v *json.Value) (*json.Value, error) {
	left, err := n.left.eval(v)
	if err != nil {
		return nil, err
	}
	right, err := n.right.eval(v)
	if err != nil {
		return nil, err
	}
	switch n.text {
	case "==":
		return json.NewBool(equal(left, right)), nil
	case "!=":
		return json.NewBool(!equal(left, right)), nil
	}
	if !left.IsNumber() || !right.IsNumber() {
		return json.NewNull(), nil
	}
	c := order(left, right)
	switch n.text {
	case "<":
		return json.NewBool(c < 0), nil
	case "<=":
		return json.NewBool(c <= 0), nil
	case ">":
		return json.NewBool(c > 0), nil
	}
	return json.NewBool(c >= 0), nil
}

// equal compares numbers by value.
func equal(a, b *json.Value) bool {
	switch {
	case a.IsNumber() && b.IsNumber():
		return order(a, b) == 0
	case a.Kind() != b.Kind():
		return false
	case a.Kind() == json.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.At(i), b.At(i)) {
				return false
			}
		}
		return true
	case a.Kind() == json.Object:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if other := b.Get(a.Key(i)); other == nil || !equal(a.At(i), other) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// order compares two numbers as doubles, or two texts.
func order(a, b *json.Value) int {
	if a.Kind() == json.String {
		return strings.Compare(a.Str(), b.Str())
	}
	x, y := a.Float(), b.Float()
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
