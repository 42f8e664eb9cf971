package http

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[headerManager](elem.Spec{Class: "HeaderManager", Title: "HTTP Header Manager", Kind: elem.KindConfig, Status: elem.Full})
}

// headerManager holds headers to send.
type headerManager struct {
	rows []header
	slot vu.Slot[ownHeaders]
}

// ownHeaders are those of a thread whose scripts have changed them: they stay.
type ownHeaders struct {
	edited bool
	rows   []header
}

type header struct{ name, value expr.Text }

func (m *headerManager) Props(p *elem.Props) {
	m.rows = nil
	m.slot = elem.SlotOf[ownHeaders](p)
	p.Each("HeaderManager.headers", "rows of name and value", func(row *elem.Props) {
		var h header
		row.Text(&h.name, "Header.name", "", "name, sent as it stands")
		row.Text(&h.value, "Header.value", "", "value")
		m.rows = append(m.rows, h)
	})
}

// of are the headers for thread t.
func (m *headerManager) of(t *vu.Thread) []header {
	if own := m.slot.Of(t); own.edited {
		return own.rows
	}
	return m.rows
}

// edited says that a script of the thread has changed headers for good.
func (h *headers) edited(t *vu.Thread) bool {
	return len(h.managers) == 1 && h.managers[0].slot.Of(t).edited
}

// headers are those of all header managers in scope of a sampler, nearest first.
type headers struct{ managers []*headerManager }

func (h *headers) add(m *headerManager) { h.managers = append(h.managers, m) }

// line is an evaluated header: name and value in the memory of a lines.
type line struct{ from, colon, to int }

// lines are the headers of one call.
type lines struct {
	text []byte
	list []line
}

func (l *lines) name(i int) []byte  { return l.text[l.list[i].from:l.list[i].colon] }
func (l *lines) value(i int) []byte { return l.text[l.list[i].colon:l.list[i].to] }

// find returns the number of the first header of that name at or after i, or -1.
func (l *lines) find(name string, i int) int {
	for ; i < len(l.list); i++ {
		if equalFold(l.name(i), name) {
			return i
		}
	}
	return -1
}

// fill evaluates the headers: of the nearest manager all, of each further one
// those whose name is not there yet.
func (l *lines) fill(h *headers, t *vu.Thread, e *edits) {
	l.text, l.list = l.text[:0], l.list[:0]
	if e != nil && e.ownHeaders {
		for i := range e.headers {
			l.add(&e.headers[i], t)
		}
		return
	}
	for i, m := range h.managers {
		for _, row := range m.of(t) {
			from := len(l.text)
			l.text = row.name.Append(l.text, t)
			colon := len(l.text)
			if i > 0 && l.has(l.text[from:colon]) {
				l.text = l.text[:from]
				continue
			}
			l.text = row.value.Append(l.text, t)
			l.list = append(l.list, line{from, colon, len(l.text)})
		}
	}
}

func (l *lines) add(h *header, t *vu.Thread) {
	from := len(l.text)
	l.text = h.name.Append(l.text, t)
	colon := len(l.text)
	l.text = h.value.Append(l.text, t)
	l.list = append(l.list, line{from, colon, len(l.text)})
}

func (l *lines) has(name []byte) bool {
	for i := range l.list {
		if strings.EqualFold(string(l.name(i)), string(name)) {
			return true
		}
	}
	return false
}

// equalFold compares in ASCII.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		d := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if 'A' <= d && d <= 'Z' {
			d |= 0x20
		}
		if c != d {
			return false
		}
	}
	return true
}
