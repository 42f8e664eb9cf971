package http

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// Table returns what scripts edit: the arguments and headers of the sample at hand,
// the cookies of the thread.
func (s *sampler) Table(t *vu.Thread, name string) elem.Table {
	switch name {
	case "arguments":
		return &argumentTable{s, t}
	case "headers":
		if len(s.headers.managers) > 0 {
			return &headerTable{s, t}
		}
	case "cookies":
		if s.cookies != nil {
			return &cookieTable{s.cookies.jar(t)}
		}
	}
	return nil
}

// argumentTable is the parameters table.
type argumentTable struct {
	s *sampler
	t *vu.Thread
}

func (a *argumentTable) rows() []argument { return a.s.arguments(a.s.slot.Of(a.t).current(a.t)) }

// edit returns rows that may be changed.
func (a *argumentTable) edit() *[]argument {
	e := a.s.edit(a.t)
	if !e.own {
		e.setArguments(slices.Clone(a.s.args))
	}
	return &e.args
}

func (a *argumentTable) Len() int { return len(a.rows()) }

func (a *argumentTable) Cell(row int, column string) string {
	r := &a.rows()[row]
	switch column {
	case "Argument.name":
		return r.name.Eval(a.t)
	case "Argument.value":
		return r.value.Eval(a.t)
	case "Argument.metadata":
		return r.metadata.Eval(a.t)
	case "HTTPArgument.always_encode":
		return strconv.FormatBool(r.encode.Eval(a.t))
	case "HTTPArgument.content_type":
		return r.contentType.Eval(a.t)
	}
	return ""
}

func (a *argumentTable) SetCell(row int, column, value string) {
	r, text := &(*a.edit())[row], expr.Const(value)
	switch column {
	case "Argument.name":
		r.name = text
	case "Argument.value":
		r.value = text
	case "Argument.metadata":
		r.metadata = text
	case "HTTPArgument.always_encode":
		r.encode = expr.NewBool(text)
	case "HTTPArgument.content_type":
		r.contentType = text
	}
}

func (a *argumentTable) Append() {
	rows := a.edit()
	*rows = append(*rows, argument{contentType: expr.Const("text/plain")})
}

func (a *argumentTable) Remove(row int) {
	rows := a.edit()
	*rows = slices.Delete(*rows, row, row+1)
}

// headerTable is the header manager of a sampler: the thread's own one where only one
// is in scope, else what all of them make for this sample.
type headerTable struct {
	s *sampler
	t *vu.Thread
}

func (h *headerTable) rows() []header {
	if m := h.s.headers.managers; len(m) == 1 {
		return m[0].of(h.t)
	}
	if e := h.s.slot.Of(h.t).current(h.t); e != nil && e.ownHeaders {
		return e.headers
	}
	return h.merged()
}

// merged are the headers of all managers: those of the nearest count.
func (h *headerTable) merged() []header {
	var all []header
	for i, m := range h.s.headers.managers {
		for _, r := range m.of(h.t) {
			name := r.name.Eval(h.t)
			if i == 0 || !slices.ContainsFunc(all, func(o header) bool { return strings.EqualFold(o.name.Eval(h.t), name) }) {
				all = append(all, r)
			}
		}
	}
	return all
}

// edit returns rows that may be changed.
func (h *headerTable) edit() *[]header {
	if m := h.s.headers.managers; len(m) == 1 {
		own := m[0].slot.Of(h.t)
		if !own.edited {
			own.rows, own.edited = slices.Clone(m[0].rows), true
		}
		return &own.rows
	}
	e := h.s.edit(h.t)
	if !e.ownHeaders {
		e.headers, e.ownHeaders = h.merged(), true
	}
	return &e.headers
}

func (h *headerTable) Len() int { return len(h.rows()) }

func (h *headerTable) Cell(row int, column string) string {
	r := &h.rows()[row]
	switch column {
	case "Header.name":
		return r.name.Eval(h.t)
	case "Header.value":
		return r.value.Eval(h.t)
	}
	return ""
}

func (h *headerTable) SetCell(row int, column, value string) {
	r := &(*h.edit())[row]
	switch column {
	case "Header.name":
		r.name = expr.Const(value)
	case "Header.value":
		r.value = expr.Const(value)
	}
}

func (h *headerTable) Append() {
	rows := h.edit()
	*rows = append(*rows, header{})
}

func (h *headerTable) Remove(row int) {
	rows := h.edit()
	*rows = slices.Delete(*rows, row, row+1)
}

// cookieTable is the thread's jar.
type cookieTable struct{ j *jar }

func (c *cookieTable) Len() int { return len(c.j.cookies) }

func (c *cookieTable) Cell(row int, column string) string {
	r := &c.j.cookies[row]
	switch column {
	case "Cookie.name":
		return c.j.text(r.name)
	case "Cookie.value":
		return c.j.text(r.value)
	case "Cookie.domain":
		return c.j.text(r.domain)
	case "Cookie.path":
		return c.j.text(r.path)
	case "Cookie.secure":
		return strconv.FormatBool(r.secure.Eval(c.j.t))
	case "Cookie.path_specified":
		return strconv.FormatBool(r.pathSet)
	case "Cookie.domain_specified":
		return strconv.FormatBool(r.domainSet)
	case "Cookie.version":
		return strconv.Itoa(r.version)
	}
	return ""
}

func (c *cookieTable) SetCell(row int, column, value string) {
	r, text := &c.j.cookies[row], expr.Const(value)
	switch column {
	case "Cookie.name":
		r.name = text
	case "Cookie.value":
		r.value = text
	case "Cookie.domain":
		r.domain = text
	case "Cookie.path":
		r.path = text
	case "Cookie.secure":
		r.secure = expr.NewBool(text)
	case "Cookie.path_specified":
		r.pathSet = isTrue(value)
	case "Cookie.domain_specified":
		r.domainSet = isTrue(value)
	case "Cookie.version":
		n, _ := vu.ParseInt(value)
		r.version = int(n)
	}
}

func (c *cookieTable) Append() {
	c.j.cookies = append(c.j.cookies, cookie{pathSet: true, domainSet: true, version: 1})
}

func (c *cookieTable) Remove(row int) { c.j.cookies = slices.Delete(c.j.cookies, row, row+1) }

var _ elem.Tabular = (*sampler)(nil)
