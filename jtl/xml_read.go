package jtl

import (
	"bytes"
	"fmt"
	"slices"
)

// xmlNode is a sample element that is being read.
type xmlNode struct {
	row      Row
	damage   string // why it cannot be used
	tag      xmlTag
	children *[numXMLTags][]byte // with rowTree.full
	asserts  []Assertion
	message  []byte // of the assertion at hand
	blamed   bool   // row has the message of an assertion that failed
	indent   int    // of the start tag, as in xmlParser
	raw      int    // where it begins and ends in xmlParser.raw
	rawEnd   int
	decoded  bool // a text of it was not UTF-8
	judged   bool // JSON tells whether it succeeded
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
	rowTree
	d   *detection
	cfg *Config
	// look, when set, is told of all attributes of samples, and whether their tag has
	// them already, and of some children.
	look    func(name []byte, again bool)
	layout  xmlLayout
	version string

	tokens  xmlTokens
	indent  int  // blanks before the present place on its line, -1 when there is more
	strayed bool // what came since the last sample is known to be none
	ended   bool // the end tag of the whole was the last element

	open    []xmlTag // elements around the present place
	names   []byte   // their names, one after the other
	nameEnd []int
	nodes   []xmlNode // of the present top-level sample, in document order
	live    int       // how many of nodes are in use
	parents []int     // indexes of open samples
	text    []byte    // memory of the present top-level sample's texts
	raw     []byte    // the present top-level sample as it stands, with keepRaw
	rawAt   int       // where it has the present token
	decoded []byte    // memory of text that was not UTF-8
	from    int       // where the text of the present element begins, in text
	line    int64
	date    *DateFormat
}

// maxInside is how many samples may be inside of one in a file that is not laid out
// so that it shows where that one should have ended. More are taken to be behind it.
const maxInside = 50_000

// parse reads all samples of the tokens' source and hands over each top-level one
// with those inside it, in document order. At the end some may be open.
//
// Damage costs the sample that it is in, which is handed over as damaged. Where
// samples are laid out so that their place on the line tells those at the top, the
// next of these ends it; else the tags do as far as they balance.
func (p *xmlParser) parse(sample func([]xmlNode) error) error {
	for {
		t, err := p.tokens.next()
		switch {
		case err == nil:
		case cutOff(err):
			p.ended = false
			return nil
		default:
			return err
		}
		p.rawAt = len(p.raw)
		if p.keepRaw && len(p.parents) > 0 {
			p.raw = append(p.raw, t.bytes...)
		}
		switch t.kind {
		case tokenEOF:
			return nil
		case tokenStart:
			err = p.startTag(t, sample)
		case tokenEnd:
			err = p.endTag(t, sample)
		case tokenText:
			err = p.textBetween(t.bytes, sample)
		case tokenOther:
			if p.look != nil && string(t.bytes) == "]]>" {
				p.d.cdata = true
			}
			if t.damaged {
				p.astray(p.line)
			}
		case tokenCData:
			if p.wantsText() {
				p.text = append(p.text, p.inUTF8(t.bytes)...)
			}
		}
		if err != nil {
			return err
		}
		p.place(t.bytes)
	}
}

// place notes where on a line the parser comes to be behind b.
func (p *xmlParser) place(b []byte) {
	for i := bytes.IndexByte(b, '\n'); i >= 0; i = bytes.IndexByte(b, '\n') {
		p.line++
		p.indent = 0
		b = b[i+1:]
	}
	if p.indent < 0 {
		return
	}
	p.indent += len(b)
	for _, c := range b {
		if c != ' ' && c != '\t' {
			p.indent = -1
			return
		}
	}
}

// atTop tells whether the present place is where only tags of top-level samples are.
func (p *xmlParser) atTop() bool { return p.look == nil && p.indent >= 0 && p.indent == p.d.indent }

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

