package jtl

import (
	"bytes"
	"io"
)

func newXMLParser(d *detection, opt ReadOptions) *xmlParser {
	return &xmlParser{
		d: d, cfg: opt.Config, rowTree: newRowTree(opt), version: d.info.Version,
		line: 1, text: make([]byte, 0, 4096),
	}
}

// readXML visits the samples, and unless TopOnly those inside them, each parent
// before its children. A file laid out in lines as JMeter does is work for all
// workers, any other for one.
func (r *Reader) readXML(visit Visit) (*Report, error) {
	if r.opt.Workers == 1 || !r.d.lines {
		p := newXMLParser(&r.d, r.opt)
		p.tokens.reset(r.src, r.d.sectionIndent())
		err := p.parse(p.asRows(func(row *Row) error { return visit(0, row) }))
		p.noteEnd()
		return &p.report, err
	}
	split := &xmlSplitter{blocks{src: r.src, size: r.opt.chunk, line: 1}}
	parsers := make([]chunkParser, r.opt.Workers)
	for i := range parsers {
		parsers[i] = newXMLParser(&r.d, r.opt)
	}
	return r.run(split.next, parsers, visit)
}

// chunk visits the rows of c, which begins and ends between top-level samples.
func (p *xmlParser) chunk(c chunk, visit func(*Row) error) error {
	p.line, p.seq, p.version, p.ended, p.indent = c.line, c.seq, p.d.info.Version, false, 0
	data := c.data
	if !c.last { // what damage at its end would meet, which is not parsed
		data = append(data, "<sample "...)
	}
	p.tokens = xmlTokens{buf: data, err: io.EOF}
	rows := p.asRows(visit)
	if err := p.parse(rows); err != nil {
		return err
	}
	if c.last {
		p.noteEnd()
		return nil
	}
	return p.abandon(rows)
}

// noteEnd tells how the file ends: cut off, unless the end tag of the whole is its last
// element. Where only that is missing, or a part of it, all samples are there.
func (p *xmlParser) noteEnd() {
	p.report.Truncated = !p.ended
	p.report.RowsWhole = !p.ended && len(p.parents) == 0 && p.tokens.until == "" && bytes.HasPrefix([]byte("</testResults>"), p.tokens.rest)
}

// asRows visits the samples of a top-level one as rows.
func (p *xmlParser) asRows(visit func(*Row) error) func([]xmlNode) error {
	return func(nodes []xmlNode) error {
		return p.rows(nodes, func() []byte { return p.rawSample(nodes) }, visit)
	}
}

// xmlSplitter cuts an XML file that is laid out as JMeter does into chunks that
// end between top-level samples.
type xmlSplitter struct{ blocks }

func (s *xmlSplitter) next(buf []byte) (chunk, error) {
	return s.read(buf, cutXML, '\n')
}

// cutXML finds the last line that begins a top-level sample after another, or
// after the start of the whole.
func cutXML(buf []byte) int {
	end := len(buf)
	for {
		begin := bytes.LastIndexByte(buf[:end], '\n') + 1
		if begin == 0 {
			return 0
		}
		if startsSample(buf[begin:]) && endsSample(buf[:begin]) {
			return begin
		}
		end = begin - 1
	}
}

func startsSample(b []byte) bool {
	return bytes.HasPrefix(b, []byte("<httpSample ")) || bytes.HasPrefix(b, []byte("<sample "))
}

// endsSample tells whether the last line of b that is not empty is that of an end,
// in the first column.
func endsSample(b []byte) bool {
	b = bytes.TrimRight(b, "\r\n")
	line := b[bytes.LastIndexByte(b, '\n')+1:]
	return bytes.Equal(line, []byte("</httpSample>")) || bytes.Equal(line, []byte("</sample>")) ||
		startsSample(line) && bytes.HasSuffix(line, []byte("/>")) || bytes.HasPrefix(line, []byte("<testResults"))
}

// readXMLSamples visits the top-level samples as trees. A damaged one takes those
// inside it with it.
func (r *Reader) readXMLSamples(visit func(*Sample) error) (*Report, error) {
	p := newXMLParser(&r.d, r.opt)
	p.full = true
	p.tokens.reset(r.src, r.d.sectionIndent())
	err := p.parse(func(nodes []xmlNode) error { return p.tree(nodes, visit) })
	p.noteEnd()
	return &p.report, err
}

// sectionIndent is the indentation by which even comments and CDATA are known to
// lack their end: not where the latter are in use.
func (d *detection) sectionIndent() int {
	if d.cdata {
		return -1
	}
	return d.indent
}

// encode is the response as its server sent it, from the text of an XML file.
func encode(text []byte, charset string) []byte {
	if c := otherCharset(charset); c != nil {
		return c.Encode(string(text))
	}
	return append([]byte(nil), text...)
}

// xmlCharset is the encoding that the declaration of an XML file names.
func xmlCharset(head []byte) string {
	decl, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok || !bytes.Contains(decl, []byte("<?xml ")) {
		return ""
	}
	_, attrs, _ := bytes.Cut(decl, []byte("<?xml "))
	for key, value := range xmlAttributes(attrs) {
		if string(key) == "encoding" {
			return string(value)
		}
	}
	return ""
}
