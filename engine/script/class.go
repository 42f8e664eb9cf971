package script

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// Class is a Java class as far as scripts can use it: a table of methods. The classes that JMeter's
// scripts meet are made once, while the program starts, and never change.
type Class struct {
	Name   string // java.util.ArrayList
	Super  *Class
	Also   []string // interfaces, for instanceof
	New    *Method  // nil: cannot be made by a script
	Static map[string]*Method
	Fields map[string]Value // constants such as Math.PI
	// Methods holds Java's own methods; Groovy adds its own to those.
	Methods Methods
	Groovy  Methods
	// Property reads a property that is no getter; ok is false when there is none.
	Property func(c *Call, name string) (v Value, ok bool, err error)
	// SetProperty writes one.
	SetProperty func(c *Call, name string, v Value) (ok bool, err error)
}

// Methods is a table by name.
type Methods map[string]*Method

// Method is one name of a class with all its overloads. It is called with a number of arguments
// between Min and Max; Max below zero means any number.
type Method struct {
	Min, Max int
	Do       func(c *Call) (Value, error)
}

// Call is one call of a method.
type Call struct {
	Run  *Run
	Self Value
	Args []Value
	err  error // the first argument that was of a wrong type
}

// method is the short form in which the tables are written.
func method(min, max int, do func(c *Call) (Value, error)) *Method { return &Method{min, max, do} }

// NewMethod returns a method of a class made by another package.
func NewMethod(min, max int, do func(c *Call) (Value, error)) *Method { return &Method{min, max, do} }

// registry holds all classes by full name, and by short name those that need no import.
var registry = struct{ full, short map[string]*Class }{map[string]*Class{}, map[string]*Class{}}

// imported are the packages whose classes Groovy and BeanShell scripts name without an import.
var imported = map[string]bool{
	"java.lang": true, "java.util": true, "java.io": true, "java.net": true, "groovy.lang": true, "groovy.util": true, "java.math": true,
}

// NewClass adds a class to those that scripts can name. It must be called while the program starts.
func NewClass(name string, super *Class, also ...string) *Class {
	c := &Class{Name: name, Super: super, Also: also}
	registry.full[name] = c
	i := strings.LastIndexByte(name, '.')
	if i > 0 && (imported[name[:i]]) {
		registry.short[name[i+1:]] = c
	}
	return c
}

// FindClass finds a class by its full name, or by its short one where no import is needed.
func FindClass(name string) (*Class, bool) {
	if c, ok := registry.full[name]; ok {
		return c, true
	}
	if c, ok := registry.short[name]; ok {
		return c, true
	}
	if isException(name) {
		return throwableClass(fullException(name)), true
	}
	return nil, false
}

// fullException finds the package of an exception by its short name.
func fullException(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	for _, p := range []string{"java.lang.", "java.util.", "java.io.", "java.net.", "groovy.lang."} {
		if _, ok := parents[p+name]; ok {
			return p + name
		}
	}
	if name == "IOException" {
		return "java.io.IOException"
	}
	return "java.lang." + name
}

// Simple is the name without the package.
func (c *Class) Simple() string {
	return c.Name[strings.LastIndexAny(c.Name, ".$")+1:]
}

// JavaClass makes a class an object, of class Class.
func (c *Class) JavaClass() *Class { return classClass }

func (c *Class) String() string {
	if c.isInterface() {
		return "interface " + c.Name
	}
	return "class " + c.Name
}

func (c *Class) isInterface() bool {
	switch c.Name {
	case "java.util.List", "java.util.Map", "java.util.Set", "java.util.Collection", "java.lang.CharSequence":
		return true
	}
	return false
}

// find looks a method of n arguments up, in the class and those above it.
func (c *Class) find(name string, n int, groovy bool) *Method {
	for k := c; k != nil; k = k.Super {
		if m := k.Methods[name]; m != nil && m.fits(n) {
			return m
		}
		if groovy {
			if m := k.Groovy[name]; m != nil && m.fits(n) {
				return m
			}
		}
	}
	return nil
}

// has says that there is a method of the name, of any number of arguments.
func (c *Class) has(name string, groovy bool) bool {
	for k := c; k != nil; k = k.Super {
		if k.Methods[name] != nil || groovy && k.Groovy[name] != nil {
			return true
		}
	}
	return false
}

