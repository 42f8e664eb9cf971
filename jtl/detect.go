package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// headSize is how much of a file is looked at to tell what it is.
const headSize = 256 << 10

var bom = []byte("\xef\xbb\xbf")

// fallbackDates are the patterns that JMeter's listeners try in turn on a time
// stamp that is not a number.
var fallbackDates = []string{
	"yyyy/MM/dd HH:mm:ss.SSS", "yyyy/MM/dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm:ss", "MM/dd/yy HH:mm:ss",
}

// Detect tells from the beginning of an uncompressed result file what it is; the
// more of it head holds the better, up to some hundred KB. An empty file is a CSV
// without columns. Beyond JMeter, it skips a byte order mark, takes columns in
// any order and of any name, and knows the layouts of old versions when there is
// no header. cfg, which may be nil, is as in ReadOptions.
func Detect(head []byte, cfg *Config) (Info, error) {
	if cfg == nil {
		cfg = DefaultConfig()
	}
	d, err := detect(head, cfg)
	return d.info, err
}

// detection is Info with what reading needs besides.
type detection struct {
	info  Info
	start int         // where the first sample begins
	eol   byte        // the last byte of a line's end
	mixed bool        // a CR alone, too, ends lines
	head  int         // length of the header line with its end
	date  *DateFormat // nil for numbers
	exact bool        // date is a guess, taken strictly
	// The layout of XML is JMeter's: top-level samples, and none inside them, begin
	// lines. More loosely, they have so many blanks before them on their line, -1 is
	// another layout.
	lines  bool
	indent int
	cdata  bool // XML has CDATA sections, in which lines may look like samples
}

func detect(head []byte, cfg *Config) (detection, error) {
	d := detection{eol: '\n'}
	if bytes.HasPrefix(head, bom) {
		d.start = len(bom)
	}
	body := head[d.start:]
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] == '<' {
		d.info.Format = XML
		return d, d.xml(text, cfg)
	} else if len(text) > 0 && text[0] == '{' {
		d.info.Format = JSON
		return d, d.json(body, cfg)
	}
	if i := bytes.IndexByte(body, '\r'); i >= 0 && bytes.IndexByte(body, '\n') < 0 && i+1 < len(body) {
		d.eol = '\r'
	}
	d.mixed = d.eol == '\n' && mixesLineEnds(body)
	d.info.Delimiter = cfg.Delimiter
	d.info.TimeFormat = "none"
	for len(body) > 0 && (body[0] == '\n' || body[0] == '\r') { // blank lines
		body = body[1:]
		d.start++
	}
	if len(body) == 0 {
		return d, nil
	}
	end, next := d.ends().next(body, 0)
	first := body[:end]
	switch {
	case d.header(first, cfg):
		d.info.Header, d.head = true, next
	case !d.headerless(body, cfg):
		return d, fmt.Errorf("not a result file: line 1 is no header and fits no known layout: %.80q", first)
	}
	for _, c := range d.info.Columns {
		if c < numColumns {
			d.info.has[c] = true
		}
	}
	d.timeFormat(body, cfg)
	d.info.date = d.date
	return d, nil
}

func (d *detection) ends() lineEnds { return lineEnds{d.eol, d.mixed} }

// cutLine returns the first line of b without its end, and the length with it.
func cutLine(b []byte, eol byte) ([]byte, int) {
	i := bytes.IndexByte(b, eol)
	if i < 0 {
		return b, len(b)
	}
	return bytes.TrimSuffix(b[:i], []byte("\r")), i + 1
}

