package jmx

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The limits of a plan. The largest of 845 public plans has 4 MB.
const (
	maxBytes = 64 << 20
	maxParts = 3_000_000 // tags and attributes
	maxDepth = 1000
	maxAttrs = 100 // of one tag
)

// scanner walks the text of a document once, before etree does. It notes the
// line of each start tag (etree gives none), escapes what etree would refuse,
// refuses what could harm, and knows the place in the tree of what is wrong.
type scanner struct {
	src  []byte
	pos  int
	line int // of pos

	out  []byte // src[:done], rewritten
	done int    // 0 while nothing had to change

	open  []openTag
	lines []int32 // of the start tags, in their order
	parts int     // tags and attributes so far
	root  bool    // the root was seen

	until int // stop at this line, to name the place there; 0 for all
}

// openTag is an element whose end tag has not come yet.
type openTag struct {
	at, end int // its start tag is src[at:end]
	name    string
	line    int
	last    int // start of its last child that is no hashTree, -1 for none
}

// scan returns the document for etree and the lines of its start tags.
func scan(src []byte) ([]byte, []int32, *Error) {
	s := &scanner{src: src, line: 1}
	if err := s.scan(); err != nil {
		return nil, nil, err
	}
	return s.result(), s.lines, nil
}

// whereIs names the place in the tree at a line.
func whereIs(src []byte, line int) string {
	s := &scanner{src: src, line: 1, until: line}
	s.scan()
	return s.where()
}

func (s *scanner) result() []byte {
	if s.done == 0 {
		return s.src
	}
	return append(s.out, s.src[s.done:]...)
}

func (s *scanner) scan() *Error {
	for {
		n := bytes.IndexByte(s.src[s.pos:], '<')
		if n < 0 {
			n = len(s.src) - s.pos
		}
		if len(s.open) == 0 {
			text := bytes.TrimSpace(s.src[s.pos : s.pos+n])
			if len(text) > 0 && s.root {
				return s.cut()
			}
			if len(text) > 0 {
				return s.fail("not XML: the file starts with %s", excerpt(text))
			}
		}
		s.chars(s.pos+n, inText)
		if s.pos == len(s.src) {
			return s.end()
		}
		if s.until > 0 && s.line >= s.until {
			return nil
		}
		if err := s.markup(); err != nil {
			return err
		}
	}
}

// end is called at the end of the file.
func (s *scanner) end() *Error {
	if n := len(s.open); n > 0 {
		in := s.open[n-1]
		return s.fail("the file is cut short: it ends inside <%s> of line %d", in.name, in.line)
	}
	if !s.root {
		return s.fail("the file is empty")
	}
	return nil
}

// cut ends the document here, after the root: JMeter reads no further.
func (s *scanner) cut() *Error {
	s.src = s.src[:s.pos]
	return nil
}

func (s *scanner) markup() *Error {
	rest := s.src[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return s.skip("a comment", "<!--", "-->")
	case bytes.HasPrefix(rest, []byte("<?")):
		return s.instruction()
	case len(s.open) == 0 && s.root:
		return s.cut()
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && len(s.open) > 0:
		return s.skip("a CDATA section", "<![CDATA[", "]]>")
	case bytes.HasPrefix(rest, []byte("<!")):
		return s.doctype()
	case bytes.HasPrefix(rest, []byte("</")):
		return s.endTag()
	case bytes.HasPrefix(rest, []byte("<<<<<<<")):
		return s.fail("a merge conflict is not resolved here: %s", excerpt(rest))
	}
	return s.startTag()
}

// skip passes over what stands between from, which is next, and to.
func (s *scanner) skip(what, from, to string) *Error {
	n := bytes.Index(s.src[s.pos+len(from):], []byte(to))
	switch {
	case n < 0 && len(s.open) == 0 && s.root:
		return s.cut()
	case n < 0:
		return s.fail("the file is cut short: it ends inside %s", what)
	}
	s.chars(s.pos+len(from)+n+len(to), inComment)
	return nil
}

// instruction passes over a processing instruction. The XML declaration is
// taken out: its encoding was dealt with, and XML 1.1 needs nothing more.
func (s *scanner) instruction() *Error {
	rest := s.src[s.pos:]
	decl := len(rest) > 5 && strings.EqualFold(string(rest[:5]), "<?xml") && !isName(rest[5])
	if decl && s.root {
		if len(s.open) == 0 {
			return s.cut()
		}
		return s.fail("an XML declaration inside the document")
	}
	n := bytes.Index(rest, []byte("?>"))
	if !decl || n < 0 {
		return s.skip("<? ?>", "<?", "?>")
	}
	s.blank(n + len("?>"))
	return nil
}