// textBetween takes text. Where only elements should be it is what damage has left
// of one.
func (p *xmlParser) textBetween(b []byte, sample func([]xmlNode) error) error {
	if p.wantsText() {
		p.text = appendUnescaped(p.text, p.inUTF8(b))
		return nil
	}
	if n := len(p.open); n > 0 && p.open[n-1] != tagResults && !p.open[n-1].isSample() {
		return nil
	}
	rest := trimLeftXML(b)
	if len(rest) == 0 || p.line == 1 && bytes.Equal(rest, bom) {
		return nil
	}
	if bytes.Contains(rest, []byte("ample ")) && bytes.Contains(rest, []byte(`="`)) { // a start tag without its <
		name := "<sample "
		if bytes.Contains(rest, []byte("ttpSample ")) {
			name = "<httpSample "
		}
		tag := append([]byte(name), trimRightXML(rest)...)
		if tag[len(tag)-1] != '>' {
			tag = append(tag, '>')
		}
		blanks := b[:len(b)-len(rest)]
		line := p.line
		p.place(blanks)
		err := p.startTag(xmlToken{kind: tokenStart, damaged: true, bytes: tag}, sample)
		p.line = line
		return err
	}
	inside := len(p.parents) > 0
	if inside && bytes.IndexByte(rest, '>') < 0 { // which text has escaped
		return nil
	}
	p.astray(p.line + int64(bytes.Count(b[:len(b)-len(rest)], []byte{'\n'})))
	rest = trimRightXML(rest)
	if inside && (bytes.HasSuffix(rest, []byte(`"/>`)) || bytes.HasSuffix(rest, []byte("ample>"))) {
		return p.close(len(p.open)-1, sample) // the end of a tag that is in two, or that lacks its <
	}
	return nil
}

// astray counts what is no sample nor anything of one.
func (p *xmlParser) astray(line int64) {
	switch {
	case len(p.parents) > 0:
		p.spoil("something else where an element should be")
	case !p.strayed:
		p.bad(line, "something else where a sample should be")
	}
	p.strayed = true
}

// spoil marks the innermost open sample as damaged.
func (p *xmlParser) spoil(why string) {
	if n := len(p.parents); n > 0 && p.nodes[p.parents[n-1]].damage == "" {
		p.nodes[p.parents[n-1]].damage = why
	}
}

const (
	damagedTag = "a damaged tag"
	withoutEnd = "sample without its end"
)

func (p *xmlParser) startTag(t xmlToken, sample func([]xmlNode) error) error {
	b := t.bytes
	if b[len(b)-1] == '>' {
		b = b[:len(b)-1]
	}
	b = trimRightXML(b)
	closed := b[len(b)-1] == '/'
	if closed {
		b = b[:len(b)-1]
	} else if n := len(b); n > 1 && (b[n-1] != '"' && b[n-2] == '"' || t.damaged && b[n-2] == '/') {
		closed = true // a single character behind the last value was the /, or one behind that the >
	}
	b = b[1:]
	n := 0
	for n < len(b) && !isXMLSpace(b[n]) {
		n++
	}
	name, attrs := b[:n], b[n:]
	tag := xmlTagOf(name)
	strange := tag == tagOther && (len(p.open) == 0 || p.open[len(p.open)-1] == tagResults || p.open[len(p.open)-1].isSample()) &&
		(t.damaged && bytes.Contains(attrs, []byte(`="`)) || looksLikeSample(attrs))
	switch {
	case tag == tagResults:
		if err := p.abandon(sample); err != nil { // a run that went on after a crash
			return err
		}
		p.version = resultsVersion(attrs)
	case tag.isSample(), strange:
		if len(p.parents) > 0 && p.look == nil {
			var err error
			if p.atTop() {
				err = p.abandon(sample)
			} else if p.d.indent < 0 && p.live > maxInside {
				err = p.scatter(sample)
			}
			if err != nil {
				return err
			}
		}
		if len(p.parents) == 0 && p.look == nil && p.d.indent >= 0 && p.indent > p.d.indent && !t.damaged {
			// Damage ate the beginning of the sample that this one is inside of.
			if err := p.startTag(xmlToken{kind: tokenStart, damaged: true, bytes: []byte("<sample>")}, sample); err != nil {
				return err
			}
			return p.startTag(t, sample)
		}
		if p.keepRaw && len(p.parents) == 0 {
			p.raw, p.rawAt = append(p.raw[:0], t.bytes...), 0
		}
		p.strayed = false
		p.startSample(tag, attrs, t.damaged || strange)
		node := &p.nodes[p.live-1]
		switch {
		case t.damaged:
			node.damage = damagedTag
		case strange:
			node.damage = fmt.Sprintf("<%.40s> where a sample should be", name)
		}
		if strange {
			tag = tagSample
		}
	case len(p.parents) == 0:
		if n := len(p.open); tag == tagOther && (n == 0 || p.open[n-1] == tagResults) {
			p.astray(p.line)
		}
	default:
		if t.damaged {
			p.spoil(damagedTag)
		}
		tag = p.startChild(tag, attrs)
	}
	p.ended = false
	p.open = append(p.open, tag)
	p.names = append(p.names, name...)
	p.nameEnd = append(p.nameEnd, len(p.names))
	p.from = len(p.text)
	if closed {
		return p.close(len(p.open)-1, sample)
	}
	return nil
}

