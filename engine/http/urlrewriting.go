package http

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[urlRewriting](elem.Spec{Class: "URLRewritingModifier", Title: "HTTP URL Re-writing Modifier", Kind: elem.KindPre, Status: elem.Full})
}

// urlRewriting hands on a session id that the last page holds in its links
// (JMeter manual, HTTP URL Re-writing Modifier).
type urlRewriting struct {
	sh                                     *shared
	name                                   expr.Text
	path, noEquals, noQuestion, keep, code expr.Bool
	slot                                   vu.Slot[string] // the last id
}

func (m *urlRewriting) Props(p *elem.Props) {
	m.sh = sharedOf(p)
	m.slot = elem.SlotOf[string](p)
	p.Text(&m.name, "argument_name", "", "name of the session argument")
	p.Bool(&m.path, "path_extension", false, "the id stands behind a semicolon in the path")
	p.Bool(&m.noEquals, "path_extension_no_equals", false, "without an equals sign")
	p.Bool(&m.noQuestion, "path_extension_no_questionmark", false, "and ends at a question mark")
	p.Bool(&m.keep, "cache_value", true, "keep the last id for pages that hold none")
	p.Bool(&m.code, "encode", false, "encode the argument")
}

// Needs is the page.
func (m *urlRewriting) Needs() elem.Needs { return elem.NeedBody }

// Before changes the path or the arguments of the sampler at hand.
func (m *urlRewriting) Before(t *vu.Thread) {
	s := current(t)
	if s == nil || t.Prev == nil {
		return
	}
	name := m.name.Eval(t)
	path := m.path.Eval(t)
	id := m.find(m.pattern(t, name, path), bodyText(m.sh, t.Prev))
	if m.keep.Eval(t) {
		if last := m.slot.Of(t); id == "" {
			id = *last
		} else {
			*last = id
		}
	}
	if !path {
		e := s.edit(t)
		e.removeArgument(s, t, name)
		e.setArguments(append(s.arguments(e), newArgument(name, id, "=", !m.code.Eval(t))))
		return
	}
	old := strings.ReplaceAll(s.value(t, s.slot.Of(t).current(t), propPath), " ", "%20")
	if i := strings.Index(old, ";"+name); i >= 0 {
		query := ""
		if q := strings.IndexByte(old, '?'); q >= 0 {
			query = old[q:]
		}
		old = old[:i] + query
	}
	if !m.noEquals.Eval(t) {
		id = "=" + id
	}
	s.setPath(t, old+";"+name+id)
}

// pattern is what finds the id; its groups hold it.
func (m *urlRewriting) pattern(t *vu.Thread, name string, path bool) string {
	quoted := quoteMeta(name)
	if path {
		p := ";" + quoted
		if !m.noEquals.Eval(t) {
			p += "="
		}
		if m.noQuestion.Eval(t) {
			return p + `([^"'<>&\s;?]*)`
		}
		return p + `([^"'<>&\s;]*)`
	}
	const nameIs, valueIs = `\s[Nn][Aa][Mm][Ee]\s*=\s*["']`, `\s[vV][Aa][Ll][Uu][Ee]\s*=\s*["']([^"']*)["']`
	return `[;\?&]` + quoted + `=([^"'<>&\s;\\]*)` +
		`|` + nameIs + quoted + `["'][^>]*` + valueIs +
		`|` + valueIs + `[^>]*` + nameIs + quoted + `["']`
}

// find returns the first group that took part in the first match.
func (m *urlRewriting) find(pattern, text string) string {
	re, err := m.sh.patterns.Get(pattern)
	if err != nil {
		vu.Throw(err)
	}
	found := re.FindString(nil, text, 0)
	for i := 2; i+1 < len(found); i += 2 {
		if found[i] >= 0 {
			return text[found[i]:found[i+1]]
		}
	}
	return ""
}

// quoteMeta escapes all but letters, digits and the underscore.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && r != '_' && !isAlnum(byte(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// bodyText is a response as text.
func bodyText(sh *shared, r *jtl.Sample) string {
	name := r.Encoding
	if name == "" {
		name = sh.charset
	}
	if c := charsetOf(name); c != nil {
		return c.Decode(r.Body)
	}
	return string(r.Body)
}

var _ elem.PreProcessor = (*urlRewriting)(nil)
