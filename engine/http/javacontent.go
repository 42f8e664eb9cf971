package http

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// This file is what the Java implementation sends as a body: that of JMeter's
// PostWriter and PutWriter.

// javaBoundary stands between the parts of each multipart body.
const javaBoundary = "---------------------------7d159c1302d0y0"

// javaBody says whether the Java implementation sends a body. It has none for a
// multipart PUT, but tries.
func (c *call) javaBody(method string, h hop) bool {
	return h != redirect && (method == "POST" || method == "PUT" && (c.raw || c.multipart || c.fileIsBody()))
}

// javaContent builds c's body. Only POST knows multipart and forms, which are
// queries here.
func (b *builder) javaContent(c *call, t *vu.Thread) error {
	post := c.method == "POST"
	if c.charset == nil && !c.fileIsBody() && (post || c.raw) {
		return &wire.Error{Class: "java.io.UnsupportedEncodingException", Message: c.encoding}
	}
	if c.multipart && !post {
		b.javaMultipartPut(c)
		return nil
	}
	addType := post && c.s.sh.addType
	switch {
	case c.multipart:
		b.javaMultipart(c, t)
	case c.fileIsBody():
		f := &c.files[0]
		f.stream = workFile(t.Run, f.path)
		b.out = content{stream: &f.stream, size: f.stream.Size(), kind: f.kind, shown: hiddenFile, err: unreadable(c.files[:1])}
	case c.raw:
		if b.javaText(c, appendRaw(b.body[:0], c.args, t, c.charset)); len(c.files) == 1 || post && len(c.files) > 0 {
			b.out.kind = c.files[0].kind
		}
	default:
		query := appendQuery(b.body[:0], c.args, t, c.charset, '&')
		b.javaText(c, query[min(1, len(query)):])
	}
	if b.out.kind == "" && addType {
		b.out.kind = typeForm
	}
	return nil
}

// javaText makes text the body.
func (b *builder) javaText(c *call, text []byte) {
	b.out = content{}
	if b.body = text; !c.isUTF8() {
		encoded := c.charset.Encode(string(text))
		b.out.shown = c.charset.Decode(encoded)
		b.body = append(text[:0], encoded...)
	}
	b.out.body, b.out.size = b.body, int64(len(b.body))
}

// javaMultipartPut fails: what JMeter writes was never prepared.
func (b *builder) javaMultipartPut(c *call) {
	b.out = content{size: -1, err: &wire.Error{Class: "java.net.ProtocolException",
		Message: "cannot write to a URLConnection if doOutput=false - call setDoOutput(true)"}}
	if c.raw || len(c.args) == 0 && c.singleFile() {
		b.out.err = &wire.Error{Class: "java.lang.NullPointerException", Message: `Cannot read the array length because "b" is null`}
	}
}

// javaMultipart builds a multipart body. Parameters have no types of their own.
func (b *builder) javaMultipart(c *call, t *vu.Thread) {
	p := new(parts)
	text := b.body[:0]
	for i := range c.args {
		a := &c.args[i]
		name := a.name.Eval(t)
		if skippable(name) {
			continue
		}
		text = append(text, "--"+javaBoundary+"\r\nContent-Disposition: form-data; name=\""...)
		text = append(append(text, c.charset.Encode(percenter.Replace(name))...), "\"\r\n"...)
		if !c.browser {
			text = append(text, "Content-Type: text/plain; charset="+c.encoding+"\r\nContent-Transfer-Encoding: 8bit\r\n"...)
		}
		text = append(text, "\r\n"...)
		text = append(append(text, c.charset.Encode(a.value.Eval(t))...), "\r\n"...)
	}
	cut := 0
	for i := range c.files {
		f := &c.files[i]
		f.stream = workFile(t.Run, f.path)
		text = append(text, "--"+javaBoundary+"\r\n"...)
		text = append(text, c.charset.Encode("Content-Disposition: form-data; name=\""+percenter.Replace(f.param)+
			"\"; filename=\""+fileName(f.path, c.charset)+"\"\r\nContent-Type: "+f.kind+"\r\nContent-Transfer-Encoding: binary\r\n\r\n")...)
		p.text = append(p.text, append([]byte(nil), text[cut:]...))
		p.files = append(p.files, &f.stream)
		cut = len(text)
		text = append(text, "\r\n"...)
	}
	text = append(text, "--"+javaBoundary+"--\r\n"...)
	b.body = text
	p.text = append(p.text, append([]byte(nil), text[cut:]...))
	b.out = content{stream: p, size: p.Size(), kind: "multipart/form-data; boundary=" + javaBoundary, multipart: true, err: unreadable(c.files)}
	if c.s.shows() {
		b.out.shown = p.shown(c.charset)
	}
}

// unreadable is the error of the first file that cannot be read, nil if all can:
// HttpURLConnection sends nothing before it has the whole body.
func unreadable(files []file) error {
	for i := range files {
		f := &files[i].stream
		info, err := os.Stat(f.path)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return &wire.Error{Class: "java.nio.file.AccessDeniedException", Message: f.shown, Cause: err}
		case err != nil:
			return &wire.Error{Class: "java.nio.file.NoSuchFileException", Message: f.shown, Cause: err}
		case info.IsDir():
			return &wire.Error{Class: "java.io.IOException", Message: "Is a directory"}
		}
	}
	return nil
}
