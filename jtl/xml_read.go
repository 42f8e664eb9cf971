package jtl

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/orisano/gosax"
)

// xmlNode is a sample element that is being read.
type xmlNode struct {
	row      Row
	damage   string // why it cannot be used
	tag      xmlTag
	children [numXMLTags][]byte
	asserts  []Assertion
	message  []byte // of the assertion at hand
	blamed   bool   // row has the message of an assertion that failed
}

// xmlTag is an element that is known inside a sample.
type xmlTag uint8

const (
	tagOther xmlTag = iota
	tagResults
	tagSample
	tagHTTPSample
	tagOldSample // of JMeter 1 and 2.0
	tagAssertion
	tagName
	tagFailure
	tagError
	tagFailureMessage
	tagURL
	tagResponseFile
	tagResponseData
	tagResponseHeader
	tagRequestHeader
	tagSamplerData
	tagCookies
	tagMethod
	tagQueryString
	tagRedirect
	numXMLTags
)

// xmlTagOf finds an element by its name.
func xmlTagOf(name []byte) xmlTag {
	switch string(name) {
	case "httpSample":
		return tagHTTPSample
	case "sample", "statSample":
		return tagSample
	case "java.net.URL", "url":
		return tagURL
	case "assertionResult", "org.apache.jmeter.assertions.CompareAssertionResult":
		return tagAssertion
	case "name":
		return tagName
	case "failure":
		return tagFailure
	case "error":
		return tagError
	case "failureMessage":
		return tagFailureMessage
	case "responseFile":
		return tagResponseFile
	case "responseData", "binary":
		return tagResponseData
	case "responseHeader":
		return tagResponseHeader
	case "requestHeader":
		return tagRequestHeader
	case "samplerData":
		return tagSamplerData
	case "cookies":
		return tagCookies
	case "method":
		return tagMethod
	case "queryString":
		return tagQueryString
	case "redirectLocation":
		return tagRedirect
	case "testResults":
		return tagResults
	case "sampleResult":
		return tagOldSample
	}
	return tagOther
}

func (t xmlTag) isSample() bool { return t >= tagSample && t <= tagOldSample }

// xmlParser turns the events of an XML result file into rows. It accepts what
// JMeter's own reader accepts, which is more than XML: references to any character
// and raw control characters.
type xmlParser struct {
	d   *detection
	cfg *Config
	// full keeps all children, not only those that a row has.
	full    bool
	topOnly bool
	keepRaw bool
	// look, when set, is told of all attributes of samples, and of some children.
	look    func(name []byte)
	maxBad  int
	version string

	events  *gosax.Reader
	lineBeg bool // the present element begins its line
	ended   bool // the end tag of the whole was the last element

	open    []xmlTag // elements around the present place
	names   []byte   // their names, one after the other
	nameEnd []int
	nodes   []xmlNode // of the present top-level sample, in document order
	live    int       // how many of nodes are in use
	parents []int     // indexes of open samples
	text    []byte    // memory of the present top-level sample's texts
	raw     []byte    // the present top-level sample as it stands, with keepRaw
	from    int       // where the text of the present element begins, in text
	line    int64
	seq     int // of the present chunk
	date    *DateFormat
	report  Report
}

// parse reads all samples of src and hands over each top-level one with those
// inside it, in document order. At the end some may be open.
func (p *xmlParser) parse(src io.Reader, sample func([]xmlNode) error) error {
	p.events.Reset(src)
	for {
		e, err := p.events.Event()
		switch {
		case err == nil:
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			p.ended = false
			return nil
		default:
			return err
		}
		if p.keepRaw && len(p.parents) > 0 {
			p.raw = append(p.raw, e.Bytes...)
		}
		switch e.Type() {
		case gosax.EventEOF:
			return nil
		case gosax.EventStart:
			if err := p.startTag(e.Bytes, sample); err != nil {
				return err
			}
		case gosax.EventEnd:
			if err := p.endTag(e.Bytes[2:len(e.Bytes)-1], sample); err != nil {
				return err
			}
		case gosax.EventText:
			if p.wantsText() {
				p.text = appendUnescaped(p.text, e.Bytes)
			}
		case gosax.EventCData:
			if p.look != nil {
				p.d.lines = false // lines in it may look like samples
			}
			if p.wantsText() {
				p.text = append(p.text, e.Bytes[len("<![CDATA["):len(e.Bytes)-len("]]>")]...)
			}
		}
		p.line += int64(bytes.Count(e.Bytes, []byte{'\n'}))
		p.lineBeg = len(e.Bytes) > 0 && e.Bytes[len(e.Bytes)-1] == '\n'
	}
}