// looksLikeSample tells whether an element of another name has what samples have.
func looksLikeSample(attrs []byte) bool {
	n := 0
	for key := range xmlAttributes(attrs) {
		switch string(key) {
		case "t", "ts", "lb", "tn", "rc", "rm":
			n++
		}
	}
	return n > 1
}

// resultsVersion is the version of the whole, also where that tag is damaged.
func resultsVersion(attrs []byte) string {
	for key, value := range xmlAttributes(attrs) {
		if string(key) == "version" {
			return string(value)
		}
	}
	if i := bytes.Index(attrs, []byte("1.")); i >= 0 && i+3 <= len(attrs) {
		return string(attrs[i : i+3])
	}
	return ""
}

// abandon gives up what is open: samples that lack their end.
func (p *xmlParser) abandon(sample func([]xmlNode) error) error {
	p.open, p.names, p.nameEnd = p.open[:0], p.names[:0], p.nameEnd[:0]
	for _, i := range p.parents {
		if p.nodes[i].damage == "" {
			p.nodes[i].damage = withoutEnd
		}
	}
	return p.deliver(sample)
}

// scatter gives up the top-level sample as one without its end, and hands over those
// inside it as if they had come behind it.
func (p *xmlParser) scatter(sample func([]xmlNode) error) error {
	nodes := p.nodes[:p.live]
	for _, i := range p.parents {
		nodes[i].damage = withoutEnd
	}
	for len(nodes) > 0 {
		n := 1
		for n < len(nodes) && nodes[0].row.Depth > 0 && nodes[n].row.Depth > 1 {
			n++
		}
		for i := range nodes[:n] {
			nodes[i].row.Depth = max(0, nodes[i].row.Depth-1)
		}
		if err := sample(nodes[:n]); err != nil {
			return err
		}
		nodes = nodes[n:]
	}
	p.open, p.names, p.nameEnd = p.open[:0], p.names[:0], p.nameEnd[:0]
	p.reset()
	return nil
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

// endTag closes the element of its name. One that is not the innermost is damaged inside, and one that is not open at all stands
// for the end of another.
func (p *xmlParser) endTag(t xmlToken, sample func([]xmlNode) error) error {
	name := t.bytes[2:]
	if !t.damaged {
		name = name[:len(name)-1]
	}
	name = trimRightXML(name)
	tag := xmlTagOf(name)
	last := len(p.open) - 1
	depth := last
	for depth >= 0 && !bytes.Equal(p.names[p.nameStart(depth):p.nameEnd[depth]], name) {
		depth--
	}
	if len(name) == 0 || bytes.Contains(name, []byte(`="`)) { // the / was another character
		p.astray(p.line)
		return nil
	}
	switch {
	case tag == tagResults: // which for all chunks but the first has no start
		p.ended = true
		return p.abandon(sample)
	case len(p.parents) == 0 && depth >= 0:
		return p.close(depth, sample)
	case len(p.parents) == 0:
		p.ended = false
		p.astray(p.line)
		return nil
	}
	top := len(p.open) - 1 // the top-level sample
	for i, parents := 0, len(p.parents); top >= 0; top-- {
		if p.open[top].isSample() {
			if i++; i == parents {
				break
			}
		}
	}
	sampleEnd := tag.isSample() || tag == tagOther && depth < 0
	switch {
	case sampleEnd && p.atTop(): // whatever was written there
		if depth != top || top != last {
			p.spoil(withoutEnd)
		}
		depth = top
	case depth == last && depth == top && tag.isSample() && p.look == nil && p.d.indent >= 0 && p.indent > p.d.indent:
		p.spoil("an end tag of a sample that does not begin")
		return nil
	case depth == last:
	case tag.isSample() && p.open[last].isSample() && xmlTagOf(p.names[p.nameStart(last):]) == tagOther,
		depth >= 0 && depth <= top && p.look == nil && p.indent >= 0 && p.d.indent >= 0:
		// The start of what ends here has another name, or that is open has no end.
		p.spoil(withoutEnd)
		depth = last
	case depth >= top:
	case !sampleEnd && p.open[last].isSample(): // of an element whose start tag is damaged
		p.spoil(damagedTag)
		return nil
	default:
		p.spoil(damagedTag)
		depth = last
	}
	return p.close(depth, sample)
}

// nameStart is where the name of an open element begins.
func (p *xmlParser) nameStart(depth int) int {
	if depth == 0 {
		return 0
	}
	return p.nameEnd[depth-1]
}

// close closes an element and those inside it that are not.
func (p *xmlParser) close(depth int, sample func([]xmlNode) error) error {
	// A sample that was opened inside and not closed is damaged, or the one that
	// another element is of.
	for i := len(p.open) - 1; i > depth; i-- {
		if !p.open[i].isSample() {
			p.spoil("an element without its end")
		} else {
			p.spoil(withoutEnd)
			p.nodes[p.parents[len(p.parents)-1]].rawEnd = p.rawAt
			p.parents = p.parents[:len(p.parents)-1]
		}
	}
	tag, from := p.open[depth], p.nameStart(depth)
	p.open, p.names, p.nameEnd = p.open[:depth], p.names[:from], p.nameEnd[:depth]
	p.ended = tag == tagResults
	if len(p.parents) == 0 {
		return p.deliver(sample)
	}
	return p.closed(tag, sample)
}

// closed takes an element that has its end; it stands in a sample or is one.
func (p *xmlParser) closed(tag xmlTag, sample func([]xmlNode) error) error {
	node := &p.nodes[p.parents[len(p.parents)-1]]
	text := p.text[p.from:len(p.text):len(p.text)]
	switch {
	case tag.isSample():
		node.rawEnd = len(p.raw)
		p.parents = p.parents[:len(p.parents)-1]
		if len(p.parents) == 0 {
			if p.look != nil {
				p.learn()
			}
			return p.deliver(sample)
		}
	case tag == tagURL:
		node.row.URL = text
		if p.look != nil {
			p.look([]byte("java.net.URL"), false)
		}
	case tag == tagResponseFile:
		if p.look != nil {
			p.look([]byte("responseFile"), false)
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
	case p.full && tag > tagResponseFile:
		node.children[tag] = text
	}
	p.from = len(p.text)
	return nil
}

// xmlLayout counts samples by how they stand in the file.
type xmlLayout struct {
	indent           int // of the top-level samples
	same, other      int // top-level samples with these blanks before them, or others
	aligned, askew   int // their end tags that begin lines: below the start, or not
	indented, asLeft int // those inside them that begin lines: further right, or as far left
}

// learn takes the top-level sample as an example of how the file is laid out.
func (p *xmlParser) learn() {
	l := &p.layout
	indent := p.nodes[0].indent
	if l.same == 0 {
		l.indent = indent
	}
	if l.indent == indent {
		l.same++
	} else {
		l.other++
	}
	if p.live > 1 || p.indent >= 0 {
		switch p.indent {
		case -1:
		case indent:
			l.aligned++
		default:
			l.askew++
		}
	}
	for i := range p.nodes[1:p.live] {
		switch p.nodes[1+i].indent {
		case -1:
		case indent:
			l.asLeft++
		default:
			l.indented++
		}
	}
}

// place is how many blanks a top-level sample, and none but such, has before it on
// its line; -1 is no such layout. A third may be otherwise, as damage makes it.
func (l *xmlLayout) place() int {
	if l.same == 0 || l.other > l.same/3 || l.askew > l.aligned/3 || l.asLeft > l.indented/3 {
		return -1
	}
	return l.indent
}

// rawSample is a top-level sample as it stands in the file, but for
// damaged samples inside it.
func (p *xmlParser) rawSample(nodes []xmlNode) []byte {
	from := nodes[0].raw
	var whole []byte
	for i := range nodes[1:] {
		if n := &nodes[1+i]; n.damage != "" && n.raw >= from {
			whole = append(whole, trimRightXML(p.raw[from:n.raw])...)
			from = n.rawEnd
		}
	}
	rest := p.raw[from:max(nodes[0].rawEnd, from)]
	if whole == nil {
		return rest
	}
	return append(whole, rest...)
}