// header takes line as a header if it is one, finding out its delimiter.
func (d *detection) header(line []byte, cfg *Config) bool {
	tried := []byte{cfg.Delimiter}
	if d.headerWith(line, cfg.Delimiter) {
		return true
	}
	for _, c := range line {
		if isWord(c) || c == '"' || c == ' ' || c == '.' || c == '-' || bytes.IndexByte(tried, c) >= 0 {
			continue
		}
		tried = append(tried, c)
		if d.headerWith(line, c) {
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// headerWith tries one delimiter. A header is a line of names of which two are
// JMeter's, or all.
func (d *detection) headerWith(line []byte, delim byte) bool {
	fields, _, _, err := scanRow(line, delim, d.ends(), nil)
	if err != nil {
		return false
	}
	var (
		cols         []Column
		extra        []Extra
		seen         [numColumns]bool
		known, names int
		quotedAll    = !slices.ContainsFunc(fields, func(f span) bool { return !f.quoted })
	)
	for _, f := range fields {
		name := decodeName(f.text(line))
		if name == "" {
			// Nameless columns hold nothing that could be asked for.
			cols = append(cols, colExtra)
			extra = append(extra, Extra{})
			continue
		}
		names++
		if c, ok := columnByName(strings.TrimSpace(name)); ok && (!f.quoted || quotedAll) {
			if seen[c] {
				return false
			}
			seen[c] = true
			known++
			cols = append(cols, c)
			continue
		}
		cols = append(cols, colExtra)
		extra = append(extra, Extra{Name: name, Variable: f.quoted && !quotedAll})
	}
	if known < 2 && (known == 0 || known != names) {
		return false
	}
	d.info.Delimiter, d.info.Columns, d.info.Extra = delim, cols, extra
	return true
}

// headerless finds the layout that fits one of the first lines.
func (d *detection) headerless(body []byte, cfg *Config) bool {
	own := cfg.columns()
	if len(cfg.Variables) > 0 {
		own = append(own, slices.Repeat([]Column{colExtra}, len(cfg.Variables))...)
	}
	for n := 0; n < 10 && len(body) > 0; n++ {
		_, size := d.ends().next(body, 0)
		for _, delim := range []byte{cfg.Delimiter, ',', ';', '\t', '|'} {
			fields, _, _, err := scanRow(body, delim, d.ends(), nil)
			if err != nil || len(fields) < 3 {
				continue
			}
			for _, layout := range [][]Column{own, defaultLayouts[len(fields)]} {
				if layout != nil && plausible(body, fields, layout, cfg) {
					d.info.Delimiter, d.info.Columns = delim, layout
					for i := len(layout) - len(cfg.Variables); i < len(layout) && layout[i] == colExtra; i++ {
						d.info.Extra = append(d.info.Extra,
							Extra{Name: cfg.Variables[i-len(layout)+len(cfg.Variables)], Variable: true})
					}
					return true
				}
			}
		}
		body = body[size:]
	}
	return false
}

// plausible tells whether the fields have the types that the layout asks for.
func plausible(line []byte, fields []span, layout []Column, cfg *Config) bool {
	if len(fields) != len(layout) {
		return false
	}
	for i, c := range layout {
		text := fields[i].text(line)
		switch c {
		case ColTimeStamp:
			if f, _ := timeFormatOf(text, cfg); f == "" {
				return false
			}
		case ColElapsed, ColBytes, ColSentBytes, ColGroupThreads, ColAllThreads, ColLatency, ColSampleCount, ColErrorCount,
			ColIdleTime, ColConnect:
			if _, ok := parseNumber(text); !ok {
				return false
			}
		case ColSuccess:
			text = trimBlanks(text)
			if !bytes.EqualFold(text, []byte("true")) && !bytes.EqualFold(text, []byte("false")) {
				return false
			}
		}
	}
	return true
}

// timeFormat fixes the form of the time stamps by the first row that has one.
func (d *detection) timeFormat(body []byte, cfg *Config) {
	at := slices.Index(d.info.Columns, ColTimeStamp)
	if at < 0 {
		return
	}
	d.info.TimeFormat, d.date = "ms", cfg.DateFormat
	if d.date != nil {
		d.info.TimeFormat = d.date.String()
	}
	for n := 0; n < 20 && len(body) > 0; n++ {
		fields, _, next, err := scanRow(body, d.info.Delimiter, d.ends(), nil)
		if err == nil && at < len(fields) {
			if name, f := timeFormatOf(fields[at].text(body), cfg); name != "" {
				d.info.TimeFormat, d.date, d.exact = name, f, f != cfg.DateFormat
				return
			}
		}
		body = body[next:]
	}
}

// timeFormatOf names the form of a time stamp: the configured one, else a number,
// else one of JMeter's fallbacks; "" is none of them.
func timeFormatOf(text []byte, cfg *Config) (string, *DateFormat) {
	own := cfg.DateFormat
	if own != nil {
		if _, err := own.Parse(text, false); err == nil {
			return own.String(), own
		}
	}
	if _, ok := parseNumber(text); ok {
		return "ms", nil
	}
	if own != nil { // as lenient as JMeter's dashboard, once it is no number
		if _, err := own.Parse(text, true); err == nil {
			return own.String(), own
		}
	}
	for _, p := range fallbackDates {
		f, err := NewDateFormat(p, cfg.location())
		if err != nil {
			continue
		}
		if _, err := f.Parse(text, false); err == nil {
			return p, f
		}
	}
	return "", nil
}

// xml looks at the start tag of the whole and at the first samples.
func (d *detection) xml(head []byte, cfg *Config) error {
	if !bytes.Contains(head, []byte("<testResults")) {
		return errors.New("not a result file: XML without testResults")
	}
	d.info.TimeFormat = "ms"
	d.info.has[ColFailureMessage] = true // told even by its absence
	seen := map[string]int{}
	var extra []Extra
	d.indent = -1
	p := newXMLParser(d, ReadOptions{Config: cfg})
	p.look = func(key []byte, again bool) {
		c, ok := xmlColumns[string(key)]
		if ok && !again {
			d.info.has[c] = true
			return
		}
		// A name that is none in XML, or that a tag has already, is that of a variable if
		// more than one sample has it.
		n := seen[string(key)]
		seen[string(key)] = n + 1
		if once := !ok && isXMLName(key); once == (n == 0) && n < 2 && !(again && !ok) {
			extra = append(extra, Extra{Name: string(key), Variable: true})
		}
	}
	p.tokens = xmlTokens{buf: head, err: io.EOF, indent: -1}
	err := p.parse(func([]xmlNode) error { return nil })
	d.info.Version, d.info.Extra = p.version, extra
	if d.indent = p.layout.place(); p.layout.same == 0 && cutXML(head) > 0 {
		d.indent = 0 // nothing whole shows the layout, which then is JMeter's
	}
	d.lines = !d.cdata && d.indent == 0 && cutXML(head) > 0
	return err
}

// xmlColumns ties what XML calls a field to its column.
var xmlColumns = map[string]Column{
	"t": ColElapsed, "time": ColElapsed, "it": ColIdleTime, "lt": ColLatency, "ct": ColConnect,
	"ts": ColTimeStamp, "timeStamp": ColTimeStamp, "s": ColSuccess, "success": ColSuccess, "lb": ColLabel, "label": ColLabel,
	"rc": ColCode, "rs": ColCode, "responseCode": ColCode, "rm": ColMessage, "responseMessage": ColMessage,
	"tn": ColThreadName, "threadName": ColThreadName, "dt": ColDataType, "dataType": ColDataType, "de": ColEncoding,
	"by": ColBytes, "sby": ColSentBytes, "sc": ColSampleCount, "ec": ColErrorCount, "ng": ColGroupThreads, "na": ColAllThreads,
	"hn": ColHostname, "java.net.URL": ColURL, "url": ColURL, "responseFile": ColFileName,
}