func (p *xmlParser) wantsText() bool {
	if len(p.open) == 0 || len(p.parents) == 0 {
		return false
	}
	switch t := p.open[len(p.open)-1]; t {
	case tagFailureMessage, tagFailure, tagError, tagURL, tagResponseFile:
		return true
	default:
		return p.full && t >= tagName
	}
}

func (p *xmlParser) startTag(b []byte, sample func([]xmlNode) error) error {
	whole := b
	b = b[1 : len(b)-1]
	closed := len(b) > 0 && b[len(b)-1] == '/'
	if closed {
		b = b[:len(b)-1]
	}
	n := 0
	for n < len(b) && !isXMLSpace(b[n]) {
		n++
	}
	name, attrs := b[:n], b[n:]
	tag := xmlTagOf(name)
	switch {
	case tag == tagResults:
		if err := p.abandon(sample); err != nil { // a run that went on after a crash
			return err
		}
		p.version = ""
		for key, value := range xmlAttributes(attrs) {
			if string(key) == "version" {
				p.version = string(value)
			}
		}
	case tag.isSample():
		if p.lineBeg && len(p.parents) > 0 && p.d.lines {
			if p.look != nil {
				p.d.lines = false // nested samples begin lines, too
			} else if err := p.abandon(sample); err != nil {
				return err
			}
		}
		if p.keepRaw && len(p.parents) == 0 {
			p.raw = append(p.raw[:0], whole...)
		}
		p.startSample(tag, attrs)
	case len(p.parents) > 0:
		tag = p.startChild(tag, attrs)
	}
	p.ended = false
	p.open = append(p.open, tag)
	p.names = append(p.names, name...)
	p.nameEnd = append(p.nameEnd, len(p.names))
	p.from = len(p.text)
	if closed {
		return p.endTag(name, sample)
	}
	return nil
}

// abandon gives up what is open: samples that lack their end.
func (p *xmlParser) abandon(sample func([]xmlNode) error) error {
	p.open, p.names, p.nameEnd = p.open[:0], p.names[:0], p.nameEnd[:0]
	for _, i := range p.parents {
		p.nodes[i].damage = "sample without its end"
	}
	return p.deliver(sample)
}

// deliver hands over the present top-level sample, if there is one.
func (p *xmlParser) deliver(sample func([]xmlNode) error) error {
	var err error
	if p.live > 0 {
		err = sample(p.nodes[:p.live])
	}
	p.reset()
	return err
}

// reset forgets the present top-level sample.
func (p *xmlParser) reset() {
	p.live, p.parents, p.text, p.from = 0, p.parents[:0], p.text[:0], 0
}

// startChild takes the attributes that children had in JMeter 1 and 2.0, and
// tells what the child is.
func (p *xmlParser) startChild(tag xmlTag, attrs []byte) xmlTag {
	node := &p.nodes[p.parents[len(p.parents)-1]]
	if p.look != nil {
		p.d.info.tags[tag] = true
	}
	switch tag {
	case tagAssertion:
		node.asserts = append(node.asserts, Assertion{})
		node.message = nil
		a := &node.asserts[len(node.asserts)-1]
		for key, value := range xmlAttributes(attrs) {
			switch string(key) {
			case "failure":
				a.Failure = isTrue(string(value))
			case "error":
				a.Error = isTrue(string(value))
			case "failureMessage":
				p.message(node, a, p.unescaped(value))
			}
		}
	case tagOther: // <property name="samplerData">
		for _, value := range xmlAttributes(attrs) {
			if string(value) == "samplerData" {
				return tagSamplerData
			}
		}
	}
	return tag
}

