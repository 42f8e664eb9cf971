package http

import (
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// hiddenFile stands in results for the bytes of a file.
const hiddenFile = "<actual file content, not shown here>"

// octets is the type of a file that has none (RFC 2046, section 4.5.1). JMeter
// fails such a sample.
const octets = "application/octet-stream"

const boundaryChars = "-_1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// parts is a multipart body: text, a file, text, a file, ... text.
type parts struct {
	text  [][]byte
	files []*fileStream
}

func (p *parts) Size() int64 {
	var n int64
	for _, t := range p.text {
		n += int64(len(t))
	}
	for _, f := range p.files {
		n += f.Size()
	}
	return n
}

func (p *parts) WriteTo(w io.Writer) (int64, error) {
	var sum int64
	for i, t := range p.text {
		n, err := w.Write(t)
		sum += int64(n)
		if err == nil && i < len(p.files) {
			var m int64
			m, err = p.files[i].WriteTo(w)
			sum += m
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// shown is the body as results show it.
func (p *parts) shown(charset *java.Charset) string {
	var b []byte
	for i, t := range p.text {
		b = append(b, t...)
		if i < len(p.files) {
			b = append(b, hiddenFile...)
		}
	}
	return charset.Decode(b)
}

// multipart builds a multipart/form-data body (RFC 7578): arguments first, then
// files. The Content-Type has no charset, which that RFC does not know.
func (b *builder) multipart(c *call, t *vu.Thread) error {
	m := formData{c: c, boundary: newBoundary(t), header: java.UTF8, text: b.body[:0], parts: new(parts)}
	if c.browser {
		m.header = c.charset
	}
	for i := range c.args {
		if err := m.argument(&c.args[i], t); err != nil {
			return err
		}
	}
	for i := range c.files {
		if err := m.file(&c.files[i]); err != nil {
			return err
		}
	}
	m.text = append(append(append(m.text, "--"...), m.boundary...), "--\r\n"...)
	m.cutOff()
	b.body = m.text
	b.out = content{size: m.parts.Size(), kind: "multipart/form-data; boundary=" + m.boundary, multipart: true}
	if len(m.parts.files) == 0 {
		b.out.body = m.text
	} else {
		b.out.stream = m.parts
	}
	if c.s.shows() {
		b.out.shown = m.parts.shown(c.charset)
	}
	return nil
}

// formData is a multipart body that is being put together.
type formData struct {
	c        *call
	boundary string
	header   *java.Charset // of the part headers
	text     []byte        // all but the files
	cut      int           // how much of text is in parts
	parts    *parts
}

// cutOff ends a piece of text: a file follows, or nothing.
func (m *formData) cutOff() {
	m.parts.text = append(m.parts.text, slices.Clone(m.text[m.cut:]))
	m.cut = len(m.text)
}

// part begins one with a name.
func (m *formData) part(name string) {
	m.text = append(append(append(m.text, "--"...), m.boundary...), "\r\n"...)
	m.text = appendDisposition(m.text, name, m.header)
}

func (m *formData) argument(a *argument, t *vu.Thread) error {
	name := a.name.Eval(t)
	if skippable(name) {
		return nil
	}
	kind, charset, err := partType(a.contentType.Eval(t), m.c.charset)
	if err != nil {
		return err
	}
	m.part(name)
	m.text = append(m.text, "\"\r\n"...)
	if !m.c.browser {
		m.text = append(append(append(m.text, "Content-Type: "...), kind...), "\r\nContent-Transfer-Encoding: 8bit\r\n"...)
	}
	m.text = append(m.text, "\r\n"...)
	m.text = append(append(m.text, charset.Encode(a.value.Eval(t))...), "\r\n"...)
	return nil
}

func (m *formData) file(f *file) error {
	if f.path == "" {
		return &wire.Error{Class: classArgument, Message: "Filename must not be null or empty"}
	}
	kind := octets
	if f.kind != "" {
		var err error
		if kind, _, err = parseMIME(f.kind); err != nil {
			return err
		}
	}
	if isBlank(f.param) {
		return &wire.Error{Class: "java.lang.IllegalStateException", Message: "Name is blank"}
	}
	m.part(f.param)
	m.text = append(m.text, "\"; filename=\""...)
	m.text = appendQuoted(m.text, fileName(f.path, m.header), m.header)
	m.text = append(append(append(m.text, "\"\r\nContent-Type: "...), m.header.Encode(kind)...), "\r\n"...)
	if !m.c.browser {
		m.text = append(m.text, "Content-Transfer-Encoding: binary\r\n"...)
	}
	m.text = append(m.text, "\r\n"...)
	m.cutOff()
	m.parts.files = append(m.parts.files, &f.stream)
	m.text = append(m.text, "\r\n"...)
	return nil
}

// newBoundary is 30 to 40 random characters.
func newBoundary(t *vu.Thread) string {
	b := make([]byte, 30+t.Rand.IntN(11))
	for i := range b {
		b[i] = boundaryChars[t.Rand.IntN(len(boundaryChars))]
	}
	return string(b)
}

func appendDisposition(dst []byte, name string, charset *java.Charset) []byte {
	return appendQuoted(append(dst, `Content-Disposition: form-data; name="`...), name, charset)
}

// appendQuoted escapes what would end a quoted parameter.
func appendQuoted(dst []byte, s string, charset *java.Charset) []byte {
	if strings.ContainsAny(s, "\"\\\r") {
		s = quoter.Replace(s)
	}
	return append(dst, charset.Encode(s)...)
}

var quoter = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\r", "\\\r")

var percenter = strings.NewReplacer(`"`, "%22", "\n", "%0A", "\r", "%0D")

// fileName is the last element of a path, as browsers send it.
func fileName(path string, charset *java.Charset) string {
	if path == "" {
		return ""
	}
	name := filepath.Base(path)
	if charset != java.UTF8 {
		var b []byte
		for _, r := range name {
			one := string(r)
			if e := charset.Encode(one); len(e) == 1 && e[0] == '?' && r != '?' {
				b = strconv.AppendInt(append(b, "&#"...), int64(r), 10)
			} else {
				b = utf8.AppendRune(b, r)
			}
		}
		name = string(b)
	}
	return percenter.Replace(name)
}
