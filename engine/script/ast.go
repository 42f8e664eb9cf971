package script

// The tree that the front ends of Groovy, BeanShell and JEXL parse into.

// pos is a place in the source, from 1.
type pos struct{ line, col int }

func (p pos) at() pos { return p }

type expr interface{ at() pos }

type (
	literal struct {
		pos
		v Value
	}
	// gstring is text with expressions in it; the texts are literals.
	gstring struct {
		pos
		parts []expr
	}
	name struct {
		pos
		name string
	}
	listLit struct {
		pos
		items []expr
		array bool // of JEXL: an array, not a list
	}
	mapLit struct {
		pos
		keys, values []expr
	}
	setLit struct {
		pos
		items []expr
	}
	rangeLit struct {
		pos
		from, to expr
		open     bool // without the end
	}
	unary struct {
		pos
		op string // - + ! ~ and the words of JEXL: empty size
		x  expr
	}
	step struct { // x++ --x
		pos
		op     string // + or -
		prefix bool
		x      expr
	}
	binary struct {
		pos
		op   string
		x, y expr
	}
	logic struct { // && ||
		pos
		and  bool
		x, y expr
	}
	ternary struct { // cond ? yes : no, and without yes cond ?: no
		pos
		cond, yes, no expr
		null          bool // cond ?? no: only null is replaced
	}
	assign struct {
		pos
		op            string // of x += y the +, else empty; ?= is ?
		target, value expr
	}
	multiAssign struct { // (a, b) = list
		pos
		targets []expr
		value   expr
	}
	property struct {
		pos
		obj          expr
		name         string
		dynamic      expr // "text" as a name
		safe, spread bool
		attribute    bool // x.@name
	}
	index struct {
		pos
		obj  expr
		args []expr
		safe bool
	}
	call struct {
		pos
		obj          expr // nil: a free function
		name         string
		dynamic      expr
		args         []expr
		safe, spread bool
	}
	newObject struct {
		pos
		class typeRef
		args  []expr
	}
	newArray struct {
		pos
		class typeRef // of the elements
		dims  []expr
		init  []expr
		given bool // init is there, though maybe empty
	}
	cast struct {
		pos
		class typeRef
		x     expr
		as    bool // x as T, else (T) x
	}
	instance struct {
		pos
		x     expr
		class typeRef
		not   bool
	}
	closureLit struct {
		pos
		params   []param
		implicit bool // one parameter, it
		body     *block
	}
	methodRef struct { // x.&name
		pos
		obj  expr
		name string
	}
	spread struct { // *x among arguments and items
		pos
		x expr
	}
	void struct { // BeanShell's test of a name: x == void
		pos
	}
)

// typeRef names a class as written, with the depth of its array.
type typeRef struct {
	pos
	name string // empty: def, any class
	dims int
}

type param struct {
	name    string
	class   typeRef
	init    expr // default, or nil
	varargs bool
}

type (
	block struct {
		pos
		list []expr
	}
	varDecl struct {
		pos
		class typeRef
		names []string
		inits []expr // nil where there is none
		multi bool   // def (a, b) = inits[0]
		types []typeRef
	}
	methodDecl struct {
		pos
		name   string
		class  typeRef
		params []param
		body   *block
	}
	ifStmt struct {
		pos
		cond    expr
		yes, no expr
	}
	whileStmt struct {
		pos
		cond  expr
		body  expr
		after bool // do ... while
		label string
	}
	forStmt struct {
		pos
		init  []expr
		cond  expr
		step  []expr
		body  expr
		label string
	}
	forIn struct {
		pos
		class typeRef
		name  string
		in    expr
		body  expr
		label string
	}
	switchStmt struct {
		pos
		x     expr
		cases []switchCase
		label string
	}
	jump struct { // break, continue
		pos
		cont  bool
		label string
	}
	returnStmt struct {
		pos
		x expr
	}
	throwStmt struct {
		pos
		x expr
	}
	tryStmt struct {
		pos
		body    *block
		catches []catch
		finally *block
	}
	assertStmt struct {
		pos
		cond, message expr
		text          string
	}
	importDecl struct {
		pos
		name   string // with .* at the end for all of a package
		alias  string
		static bool
	}
)

type switchCase struct {
	tests  []expr
	isElse bool
	body   []expr
}

type catch struct {
	classes []typeRef
	name    string
	body    *block
}