// doctype passes over a document type, which means nothing in a plan. One with
// declarations is refused: entities may be used to exhaust memory or read files.
func (s *scanner) doctype() *Error {
	rest := s.src[s.pos:]
	n := bytes.IndexAny(rest, "[>")
	if n < 0 || s.root {
		return s.fail("a declaration that does not belong here: %s", excerpt(rest))
	}
	words := strings.Fields(strings.ToLower(string(rest[:n])))
	switch {
	case rest[n] == '[':
		return s.fail("a document type with declarations (entities) is refused")
	case len(words) > 1 && words[0] == "<!doctype" && words[1] == "html":
		return s.fail("an HTML page, not a test plan")
	case len(words) < 2 || words[0] != "<!doctype":
		return s.fail("not XML: %s", excerpt(rest))
	}
	s.blank(n + 1)
	return nil
}

// blank takes out the next n bytes, all but their line feeds.
func (s *scanner) blank(n int) {
	feeds := bytes.Count(s.src[s.pos:s.pos+n], []byte("\n"))
	s.replace(s.pos, s.pos+n, strings.Repeat("\n", feeds))
	s.pos += n
	s.line += feeds
}

func (s *scanner) endTag() *Error {
	rest := s.src[s.pos:]
	n := bytes.IndexByte(rest, '>')
	if n < 0 {
		return s.end()
	}
	name := string(bytes.TrimSpace(rest[2:min(n, 200)]))
	if len(s.open) == 0 {
		return s.fail("</%s> closes nothing", name)
	}
	if in := s.open[len(s.open)-1]; in.name != name {
		return s.fail("</%s> where </%s> should close line %d", name, in.name, in.line)
	}
	s.chars(s.pos+n+1, inComment)
	s.open = s.open[:len(s.open)-1]
	return nil
}

func (s *scanner) startTag() *Error {
	at, line := s.pos, s.line
	i := at + 1
	for i < len(s.src) && isName(s.src[i]) {
		i++
	}
	name := string(s.src[at+1 : i])
	if name == "" && i < len(s.src) {
		return s.fail("a < that starts no tag: %s", excerpt(s.src[at:]))
	}
	if !s.root && name != rootTag && name != rootClass {
		return s.fail("%s", notAPlan(name))
	}

	s.chars(i, inComment)
	var names []string
	for {
		n := bytes.IndexAny(s.src[s.pos:], `>"'<`)
		if n < 0 {
			s.open = append(s.open, openTag{at: at, end: len(s.src), name: name, line: line, last: -1})
			return s.end()
		}
		attr := string(bytes.Trim(s.src[s.pos:s.pos+n], " \t\r\n="))
		s.chars(s.pos+n, inComment)
		c := s.src[s.pos]
		if c == '>' {
			break
		}
		if slices.Contains(names, attr) {
			return s.fail("<%s has %s twice", name, attr)
		}
		if names = append(names, attr); len(names) > maxAttrs {
			return s.fail("<%s has more than %d attributes", name, maxAttrs)
		}
		if c == '<' {
			return s.fail("the tag <%s of line %d is not closed", name, line)
		}
		s.pos++
		if n = bytes.IndexByte(s.src[s.pos:], c); n < 0 {
			return s.fail("the file is cut short: a value of <%s of line %d has no closing %c", name, line, c)
		}
		if bytes.IndexByte(s.src[s.pos:s.pos+n], '<') >= 0 {
			return s.fail("a < inside a value of <%s (write &lt;, or close the value with %c)", name, c)
		}
		s.chars(s.pos+n, inAttr)
		s.pos++
		s.parts++
	}
	s.pos++

	s.root = true
	if s.parts++; s.parts > maxParts {
		return s.fail("more than %d tags and attributes", maxParts)
	}
	s.lines = append(s.lines, int32(line))
	if n := len(s.open); n > 0 && !isTree(name) {
		s.open[n-1].last = at
	}
	if s.src[s.pos-2] == '/' {
		return nil
	}
	if len(s.open) == maxDepth {
		return s.fail("elements nested more than %d deep", maxDepth)
	}
	s.open = append(s.open, openTag{at: at, end: s.pos, name: name, line: line, last: -1})
	return nil
}