// message notes an assertion's message.
func (p *xmlParser) message(node *xmlNode, a *Assertion, text []byte) {
	if !node.blamed && !slices.ContainsFunc(node.asserts, func(a Assertion) bool { return a.HasMessage }) {
		node.row.FailureMessage = text
	}
	node.message = text
	a.HasMessage = true
	if p.full {
		a.Message = string(text)
	}
}

// judge gives a row the message of its first assertion that failed, as
// Sample.FailureMessage does.
func (node *xmlNode) judge() {
	if len(node.asserts) == 0 {
		return
	}
	if a := &node.asserts[len(node.asserts)-1]; (a.Failure || a.Error) && !node.blamed {
		node.row.FailureMessage, node.blamed = node.message, true
	}
}

func (p *xmlParser) endTag(name []byte, sample func([]xmlNode) error) error {
	for len(name) > 0 && isXMLSpace(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	for depth := len(p.open) - 1; depth >= 0; depth-- {
		from := 0
		if depth > 0 {
			from = p.nameEnd[depth-1]
		}
		if !bytes.Equal(p.names[from:p.nameEnd[depth]], name) {
			continue
		}
		// What was opened inside and not closed is damaged, if it was a sample.
		for i := len(p.open) - 1; i > depth; i-- {
			if p.open[i].isSample() {
				p.nodes[p.parents[len(p.parents)-1]].damage = "sample without its end"
				p.parents = p.parents[:len(p.parents)-1]
			}
		}
		tag := p.open[depth]
		p.open, p.names, p.nameEnd = p.open[:depth], p.names[:from], p.nameEnd[:depth]
		p.ended = tag == tagResults
		if len(p.parents) == 0 {
			return p.deliver(sample)
		}
		return p.closed(tag, sample)
	}
	// An end without a start, as that of the whole is for all chunks but the first.
	p.ended = xmlTagOf(name) == tagResults
	if p.ended {
		return p.abandon(sample)
	}
	return nil
}

// closed takes an element that has its end; it stands in a sample or is one.
func (p *xmlParser) closed(tag xmlTag, sample func([]xmlNode) error) error {
	node := &p.nodes[p.parents[len(p.parents)-1]]
	text := p.text[p.from:len(p.text):len(p.text)]
	switch {
	case tag.isSample():
		p.parents = p.parents[:len(p.parents)-1]
		if len(p.parents) == 0 {
			return p.deliver(sample)
		}
	case tag == tagURL:
		node.row.URL = text
		if p.look != nil {
			p.look([]byte("java.net.URL"))
		}
	case tag == tagResponseFile:
		if p.look != nil {
			p.look([]byte("responseFile"))
		}
		node.row.FileName = text
	case tag == tagAssertion:
		node.judge()
	case tag == tagName, tag == tagFailure, tag == tagError, tag == tagFailureMessage:
		if len(p.open) == 0 || p.open[len(p.open)-1] != tagAssertion || len(node.asserts) == 0 {
			break
		}
		a := &node.asserts[len(node.asserts)-1]
		switch {
		case tag == tagFailureMessage:
			p.message(node, a, text)
		case tag == tagName:
			if p.full {
				a.Name = string(text)
			}
		case tag == tagFailure:
			a.Failure = isTrue(string(text))
		case tag == tagError:
			a.Error = isTrue(string(text))
		}
	case tag > tagResponseFile:
		node.children[tag] = text
	}
	p.from = len(p.text)
	return nil
}

func (p *xmlParser) bad(line int64, reason string) {
	p.report.Skipped++
	if len(p.report.Bad) < p.maxBad {
		p.report.Bad = append(p.report.Bad, BadLine{Line: line, Reason: reason})
	}
}
