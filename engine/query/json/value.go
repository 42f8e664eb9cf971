// Package json holds JSON documents as JMeter's elements see them: members in the
// order of the text, numbers as Java would print them, and two readers, the
// lenient one of json-smart (JSON Extractor, JSON Assertion) and the strict one of
// Jackson (the JMESPath elements).
package json

import "strings"

// Kind is the type of a Value, named after Java's.
type Kind uint8

const (
	Null    Kind = iota
	Bool         // Boolean
	Integer      // Integer, Long or BigInteger, by size
	Double       // Double
	Decimal      // BigDecimal: a fraction of more digits than a Double is trusted with
	String
	Array
	Object
)

// A Value is one node of a document. It is not changed after it was read, and is
// safe to share.
type Value struct {
	kind  Kind
	text  string // of a String; of a number as the document writes it; "true" or "false"
	items []*Value
	keys  []string       // of an Object, one for each item
	index map[string]int // of a large Object
}

// manyKeys is the size from which an object gets an index.
const manyKeys = 16

var (
	null     = &Value{}
	trueVal  = &Value{kind: Bool, text: "true"}
	falseVal = &Value{kind: Bool, text: "false"}
)

// NewNull, NewBool, NewString, NewArray and NewObject make values that stand in no
// document.
func NewNull() *Value { return null }

func NewBool(b bool) *Value {
	if b {
		return trueVal
	}
	return falseVal
}

func NewString(s string) *Value { return &Value{kind: String, text: s} }

// NewInt makes an Integer, which is Java's Integer or Long by its size.
func NewInt(n int64) *Value { return &Value{kind: Integer, text: itoa(n)} }

// NewDouble makes a Double.
func NewDouble(f float64) *Value { return &Value{kind: Double, text: FormatDouble(f)} }

// NewDecimal makes a Decimal of a text that Java's BigDecimal reads.
func NewDecimal(text string) *Value { return &Value{kind: Decimal, text: text} }

// NewArray makes an Array of items, which it keeps.
func NewArray(items []*Value) *Value { return &Value{kind: Array, items: items} }

// NewObject makes an empty Object, to be filled with Set before it is shared.
func NewObject() *Value { return &Value{kind: Object} }

// Kind returns the type of v.
func (v *Value) Kind() Kind { return v.kind }

// Bool returns whether v is true.
func (v *Value) Bool() bool { return v.kind == Bool && v.text == "true" }

// Str returns the text of a String, unquoted, and of a number as Java prints it.
func (v *Value) Str() string { return v.javaText() }

// IsNumber reports whether v is an Integer, a Double or a Decimal.
func (v *Value) IsNumber() bool { return v.kind >= Integer && v.kind <= Decimal }

// Len returns how many items an Array has or members an Object.
func (v *Value) Len() int { return len(v.items) }

// At returns the item or the member's value at i.
func (v *Value) At(i int) *Value { return v.items[i] }

// Key returns the name of the member at i.
func (v *Value) Key(i int) string { return v.keys[i] }

// Get returns the value of a member; nil when there is none.
func (v *Value) Get(key string) *Value {
	if i := v.find(key); i >= 0 {
		return v.items[i]
	}
	return nil
}

func (v *Value) find(key string) int {
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range v.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// Set adds a member, or gives the one of that name another value at its old place,
// as LinkedHashMap does.
func (v *Value) Set(key string, item *Value) {
	if i := v.find(key); i >= 0 {
		v.items[i] = item
		return
	}
	v.keys = append(v.keys, key)
	v.items = append(v.items, item)
	switch {
	case v.index != nil:
		v.index[key] = len(v.keys) - 1
	case len(v.keys) > manyKeys:
		v.index = make(map[string]int, 4*manyKeys)
		for i, k := range v.keys {
			v.index[k] = i
		}
	}
}

// JavaType returns the simple name of the Java class that json-smart makes of v.
func (v *Value) JavaType() string {
	switch v.kind {
	case Bool:
		return "Boolean"
	case Integer:
		switch {
		case fits(v.text, "2147483647", "2147483648"):
			return "Integer"
		case fits(v.text, "9223372036854775807", "9223372036854775808"):
			return "Long"
		}
		return "BigInteger"
	case Double:
		if v.text == "NaN" { // json-smart's own constant
			return "Float"
		}
		return "Double"
	case Decimal:
		return "BigDecimal"
	case String:
		return "String"
	case Array:
		return "JSONArray"
	case Object:
		return "LinkedHashMap"
	}
	return "null"
}

// fits compares a whole number with the greatest of a type and the least without
// its sign.
func fits(digits, greatest, least string) bool {
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		digits, greatest = rest, least
	}
	return len(digits) < len(greatest) || len(digits) == len(greatest) && digits <= greatest
}

// Equal is Java's equals: numbers are equal only within one type, 1 is not 1.0,
// and the order of members does not count.
func (v *Value) Equal(o *Value) bool {
	if v.kind != o.kind {
		return false
	}
	switch v.kind {
	case Null:
		return true
	case Array:
		if len(v.items) != len(o.items) {
			return false
		}
		for i, x := range v.items {
			if !x.Equal(o.items[i]) {
				return false
			}
		}
		return true
	case Object:
		if len(v.items) != len(o.items) {
			return false
		}
		for i, k := range v.keys {
			if other := o.Get(k); other == nil || !v.items[i].Equal(other) {
				return false
			}
		}
		return true
	}
	return v.javaText() == o.javaText()
}