// isA says that the class is, extends or implements the named one.
func (c *Class) isA(name string) bool {
	if name == "java.lang.Object" {
		return true
	}
	for k := c; k != nil; k = k.Super {
		if k.Name == name {
			return true
		}
		for _, i := range k.Also {
			if i == name {
				return true
			}
		}
	}
	return false
}

// instanceOf is Java's instanceof.
func instanceOf(v Value, c *Class) bool {
	switch x := v.(type) {
	case nil:
		return false
	case *Throwable:
		return x.isA(c.Name) || c.Name == "java.lang.Object"
	}
	return classOf(v).isA(c.Name)
}

// knownMethod says that any class has a method of that name: else no call of it can succeed.
func knownMethod(name string, groovy bool) bool {
	for _, c := range registry.full {
		if c.Methods[name] != nil || c.Static[name] != nil || groovy && c.Groovy[name] != nil {
			return true
		}
	}
	return false
}

// The arguments of a call, converted. A wrong type is remembered and ends the call as Java would,
// with an IllegalArgumentException; the conversions then return zero values.

func (c *Call) fail(i int, want string) {
	if c.err == nil {
		c.err = throw("java.lang.IllegalArgumentException", "argument %d is %s, not %s", i+1, classOf(c.Args[i]).Name, want)
	}
}

// N is the number of arguments.
func (c *Call) N() int { return len(c.Args) }

// Arg is argument i as it is.
func (c *Call) Arg(i int) Value { return c.Args[i] }

// Str is argument i as text; null stays null, as the empty text with ok false.
func (c *Call) Str(i int) string {
	switch x := c.Args[i].(type) {
	case string:
		return x
	case java.Char:
		return x.String()
	case nil:
		if c.err == nil {
			c.err = throw("java.lang.NullPointerException", "")
		}
		return ""
	case *StringBuilder:
		return x.String()
	}
	if c.Run.lang == "groovy" && !isNumber(c.Args[i]) {
		if s, ok := c.Args[i].(interface{ String() string }); ok {
			return s.String()
		}
	}
	c.fail(i, "java.lang.String")
	return ""
}

// Int is argument i as an int.
func (c *Call) Int(i int) int {
	switch x := c.Args[i].(type) {
	case java.Char:
		return int(x)
	default:
		if isNumber(x) {
			return int(toInt(x))
		}
	}
	c.fail(i, "int")
	return 0
}

// Long is argument i as a long.
func (c *Call) Long(i int) int64 {
	if isNumber(c.Args[i]) {
		return toLong(c.Args[i])
	}
	if x, ok := c.Args[i].(java.Char); ok {
		return int64(x)
	}
	c.fail(i, "long")
	return 0
}

// Double is argument i as a double.
func (c *Call) Double(i int) float64 {
	if isNumber(c.Args[i]) {
		return toDouble(c.Args[i])
	}
	if x, ok := c.Args[i].(java.Char); ok {
		return float64(x)
	}
	c.fail(i, "double")
	return 0
}

// Bool is argument i as a boolean.
func (c *Call) Bool(i int) bool {
	if b, ok := c.Args[i].(bool); ok {
		return b
	}
	c.fail(i, "boolean")
	return false
}

// Err returns the first argument error.
func (c *Call) Err() error {
	if c.err == nil { // no typed nil in an error
		return nil
	}
	return c.err
}

// do runs a method after its arity is known to fit.
func (m *Method) do(r *Run, self Value, args []Value) (Value, error) {
	c := Call{Run: r, Self: self, Args: args}
	v, err := m.Do(&c)
	if c.err != nil {
		return nil, c.err
	}
	if v == Void && r.lang != "javascript" {
		v = nil
	}
	return v, err
}

// Void is what a method returns that returns nothing: undefined in JavaScript, null elsewhere.
var Void Value = nothing{}

type nothing struct{}

func (m *Method) fits(n int) bool { return n >= m.Min && (m.Max < 0 || n <= m.Max) }

// init fills the classes in an order in which later ones may use what earlier ones have.
func init() {
	for _, fill := range []func(){
		initObject, initIterator, initBuilders, initGroovyIteration, initString, initNumber, initCollections, initRegex, initSystem, initDate, initJSON, initFile,
	} {
		fill()
	}
}

// ObjectClass is java.lang.Object, for classes made by other packages.
func ObjectClass() *Class { return objectClass }
