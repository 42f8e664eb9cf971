package http

import (
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// content is the body of a request.
type content struct {
	body   []byte
	stream wire.Stream // in its place, when it holds files
	size   int64
	// kind is the Content-Type that is sent where no header manager has one; of
	// a multipart body it is sent in any case.
	kind      string
	early     bool // kind goes before Content-Length
	multipart bool
	// shown is the body as results show it, for one that is not plain text in
	// the call's charset.
	shown string
	err   error // what sending it fails with
}

// The types of bodies.
const (
	typeForm = "application/x-www-form-urlencoded"
	typeText = "text/plain"
)

// builder puts bodies together in memory it reuses.
type builder struct {
	out  content
	body []byte
}

// content builds c's body. JMeter has four kinds, the first that fits is taken:
// multipart, a file, the arguments' values, a form.
func (b *builder) content(c *call, t *vu.Thread) error {
	b.out = content{}
	if c.java {
		return b.javaContent(c, t)
	}
	if c.charset == nil {
		return badCharset(c.encoding)
	}
	switch {
	case c.multipart:
		return b.multipart(c, t)
	case c.fileIsBody():
		f := &c.files[0]
		b.out = content{stream: &f.stream, size: f.stream.Size(), kind: f.kind, early: true, shown: hiddenFile}
		if f.kind == "" && c.s.sh.addType {
			b.out.kind = typeForm
		}
	case c.raw:
		b.body = appendRaw(b.body[:0], c.args, t, c.charset)
		if text := b.body; !c.isUTF8() {
			b.out.shown = string(text)
			b.body = append(text[:0], c.charset.Encode(b.out.shown)...)
		}
		b.out.body, b.out.size = b.body, int64(len(b.body))
		if len(c.files) > 0 && c.files[0].kind != "" {
			b.out.kind, b.out.early = c.files[0].kind, true
		} else {
			b.out.kind, b.out.early = c.typed(typeText)
		}
	default:
		var err error
		if b.body, err = appendForm(b.body[:0], c.args, t, c.charset); err != nil {
			return err
		}
		if form := b.body; strings.HasPrefix(c.charset.Name(), "UTF-16") {
			b.out.shown = string(form)
			b.body = append(form[:0], c.charset.Encode(b.out.shown)...)
		}
		b.out.body, b.out.size = b.body, int64(len(b.body))
		b.out.kind, b.out.early = c.typed(typeForm)
	}
	return nil
}

func (c *call) isUTF8() bool { return c.charset.Name() == "UTF-8" }

// typed is the Content-Type of a text body.
func (c *call) typed(kind string) (_ string, early bool) {
	switch {
	case c.s.sh.addType:
		return typeForm, true
	case c.isUTF8() && kind == typeForm:
		return typeForm + "; charset=UTF-8", false
	case c.isUTF8():
		return typeText + "; charset=UTF-8", false
	}
	return kind + "; charset=" + c.charset.Name(), false
}

func badCharset(name string) error {
	for _, r := range name {
		if !strings.ContainsRune("-+.:_", r) && (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') {
			return &wire.Error{Class: "java.nio.charset.IllegalCharsetNameException", Message: name}
		}
	}
	return &wire.Error{Class: "java.nio.charset.UnsupportedCharsetException", Message: name}
}
