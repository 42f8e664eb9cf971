package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// maxJSONLine is the longest line that can be a sample.
const maxJSONLine = 64 << 20

// readJSON visits the samples of JSON Lines, and unless TopOnly those inside them,
// each parent before its children.
func (r *Reader) readJSON(visit Visit) (*Report, error) {
	split := r.splitJSON()
	parsers := make([]chunkParser, r.opt.Workers)
	for i := range parsers {
		parsers[i] = newJSONParser(&r.d, r.opt)
	}
	rep, err := r.run(split.next, parsers, visit)
	return split.ended(rep), err
}

// readJSONSamples visits the top-level samples as trees.
func (r *Reader) readJSONSamples(visit func(*Sample) error) (*Report, error) {
	split := r.splitJSON()
	p := newJSONParser(&r.d, r.opt)
	p.full = true
	p.deliver = func(nodes []xmlNode, _ func(*Row) error) error { return p.tree(nodes, visit) }
	rep, err := r.run(split.next, []chunkParser{p}, func(int, *Row) error { return nil })
	return split.ended(rep), err
}

// jsonSplitter cuts a file into chunks of whole lines.
type jsonSplitter struct{ blocks }

func (r *Reader) splitJSON() *jsonSplitter {
	return &jsonSplitter{blocks{src: r.src, size: r.opt.chunk, line: r.opt.FirstLine}}
}

func (s *jsonSplitter) next(buf []byte) (chunk, error) {
	return s.read(buf, func(b []byte) int {
		if n := bytes.LastIndexByte(b, '\n') + 1; n > 0 || len(b) < maxJSONLine {
			return n
		}
		return len(b)
	}, '\n')
}

// ended adds to rep that the compressed file was cut off behind a whole line.
func (s *jsonSplitter) ended(rep *Report) *Report {
	if s.cutOff && !rep.Truncated {
		rep.Truncated, rep.RowsWhole = true, true
	}
	return rep
}

// jsonParser turns lines of JSON, as AppendJSON makes them, into rows. Members that
// it does not know are passed over.
type jsonParser struct {
	rowTree
	d   *detection
	cfg *Config
	// look, when set, is told of all members of samples that are known, and of
	// variables.
	look    func(name string, variable bool)
	deliver func([]xmlNode, func(*Row) error) error

	in    []byte // the line
	pos   int
	live  int // how many of nodes are in use
	nodes []xmlNode
	text  []byte // memory of the line's texts that have escapes
	date  *DateFormat
}

func newJSONParser(d *detection, opt ReadOptions) *jsonParser {
	p := &jsonParser{d: d, cfg: opt.Config, rowTree: newRowTree(opt)}
	p.deliver = func(nodes []xmlNode, visit func(*Row) error) error {
		return p.rows(nodes, func() []byte { return p.in }, visit)
	}
	return p
}

// chunk visits the rows of c.
func (p *jsonParser) chunk(c chunk, visit func(*Row) error) error {
	p.seq = c.seq
	line := c.line
	for data := c.data; len(data) > 0; line++ {
		row, size := cutLine(data, '\n')
		whole := data[size-1] == '\n'
		data = data[size:]
		if line == 1 {
			row = bytes.TrimPrefix(row, bom)
		}
		if len(bytes.TrimSpace(row)) == 0 {
			p.report.Blank++
			continue
		}
		err := p.parse(row, line)
		switch {
		case err == nil:
			if err := p.deliver(p.nodes[:p.live], visit); err != nil {
				return err
			}
		case c.last && !whole:
			p.report.Truncated = true
		default:
			p.bad(line, err.Error())
		}
	}
	return nil
}

// parse reads one line into nodes.
func (p *jsonParser) parse(row []byte, line int64) error {
	p.in, p.pos, p.live, p.text = row, 0, 0, p.text[:0]
	p.space()
	if err := p.sample(line, 0); err != nil {
		return err
	}
	if p.space(); p.pos < len(p.in) {
		return p.wrong("something behind the sample")
	}
	return nil
}

