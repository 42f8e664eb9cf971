package jtl

import (
	"bytes"
	"net/url"
	"slices"
	"unicode/utf8"
)

// startSample begins a node with what the attributes of its tag say; of a damaged
// one they are not taken as an example of what samples have.
func (p *xmlParser) startSample(tag xmlTag, attrs []byte, damaged bool) {
	if p.live == len(p.nodes) {
		p.nodes = append(p.nodes, xmlNode{})
	}
	node := &p.nodes[p.live]
	extra := node.row.Extra[:0]
	node.tag, node.damage, node.asserts, node.blamed, node.decoded = tag, "", node.asserts[:0], false, false
	node.indent, node.raw, node.rawEnd = p.indent, p.rawAt, p.rawAt
	if p.full {
		node.clearChildren()
	}
	for range p.d.info.Extra {
		extra = append(extra, nil)
	}
	node.row = Row{
		Extra: extra, HTTP: tag == tagHTTPSample, Success: tag != tagOldSample, SampleCount: 1, ErrorCount: -1,
		Depth: len(p.parents), Line: p.line,
	}
	p.parents = append(p.parents, p.live)
	p.live++
	code, oldCode := []byte(nil), false
	seen, at := uint64(0), 0
	var timed, lasted, judged bool
	for key, value := range xmlAttributes(attrs) {
		if len(key) > 0 {
			bit := xmlKeyBit(key)
			again := seen&bit != 0 && stands(attrs, key, at)
			seen |= bit
			at++
			if p.look != nil && !damaged {
				p.look(key, again)
			}
			if again {
				p.second(node, key, value)
				continue
			}
		}
		r := &node.row
		var number *int64
		switch string(key) {
		case "":
			node.damage = damagedTag
		case "t", "time":
			lasted = len(value) > 0
			number = &r.Elapsed
		case "it":
			number = &r.IdleTime
		case "lt":
			number = &r.Latency
		case "ct":
			number = &r.Connect
		case "by":
			number = &r.Bytes
		case "sby":
			number = &r.SentBytes
		case "sc":
			number = &r.SampleCount
		case "ec":
			number = &r.ErrorCount
		case "ng":
			number = &r.GroupThreads
		case "na":
			number = &r.AllThreads
		case "ts", "timeStamp":
			timed = len(value) > 0
			ms, ok := p.timeStamp(value)
			if !ok {
				node.damage = string(key) + ": " + string(value) + " is no time"
			}
			r.TimeStamp = ms
		case "s", "success":
			judged = true
			r.Success = isTrue(string(value))
		case "lb", "label":
			r.Label = p.attribute(value)
		case "rs":
			code, oldCode = p.attribute(value), true
		case "rc", "responseCode":
			if !oldCode {
				code = p.attribute(value)
			}
		case "rm", "responseMessage":
			r.Message = p.attribute(value)
		case "tn", "threadName":
			r.Thread = p.attribute(value)
		case "dt", "dataType":
			r.DataType = p.attribute(value)
		case "de":
			r.Encoding = p.attribute(value)
		case "hn":
			r.Hostname = p.unescaped(value)
		default:
			known := false
			for i := range p.d.info.Extra {
				if p.d.info.Extra[i].Name == string(key) {
					r.Extra[i], known = p.unescaped(value), true
				}
			}
			if !known && p.look == nil && !isXMLName(key) {
				node.damage = damagedTag
			}
		}
		if number == nil || len(value) == 0 {
			continue // JMeter, too, takes empty for 0
		}
		n, ok := parseNumber(value)
		if !ok {
			node.damage = string(key) + ": " + string(value) + " is not a number"
		}
		*number = n
	}
	r := &node.row
	r.Code = code
	r.derive(p.cfg)
	if node.damage == "" && p.look == nil {
		node.damage = p.d.info.lacks(timed, lasted, judged || tag == tagOldSample)
	}
}

