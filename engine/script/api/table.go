package api

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
)

// Table is a table of a sampler: its arguments, headers or cookies. Columns bear the
// names of the plan ("Argument.value"); a cell that is not there is "".
type Table interface {
	Len() int
	Cell(row int, column string) string
	SetCell(row int, column, value string)
	Append()
	Remove(row int)
}

// Tabular is a Sampler with tables. Table returns nil for one that it does not have.
type Tabular interface{ Table(name string) Table }

var (
	argumentsClass     = script.NewClass("org.apache.jmeter.config.Arguments", script.ObjectClass(), "java.lang.Iterable")
	argumentClass      = script.NewClass("org.apache.jmeter.config.Argument", script.ObjectClass())
	httpArgumentClass  = script.NewClass("org.apache.jmeter.protocol.http.util.HTTPArgument", argumentClass)
	headerManagerClass = script.NewClass("org.apache.jmeter.protocol.http.control.HeaderManager", script.ObjectClass())
	headerClass        = script.NewClass("org.apache.jmeter.protocol.http.control.Header", script.ObjectClass())
	cookieManagerClass = script.NewClass("org.apache.jmeter.protocol.http.control.CookieManager", script.ObjectClass())
	cookieClass        = script.NewClass("org.apache.jmeter.protocol.http.control.Cookie", script.ObjectClass())
	propertyClass      = script.NewClass("org.apache.jmeter.testelement.property.TestElementProperty", script.ObjectClass())
)

// kinds of tables: the class of the whole, of a row, and the columns that a row has.
var (
	argumentColumns = []string{"Argument.name", "Argument.value", "Argument.metadata", "HTTPArgument.always_encode", "HTTPArgument.content_type"}
	headerColumns   = []string{"Header.name", "Header.value"}
	cookieColumns   = []string{"Cookie.name", "Cookie.value", "Cookie.domain", "Cookie.path", "Cookie.secure", "Cookie.path_specified",
		"Cookie.domain_specified", "Cookie.version"}
)

// table is Arguments, HeaderManager or CookieManager.
type table struct {
	class, row *script.Class
	columns    []string
	Table
}

func (t *table) JavaClass() *script.Class { return t.class }

// Equal makes two handles of one table equal.
func (t *table) Equal(v script.Value) bool {
	o, ok := v.(*table)
	return ok && o.Table == t.Table
}

// Items are the rows as properties, for loops over Arguments.
func (t *table) Items() []script.Value {
	out := make([]script.Value, t.Len())
	for i := range out {
		out[i] = &rowProperty{t.at(i)}
	}
	return out
}

// String is what Arguments print.
func (t *table) String() string {
	var b strings.Builder
	for i := range t.Len() {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(t.at(i).String())
	}
	return b.String()
}

func (t *table) at(i int) *row { return &row{class: t.row, columns: t.columns, in: t.Table, index: i} }

// add takes a row in, which then is the table's.
func (t *table) add(r *row) {
	t.Append()
	at := t.Len() - 1
	for _, c := range t.columns {
		if v := r.get(c); v != "" {
			t.SetCell(at, c, v)
		}
	}
	r.in, r.index, r.own = t.Table, at, nil
}

func (t *table) clear() {
	for i := t.Len() - 1; i >= 0; i-- {
		t.Remove(i)
	}
}

// find returns the first row whose column is value, -1 for none.
func (t *table) find(column, value string, equal func(a, b string) bool) int {
	for i := range t.Len() {
		if equal(t.Cell(i, column), value) {
			return i
		}
	}
	return -1
}

// row is an Argument, Header or Cookie: one of a table, or one that a script has made.
type row struct {
	class   *script.Class
	columns []string
	in      Table
	index   int
	own     map[string]string
}

func (r *row) JavaClass() *script.Class { return r.class }

func (r *row) get(column string) string {
	if r.in == nil {
		return r.own[column]
	}
	if r.index >= r.in.Len() { // removed since
		return ""
	}
	return r.in.Cell(r.index, column)
}

func (r *row) set(column, value string) {
	switch {
	case r.in == nil:
		r.own[column] = value
	case r.index < r.in.Len():
		r.in.SetCell(r.index, column, value)
	}
}

// String is JMeter's toString of the row.
func (r *row) String() string {
	switch {
	case r.class == headerClass:
		return r.get("Header.name") + "\t" + r.get("Header.value")
	case r.class == cookieClass:
		return r.get("Cookie.domain") + "\tTRUE\t" + r.get("Cookie.path") + "\t" + strings.ToUpper(r.get("Cookie.secure")) + "\t0\t" + r.get("Cookie.name") + "\t" + r.get("Cookie.value")
	}
	return r.get("Argument.name") + r.get("Argument.metadata") + r.get("Argument.value")
}

// rowProperty is the property that holds a row, as iteration over Arguments gives it.
type rowProperty struct{ r *row }

func (*rowProperty) JavaClass() *script.Class { return propertyClass }
func (p *rowProperty) String() string         { return p.r.String() }

// memory is a table that no sampler has yet.
type memory struct{ rows []map[string]string }

func (m *memory) Len() int                              { return len(m.rows) }
func (m *memory) Cell(row int, column string) string    { return m.rows[row][column] }
func (m *memory) SetCell(row int, column, value string) { m.rows[row][column] = value }
func (m *memory) Append()                               { m.rows = append(m.rows, map[string]string{}) }
func (m *memory) Remove(row int)                        { m.rows = append(m.rows[:row:row], m.rows[row+1:]...) }

// tableOf wraps a table of the sampler, null when it does not have one.
func tableOf(s Sampler, name string) script.Value {
	x, ok := s.(Tabular)
	if !ok {
		return nil
	}
	t := x.Table(name)
	if t == nil {
		return nil
	}
	switch name {
	case "arguments":
		return &table{argumentsClass, httpArgumentClass, argumentColumns, t}
	case "headers":
		return &table{headerManagerClass, headerClass, headerColumns, t}
	}
	return &table{cookieManagerClass, cookieClass, cookieColumns, t}
}

// newArgument is an HTTPArgument that is encoded when it is sent.
func newArgument(name, value, metadata string) *row {
	return &row{class: httpArgumentClass, columns: argumentColumns, own: map[string]string{
		"Argument.name": strings.TrimSpace(name), "Argument.value": value, "Argument.metadata": metadata, "HTTPArgument.always_encode": "true"}}
}

// decoded is newArgument of texts that are encoded already.
func decoded(name, value, metadata string) (*row, error) {
	n, err := java.URLDecode(name, java.UTF8)
	if err != nil {
		return nil, script.Throw("java.lang.IllegalArgumentException", "%s", err)
	}
	v, err := java.URLDecode(value, java.UTF8)
	if err != nil {
		return nil, script.Throw("java.lang.IllegalArgumentException", "%s", err)
	}
	return newArgument(n, v, metadata), nil
}

// textOf is an argument of a call as text, "" for null and for one that is not there.
func textOf(c *script.Call, i int) string {
	if i >= c.N() || c.Args[i] == nil {
		return ""
	}
	s, _ := script.ToString(c.Args[i])
	return s
}
