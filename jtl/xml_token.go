package jtl

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// xmlToken is a piece of an XML file: a tag, or text, or a part of either that is
// longer than the memory for it.
type xmlToken struct {
	kind    xmlKind
	damaged bool // a tag without its end, or with a quote too few: bytes are what there is of it
	bytes   []byte
}

type xmlKind uint8

const (
	tokenEOF   xmlKind = iota
	tokenStart         // a start tag, closed by itself or not
	tokenEnd
	tokenText
	tokenCData // text inside a CDATA section, without its marks
	tokenOther // marks of CDATA, comments, processing instructions, document types
)

const (
	maxXMLTag     = 64 << 20 // what is longer is no tag
	maxXMLEndTag  = 1 << 10
	longestXMLTag = 128 // bytes that show a known element's name, with < and / before it
)

// xmlTokens cuts an XML result file into tokens. Where a tag is damaged it goes on
// with the next tag that result files have, wherever quotes stand: their values
// hold no such thing, as it is escaped there. The memory it takes is bounded by the
// longest tag.
type xmlTokens struct {
	src io.Reader
	// A top-level sample has so many blanks before it on its line, and nothing else
	// looks like that. -1 is another layout.
	indent int

	buf   []byte
	pos   int
	err   error
	rest  []byte  // what there is of a tag that the source ends inside of
	until string  // ends the section or comment around pos
	kind  xmlKind // of what is before it
}

// reset begins with another source and keeps the memory.
func (t *xmlTokens) reset(src io.Reader, indent int) {
	if t.buf == nil {
		t.buf = make([]byte, 0, 64<<10)
	}
	*t = xmlTokens{src: src, indent: indent, buf: t.buf[:0]}
}

// fill reads more behind what is there. false is the end, or an error.
func (t *xmlTokens) fill() bool {
	if t.err != nil {
		return false
	}
	if t.pos > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[t.pos:])]
		t.pos = 0
	}
	if len(t.buf) == cap(t.buf) {
		t.buf = append(make([]byte, 0, max(2*cap(t.buf), 4096)), t.buf...)
	}
	for range 100 {
		n, err := t.src.Read(t.buf[len(t.buf):cap(t.buf)])
		t.buf, t.err = t.buf[:len(t.buf)+n], err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	t.err = io.ErrNoProgress
	return false
}

// take makes the next n bytes a token.
func (t *xmlTokens) take(kind xmlKind, n int) xmlToken {
	b := t.buf[t.pos : t.pos+n]
	t.pos += n
	return xmlToken{kind: kind, bytes: b}
}

// next is the next token, whose bytes are valid until the one after it. The end of
// the source inside of a tag is io.ErrUnexpectedEOF.
func (t *xmlTokens) next() (xmlToken, error) {
	if t.pos == len(t.buf) && !t.fill() {
		if t.err != io.EOF {
			return xmlToken{}, t.err
		}
		if t.until != "" {
			return xmlToken{}, io.ErrUnexpectedEOF
		}
		return xmlToken{kind: tokenEOF}, nil
	}
	if t.until != "" {
		return t.section()
	}
	if t.buf[t.pos] != '<' {
		return t.text(0)
	}
	for len(t.buf)-t.pos < len("<![CDATA[") && t.fill() {
	}
	w := t.buf[t.pos:]
	switch {
	case len(w) == 1:
		return t.cut()
	case w[1] == '/':
		return t.endTag()
	case bytes.HasPrefix(w, []byte("<!--")):
		t.until, t.kind = "-->", tokenOther
		return t.take(tokenOther, len("<!--")), nil
	case bytes.HasPrefix(w, []byte("<![CDATA[")):
		t.until, t.kind = "]]>", tokenCData
		return t.take(tokenOther, len("<![CDATA[")), nil
	case w[1] == '?', w[1] == '!' && len(w) > 2 && w[2]|' ' == 'd':
		return t.instruction()
	case w[1] >= 'a' && w[1] <= 'z', w[1] >= 'A' && w[1] <= 'Z', w[1] == '_', w[1] == ':', w[1] >= 0x80:
		return t.startTag()
	}
	return t.text(1)
}

// cut is what the source ends with inside of a tag.
func (t *xmlTokens) cut() (xmlToken, error) {
	t.rest, t.pos = t.buf[t.pos:], len(t.buf)
	if t.err != nil && t.err != io.EOF {
		return xmlToken{}, t.err
	}
	return xmlToken{}, io.ErrUnexpectedEOF
}

// text goes up to the next tag, or as far as is at hand; references stay whole. What
// looked like a tag until from is text, too.
func (t *xmlTokens) text(from int) (xmlToken, error) {
	const reference = 12
	for {
		w := t.buf[t.pos:]
		if i := bytes.IndexByte(w[from:], '<'); i >= 0 {
			return t.take(tokenText, from+i), nil
		}
		n := len(w)
		if i := bytes.LastIndexByte(w[max(0, n-reference):], '&'); i >= 0 && t.err == nil {
			n = max(0, n-reference) + i
		}
		if t.err == nil {
			n = len(wholeRunes(w[:n]))
		}
		if n > 0 {
			return t.take(tokenText, n), nil
		}
		if !t.fill() {
			return t.take(tokenText, len(t.buf)-t.pos), nil
		}
	}
}