// lacks is what is wrong with a sample that does not tell when it was, how long it
// took or whether it succeeded, where others of the file do. JMeter takes it for one
// of 1970, of 0 ms, and that succeeded.
func (i *Info) lacks(timed, lasted, judged bool) string {
	for _, f := range []struct {
		column Column
		told   bool
	}{{ColTimeStamp, timed}, {ColElapsed, lasted}, {ColSuccess, judged}} {
		if !f.told && i.has[f.column] {
			return "a sample without " + f.column.String()
		}
	}
	return ""
}

// derive fills what follows from other fields, where the file has no ErrorCount or
// none that means anything.
func (r *Row) derive(cfg *Config) {
	if r.ErrorCount < 0 || r.SampleCount <= 1 {
		r.ErrorCount = 0
		if !r.Success {
			r.ErrorCount = 1
		}
	}
	if cfg.StampStart {
		r.Start, r.End = r.TimeStamp, r.TimeStamp+r.Elapsed
	} else {
		r.Start, r.End = r.TimeStamp-r.Elapsed, r.TimeStamp
	}
}

// xmlKeyBit stands for the name of an attribute; those that JMeter writes differ.
func xmlKeyBit(key []byte) uint64 {
	return 1 << ((uint(key[0])*3 + uint(key[len(key)-1])*7) % 64)
}

// stands tells whether an attribute is among the first n of a tag.
func stands(attrs, key []byte, n int) bool {
	for k := range xmlAttributes(attrs) {
		if n == 0 {
			break
		}
		n--
		if bytes.Equal(k, key) {
			return true
		}
	}
	return false
}

// second takes an attribute that a tag has already: it is that of a variable of the
// same name, which JMeter writes behind its own, or damage has made one of two tags.
func (p *xmlParser) second(node *xmlNode, key, value []byte) {
	i := slices.IndexFunc(p.d.info.Extra, func(e Extra) bool { return e.Name == string(key) })
	switch {
	case i >= 0:
		node.row.Extra[i] = p.unescaped(value)
	case p.look == nil:
		node.damage = damagedTag
	}
}

// timeStamp reads milliseconds or, as JMeter 1 wrote them, a date.
func (p *xmlParser) timeStamp(b []byte) (ms int64, ok bool) {
	if n, ok := parseNumber(b); ok || len(b) == 0 {
		return n, true
	}
	ms, p.date, ok = stampOf(b, p.date, p.cfg)
	return ms, ok
}

// stampOf reads a date in the form of the one before it, or finds out its form.
func stampOf(b []byte, form *DateFormat, cfg *Config) (int64, *DateFormat, bool) {
	if form == nil {
		if _, form = timeFormatOf(b, cfg); form == nil {
			return 0, nil, false
		}
	}
	ms, err := form.Parse(b, false)
	return ms, form, err == nil
}

// attribute is the value of one of the attributes that version 1.0 encoded as in a URL.
func (p *xmlParser) attribute(value []byte) []byte {
	if p.version != "" && p.version != "1.0" || p.nodes[p.live-1].tag == tagOldSample {
		return p.unescaped(value)
	}
	if bytes.IndexByte(value, '%') < 0 && bytes.IndexByte(value, '+') < 0 {
		return p.unescaped(value)
	}
	text := p.unescaped(value)
	if decoded, err := url.QueryUnescape(string(text)); err == nil {
		return []byte(decoded)
	}
	return text
}

// unescaped is the value in memory that lives as long as the top-level sample.
func (p *xmlParser) unescaped(value []byte) []byte {
	from := len(p.text)
	p.text = appendUnescaped(p.text, p.inUTF8(value))
	return p.text[from:len(p.text):len(p.text)]
}

// inUTF8 makes text of the present sample UTF-8 if it is not.
func (p *xmlParser) inUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	p.nodes[p.parents[len(p.parents)-1]].decoded = true
	p.decoded = appendDecoded1252(p.decoded[:0], b)
	return p.decoded
}