// untold is a number that stands for none.
const untold = math.MinInt64

// maxJSONDepth is how deep samples may be inside each other; JMeter's CSV knows 11.
const maxJSONDepth = 200

// sample reads an object as a sample at that depth.
func (p *jsonParser) sample(line int64, depth int) error {
	if depth > maxJSONDepth {
		return p.wrong("samples inside samples without end")
	}
	if p.live == len(p.nodes) {
		p.nodes = append(p.nodes, xmlNode{})
	}
	at := p.live // p.nodes moves as it grows
	p.live++
	n := &p.nodes[at]
	extra := n.row.Extra[:0]
	for range p.d.info.Extra {
		extra = append(extra, nil)
	}
	n.tag, n.damage, n.asserts, n.decoded = tagSample, "", n.asserts[:0], false
	n.clearChildren()
	n.row = Row{Extra: extra, SampleCount: 1, ErrorCount: -1, Depth: depth, Line: line, Success: true}
	n.judged = false
	n.row.TimeStamp, n.row.Elapsed = untold, untold
	err := p.object(func(key []byte) error { return p.member(at, key, line) })
	if err != nil {
		return err
	}
	r := &p.nodes[at].row
	timed, lasted := r.TimeStamp != untold, r.Elapsed != untold
	if !timed {
		r.TimeStamp = 0
	}
	if !lasted {
		r.Elapsed = 0
	}
	if what := p.d.info.lacks(timed, lasted, p.nodes[at].judged); what != "" && p.look == nil {
		return errors.New(what)
	}
	r.derive(p.cfg)
	return nil
}

// member reads the value of a member of the sample at that index of nodes.
func (p *jsonParser) member(at int, key []byte, line int64) error {
	n := &p.nodes[at]
	r := &n.row
	if column, ok := columnByName(string(key)); ok {
		if p.look != nil {
			p.look(string(key), false)
		}
		number, text := r.field(column)
		switch {
		case number != nil:
			return p.number(column, number)
		case text != nil:
			return p.textOrNull(n, text)
		case column == ColSuccess:
			n.judged = true
			return p.boolean(&r.Success)
		}
	}
	tag := tagOther
	switch string(key) {
	case "http":
		if err := p.boolean(&r.HTTP); err != nil {
			return err
		}
		if n.tag = tagSample; r.HTTP {
			n.tag = tagHTTPSample
		}
		return nil
	case "variables":
		return p.object(func(name []byte) error { return p.variable(n, string(name)) })
	case "assertionResults":
		p.seen(tagAssertion)
		return p.array(func() error { return p.assertion(n) })
	case "subResults":
		depth := r.Depth + 1
		return p.array(func() error { return p.sample(line, depth) })
	case "responseHeaders":
		tag = tagResponseHeader
	case "requestHeaders":
		tag = tagRequestHeader
	case "responseData":
		tag = tagResponseData
	case "samplerData":
		tag = tagSamplerData
	case "method":
		tag = tagMethod
	case "queryString":
		tag = tagQueryString
	case "cookies":
		tag = tagCookies
	case "redirectLocation":
		tag = tagRedirect
	default:
		return p.skip(0)
	}
	p.seen(tag)
	return p.textOrNull(n, &n.children[tag])
}

func (p *jsonParser) seen(tag xmlTag) {
	if p.look != nil {
		p.d.info.tags[tag] = true
	}
}

// variable reads the value of a variable; null is one that is not defined.
func (p *jsonParser) variable(n *xmlNode, name string) error {
	if p.look != nil {
		p.look(name, true)
	}
	value := []byte("null")
	if err := p.textOrNull(n, &value); err != nil {
		return err
	}
	if i := slices.IndexFunc(p.d.info.Extra, func(e Extra) bool { return e.Name == name }); i >= 0 {
		n.row.Extra[i] = value
	}
	return nil
}