// chars moves to the position, counting lines and escaping what etree refuses.
// References mean something in text and attributes only.
func (s *scanner) chars(to int, at place) {
	for i := s.pos; i < to; i++ {
		switch b := s.src[i]; {
		case b == '\n':
			s.line++
		case b >= 0x20 && b != '&' && b < 0xEF, b == '\t', b == '\r':
		case b < 0x20:
			s.replace(i, i+1, escaped(rune(b), refBase))
		case b == '&':
			if at != inComment && i+2 < to && s.src[i+1] == '#' {
				i += s.reference(i, to, at) - 1
			}
		default:
			r, size := utf8.DecodeRune(s.src[i:to])
			if r == mark || r == 0xFFFE || r == 0xFFFF {
				s.replace(i, i+size, escaped(r, refBase))
			}
			i += size - 1
		}
	}
	s.pos = to
}

// reference deals with the numeric reference at i and returns its length.
func (s *scanner) reference(i, to int, at place) int {
	r, n := number(s.src[i:to])
	if n == 0 {
		return 1 // etree will complain
	}
	if utf16.IsSurrogate(r) {
		// Two references for one character beyond U+FFFF, or a lone half, which
		// no text of ours can hold.
		low, m := number(s.src[i+n : to])
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			n += m
		}
		with := string(r)
		if r == mark {
			with = escaped(r, refBase)
		}
		s.replace(i, i+n, with)
		return n
	}
	if r == mark || r == '\r' || !inXML(r) || at == inAttr && (r == '\t' || r == '\n') {
		s.replace(i, i+n, escaped(r, refBase))
	}
	return n
}

// number reads a numeric reference and its length, 0 if there is none.
func number(b []byte) (rune, int) {
	if len(b) < 4 || b[0] != '&' || b[1] != '#' {
		return 0, 0
	}
	end := bytes.IndexByte(b[:min(len(b), 16)], ';')
	if end < 0 {
		return 0, 0
	}
	digits, base := b[2:end], 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, 0
	}
	return rune(n), end + 1
}

// replace puts other text in the place of src[from:to].
func (s *scanner) replace(from, to int, with string) {
	s.out = append(s.out, s.src[s.done:from]...)
	s.out = append(s.out, with...)
	s.done = to
}

func (s *scanner) fail(format string, args ...any) *Error {
	return &Error{Line: s.line, Where: s.where(), Msg: fmt.Sprintf(format, args...)}
}

// where names the place of the scanner in the tree, as Node.Path does: an open
// hashTree stands for the element before it.
func (s *scanner) where() string {
	var names, props []string
	for i, in := range s.open {
		switch {
		case i == 0:
		case len(names) > 0 && !isTree(s.open[i-1].name) && !isTree(in.name):
			props = append(props, attrOf(s.src[in.at:in.end], "name"))
		case !isTree(in.name):
			names = append(names, label(attrOf(s.src[in.at:in.end], "testname"), in.name))
		case s.open[i-1].last >= 0:
			tag, _, _ := bytes.Cut(s.src[s.open[i-1].last:], []byte(">"))
			name, _, _ := strings.Cut(strings.TrimLeft(string(tag[:min(len(tag), 80)]), "<"), " ")
			names = append(names, label(attrOf(tag, "testname"), name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	where := quoteLast(names)
	if len(props) > 0 {
		where += ": " + join(props)
	}
	return where
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// attrOf finds an attribute in a start tag, for messages only.
func attrOf(tag []byte, name string) string {
	_, rest, ok := bytes.Cut(tag, []byte(" "+name+"="))
	if !ok || len(rest) == 0 {
		return ""
	}
	value, _, _ := bytes.Cut(rest[1:], rest[:1])
	return entities.Replace(string(value))
}

func isName(b byte) bool {
	return b > ' ' && b != '>' && b != '/' && b != '<' && b != '"' && b != '\'' && b != '=' && b != '&'
}

// excerpt is the start of a text, for a message.
func excerpt(b []byte) string {
	line, _, cut := bytes.Cut(b, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) > 30 {
		line, cut = line[:30], true
	}
	s := strconv.Quote(strings.ToValidUTF8(string(line), ""))
	if cut {
		s += "..."
	}
	return s
}

// notAPlan says what a document is instead of a plan.
func notAPlan(root string) string {
	what := ""
	switch strings.ToLower(root) {
	case "testresults":
		what = "a result file (.jtl)"
	case "html":
		what = "an HTML page"
	case "project":
		what = "a build file"
	case "testplan", "node":
		what = "a plan of JMeter 1.x, which JMeter 5.6.3 cannot read either"
	}
	if what != "" {
		what = ": this is " + what
	}
	return fmt.Sprintf("the root element is <%s>, not <%s>%s", root, rootTag, what)
}
