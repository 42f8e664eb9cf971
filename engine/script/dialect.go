package script

// dialect is what tells the languages of the shared interpreter apart.
type dialect struct {
	name       string
	groovy     bool            // Groovy's own methods exist
	lastValue  bool            // a body without return yields its last value
	tracked    bool            // the value of a script is that of the last expression that ran
	noClasses  bool            // a name is never a class
	nullSafe   bool            // a method of null is null
	globals    bool            // what the script declares stays in its bindings
	hashMaps   bool            // a map literal is a HashMap
	openNames  bool            // methods are looked up while running only
	noCompound bool            // no += and its like
	boundNames map[string]bool // names that are bindings though they begin with a capital

	truth       func(*Run, Value) (bool, error)
	elvis       func(*Run, Value) (bool, error) // truth for ?:
	binary      func(op string) func(*Run, Value, Value) (Value, error)
	unary       func(op string) func(*Run, Value) (Value, error)
	makeRange   func(from, to Value, open bool) (Value, error)
	caseMatches func(r *Run, want, v Value) (bool, error)
	// free reads a name that is no variable, binding or class; freeCall calls one.
	free     func(fr *frame, n string) (Value, error)
	freeCall func(fr *frame, n string, args []Value) (Value, error)
	// lenient says whether an error inside empty() and size() counts as null.
	lenient func(err error, op string) bool
	// antish compiles a property chain in a way of the dialect's own, or returns nil.
	antish func(c *compiler, x *property) code
	// property reads a member of a value before the common rules, if it is not nil.
	property func(r *Run, o Value, n string) (v Value, ok bool, err error)
	// missing makes the error for a method that is not there.
	missingMethod   func(o Value, n string, args []Value) error
	missingProperty func(o Value, n string) error
	// explain adds to an error in which construct it came up, if it is not nil.
	explain func(in construct, name string, err error) error
}

// construct is where an error came up.
type construct uint8

const (
	inCall construct = iota
	inNullCall
	inReceiver // of a call, which is no name that anything has
	inNew
	inThrow
	inDeclaration
)

func (d *dialect) explained(in construct, name string, err error) error {
	if err == nil || d.explain == nil {
		return err
	}
	return d.explain(in, name, err)
}

func (r *Run) lenient(err error, op string) bool {
	return r.dialect != nil && r.dialect.lenient != nil && r.dialect.lenient(err, op)
}

func (r *Run) lenientElvis(err error) bool { return r.lenient(err, "?:") }

func (r *Run) isGroovy() bool { return r.dialect != nil && r.dialect.groovy }