func (p *jsonParser) assertion(n *xmlNode) error {
	var a Assertion
	err := p.object(func(key []byte) error {
		var text []byte
		switch string(key) {
		case "name":
			err := p.textOrNull(n, &text)
			a.Name = string(text)
			return err
		case "failureMessage":
			err := p.textOrNull(n, &text)
			a.Message, a.HasMessage = string(text), text != nil
			return err
		case "failure":
			return p.boolean(&a.Failure)
		case "error":
			return p.boolean(&a.Error)
		}
		return p.skip(0)
	})
	n.asserts = append(n.asserts, a)
	return err
}

func (p *jsonParser) wrong(what string) error {
	return fmt.Errorf("no JSON sample: %s at byte %d", what, p.pos+1)
}

func (p *jsonParser) space() {
	for p.pos < len(p.in) && isXMLSpace(p.in[p.pos]) {
		p.pos++
	}
}

// token passes c and the blanks before it, if it is next.
func (p *jsonParser) token(c byte) bool {
	p.space()
	if p.pos == len(p.in) || p.in[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

// object reads an object; member reads the value of each.
func (p *jsonParser) object(member func(key []byte) error) error {
	if !p.token('{') {
		return p.wrong("no {")
	}
	if p.token('}') {
		return nil
	}
	for {
		key, _, err := p.string()
		if err != nil {
			return err
		}
		if !p.token(':') {
			return p.wrong("no :")
		}
		if err := member(key); err != nil {
			return err
		}
		if p.token('}') {
			return nil
		}
		if !p.token(',') {
			return p.wrong("no , or }")
		}
	}
}

// array reads an array; item reads each of its values.
func (p *jsonParser) array(item func() error) error {
	if !p.token('[') {
		return p.wrong("no [")
	}
	if p.token(']') {
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if p.token(']') {
			return nil
		}
		if !p.token(',') {
			return p.wrong("no , or ]")
		}
	}
}

// literal passes a word, if it is next.
func (p *jsonParser) literal(word string) bool {
	p.space()
	if !bytes.HasPrefix(p.in[p.pos:], []byte(word)) {
		return false
	}
	p.pos += len(word)
	return true
}

func (p *jsonParser) boolean(to *bool) error {
	switch {
	case p.literal("true"):
		*to = true
	case p.literal("false"):
		*to = false
	default:
		return p.wrong("no true or false")
	}
	return nil
}

// number reads a whole number, also one that stands in quotes; a time stamp may be
// a date there.
func (p *jsonParser) number(column Column, to *int64) error {
	if p.literal("null") {
		return nil
	}
	var text []byte
	if p.space(); p.pos < len(p.in) && p.in[p.pos] == '"' {
		var err error
		if text, _, err = p.string(); err != nil {
			return err
		}
	} else {
		from := p.pos
		for p.pos < len(p.in) && bytes.IndexByte(jsonNumber, p.in[p.pos]) >= 0 {
			p.pos++
		}
		if text = p.in[from:p.pos]; len(text) == 0 {
			return p.wrong("no number")
		}
	}
	n, ok := parseNumber(text)
	if whole, zeros, point := bytes.Cut(text, []byte(".")); !ok && point && len(zeros) > 0 && len(bytes.Trim(zeros, "0")) == 0 {
		n, ok = parseNumber(whole) // as programs write it that know no whole numbers
	}
	if !ok && column == ColTimeStamp {
		n, p.date, ok = stampOf(text, p.date, p.cfg)
	}
	if !ok {
		return fmt.Errorf("%s: %.40q is not a number", column, text)
	}
	*to = n
	return nil
}

var jsonNumber = []byte("+-.0123456789Ee")

// textOrNull reads a text; null leaves it as it is.
func (p *jsonParser) textOrNull(n *xmlNode, to *[]byte) error {
	if p.literal("null") {
		return nil
	}
	text, decoded, err := p.string()
	if err != nil {
		return err
	}
	n.decoded = n.decoded || decoded
	*to = text
	return nil
}

var errJSONEscape = errors.New("no JSON sample: a wrong \\ in a text")

// string reads a text. It is valid as long as the line is; decoded tells that it was
// no UTF-8.
func (p *jsonParser) string() (_ []byte, decoded bool, err error) {
	if !p.token('"') {
		return nil, false, p.wrong(`no "`)
	}
	from := p.pos
	escaped := false
	for ; ; p.pos++ {
		if p.pos == len(p.in) {
			return nil, false, p.wrong("a text without its end")
		}
		switch c := p.in[p.pos]; {
		case c == '"':
			text := p.in[from:p.pos:p.pos]
			p.pos++
			if !escaped && utf8.Valid(text) {
				return text, false, nil
			}
			return p.unquoted(text)
		case c == '\\':
			escaped = true
			p.pos++
			if p.pos == len(p.in) {
				return nil, false, p.wrong("a text without its end")
			}
		case c < ' ':
			return nil, false, p.wrong("a control character")
		}
	}
}

// unquoted is a text without escapes and in UTF-8.
func (p *jsonParser) unquoted(text []byte) (_ []byte, decoded bool, err error) {
	if decoded = !utf8.Valid(text); decoded {
		text = appendDecoded1252(nil, text)
	}
	from := len(p.text)
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			i = len(text)
		}
		p.text = append(p.text, text[:i]...)
		if text = text[i:]; len(text) == 0 {
			break
		}
		size := 2
		switch c := text[1]; c {
		case '"', '\\', '/':
			p.text = append(p.text, c)
		case 'b':
			p.text = append(p.text, '\b')
		case 'f':
			p.text = append(p.text, '\f')
		case 'n':
			p.text = append(p.text, '\n')
		case 'r':
			p.text = append(p.text, '\r')
		case 't':
			p.text = append(p.text, '\t')
		case 'u':
			r, ok := jsonUnit(text)
			if !ok {
				return nil, false, errJSONEscape
			}
			size = 6
			if utf16.IsSurrogate(r) {
				low, _ := jsonUnit(text[6:])
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					r, size = both, 12
				}
			}
			p.text = utf8.AppendRune(p.text, r) // half a pair becomes U+FFFD
		default:
			return nil, false, errJSONEscape
		}
		text = text[size:]
	}
	return p.text[from:len(p.text):len(p.text)], decoded, nil
}