// wholeRunes is b without a character at its end that is cut.
func wholeRunes(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// section is the next part of a comment or a CDATA section.
func (t *xmlTokens) section() (xmlToken, error) {
	for {
		w := t.buf[t.pos:]
		end := bytes.Index(w, []byte(t.until))
		if i := t.topLevel(w); i >= 0 && (end < 0 || i < end) {
			t.until = ""
			tag := t.take(tokenOther, i)
			tag.damaged = true
			return tag, nil
		}
		switch {
		case end > 0:
			return t.take(t.kind, end), nil
		case end == 0:
			mark := t.until
			t.until = ""
			return t.take(tokenOther, len(mark)), nil
		}
		hold := len("\n<httpSample ") + max(t.indent, 0)
		if n := len(wholeRunes(w[:max(0, len(w)-hold)])); n > 0 {
			return t.take(t.kind, n), nil
		}
		if !t.fill() {
			if t.err != io.EOF {
				return xmlToken{}, t.err
			}
			return t.take(t.kind, len(t.buf)-t.pos), nil
		}
	}
}

// topLevel finds in w, which is inside of something that should have ended before,
// where a top-level sample begins; -1 is nowhere.
func (t *xmlTokens) topLevel(w []byte) int {
	if t.indent < 0 {
		return -1
	}
	for at := 0; ; {
		i := bytes.IndexByte(w[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
		line := bytes.TrimLeft(w[at:], " \t")
		if n := len(w) - at - len(line); n == t.indent && startsSample(line) {
			return at + n
		}
	}
}

// instruction is a processing instruction or a document type. What another tag
// breaks off is none.
func (t *xmlTokens) instruction() (xmlToken, error) {
	doctype := t.buf[t.pos+1] == '!'
	for from := 2; ; {
		w := t.buf[t.pos:]
		if doctype {
			depth := 1
			for i, c := range w[from:] {
				switch c {
				case '>':
					depth--
				case '<':
					if depth++; knownXMLTag(w[from+i:]) {
						return t.text(1)
					}
				}
				if depth == 0 {
					return t.take(tokenOther, from+i+1), nil
				}
			}
		} else {
			end := bytes.Index(w[from:], []byte("?>"))
			if i := bytes.IndexByte(w[from:], '<'); i >= 0 && (end < 0 || i < end) {
				return t.text(1)
			}
			if end >= 0 {
				return t.take(tokenOther, from+end+2), nil
			}
		}
		if len(w) > maxXMLTag {
			return t.text(1)
		}
		if !t.fill() {
			return t.cut()
		}
	}
}

// indexAngle is where b has a < or a > first, -1 where it has none.
func indexAngle(b []byte) int {
	for i, c := range b {
		if c == '<' || c == '>' {
			return i
		}
	}
	return -1
}

func (t *xmlTokens) endTag() (xmlToken, error) {
	for {
		w := t.buf[t.pos:]
		i := indexAngle(w[2:min(len(w), maxXMLEndTag)])
		switch {
		case i >= 0 && w[2+i] == '>':
			return t.take(tokenEnd, 2+i+1), nil
		case i >= 0:
			tag := t.take(tokenEnd, 2+i)
			tag.damaged = true
			return tag, nil
		case len(w) >= maxXMLEndTag:
			return t.text(2)
		case !t.fill():
			return t.cut()
		}
	}
}

func (t *xmlTokens) startTag() (xmlToken, error) {
	for size := 0; ; size *= 2 {
		for len(t.buf)-t.pos <= size && t.fill() {
		}
		w := t.buf[t.pos:]
		if i := bytes.IndexByte(w, '>'); i >= 0 {
			tag := w[:i+1]
			if bytes.Count(tag, []byte{'"'})%2 == 0 && bytes.IndexByte(tag[1:], '<') < 0 && bytes.IndexByte(tag, '\'') < 0 {
				return t.take(tokenStart, len(tag)), nil
			}
			if tag, ok := t.oddTag(w); ok {
				return tag, nil
			}
		} else if tag, ok := t.oddTag(w); ok {
			return tag, nil
		}
		if len(w) > maxXMLTag {
			return t.text(1)
		}
		if t.err != nil {
			return t.cut()
		}
		size = max(len(w), 1)
	}
}

// oddTag finds the end of a start tag with an eye on its quotes, or where another
// one follows without it. Not ok, more must be read to tell.
func (t *xmlTokens) oddTag(w []byte) (_ xmlToken, ok bool) {
	quote := byte(0)
	for i := 1; i < len(w); i++ {
		switch c := w[i]; {
		case c == '<':
			if len(w)-i < longestXMLTag && t.err == nil {
				return xmlToken{}, false
			}
			if !knownXMLTag(w[i:]) {
				continue
			}
			end := i
			if gt := bytes.LastIndexByte(w[:i], '>'); gt >= 0 {
				end = gt + 1
			}
			tag := t.take(tokenStart, end)
			tag.damaged = true
			return tag, true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '>':
			return t.take(tokenStart, i+1), true
		}
	}
	return xmlToken{}, false
}

// knownXMLTag tells whether b begins with a tag that result files have.
func knownXMLTag(b []byte) bool {
	name := b[1:min(len(b), longestXMLTag)]
	if len(name) > 0 && name[0] == '/' {
		name = name[1:]
	}
	if i := bytes.IndexAny(name, " \t\r\n/<>"); i >= 0 {
		name = name[:i]
	}
	return xmlTagOf(name) != tagOther || string(name) == "?xml"
}

// cutOff tells whether an error is but the end of the source.
func cutOff(err error) bool { return err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) }