// jsonUnit is the number of the escape \uXXXX that b begins with.
func jsonUnit(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|' ' >= 'a' && c|' ' <= 'f':
			c = c | ' ' - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// skip passes a value of any kind.
func (p *jsonParser) skip(depth int) error {
	if depth > maxJSONDepth {
		return p.wrong("values inside values without end")
	}
	p.space()
	if p.pos == len(p.in) {
		return p.wrong("no value")
	}
	switch p.in[p.pos] {
	case '{':
		return p.object(func([]byte) error { return p.skip(depth + 1) })
	case '[':
		return p.array(func() error { return p.skip(depth + 1) })
	case '"':
		_, _, err := p.string()
		return err
	}
	if p.literal("null") || p.literal("true") || p.literal("false") {
		return nil
	}
	from := p.pos
	for p.pos < len(p.in) && bytes.IndexByte(jsonNumber, p.in[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos == from {
		return p.wrong("no value")
	}
	return nil
}

// json looks at the first lines.
func (d *detection) json(body []byte, cfg *Config) error {
	d.info.TimeFormat = "ms"
	p := newJSONParser(d, ReadOptions{Config: cfg})
	var extra []Extra
	known := 0
	p.look = func(name string, variable bool) {
		if !variable {
			c, _ := columnByName(name)
			d.info.has[c] = true
			known++
		} else if !slices.ContainsFunc(extra, func(e Extra) bool { return e.Name == name }) {
			extra = append(extra, Extra{Name: name, Variable: true})
		}
	}
	for line := int64(1); len(body) > 0; line++ {
		row, size := cutLine(body, '\n')
		_ = p.parse(row, line) // what is wrong with it shows when it is read
		body = body[size:]
	}
	if known < 2 {
		return errors.New("not a result file: JSON, but no lines of samples")
	}
	d.info.Extra = extra
	return nil
}
