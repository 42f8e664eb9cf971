package java

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Default gives a field the value it has when the text did not give it, as the parseDefaulting of
// java.time does: the default counts as parsed, so it can contradict what the text says otherwise.
type Default struct {
	Field Field
	Value int64
}

// Parse reads a text by the pattern, strictly, and combines the fields as java.time's smart
// resolver does: 31 April becomes 30 April, 24:00 the next day, a contradiction is an error. Errors
// are worded as java.time.format.DateTimeParseException words them, indexes counting UTF-16 units.
func (p *Pattern) Parse(text string, loc Locale, defaults ...Default) (*Parsed, error) {
	r := &reader{text: text, loc: loc}
	r.fields.loc = loc
	end := r.nodes(p.nodes, 0)
	if end < 0 {
		return nil, fmt.Errorf("Text '%s' could not be parsed at index %d", abbreviated(text), utf16Len(text[:^end]))
	}
	if end < len(text) {
		return nil, fmt.Errorf("Text '%s' could not be parsed, unparsed text found at index %d", abbreviated(text), utf16Len(text[:end]))
	}
	for _, d := range defaults {
		if !r.fields.isSet(d.Field) {
			r.fields.set(d.Field, d.Value)
		}
	}
	if r.failure == nil {
		r.failure = r.fields.resolve()
	}
	if r.failure != nil {
		return nil, fmt.Errorf("Text '%s' could not be parsed: %w", abbreviated(text), r.failure)
	}
	return &r.fields, nil
}

func abbreviated(s string) string {
	if utf16Len(s) > 64 {
		return utf16Slice(s, 0, 64) + "..."
	}
	return s
}

// reader parses one text. Positions are byte offsets; a failure is the complement (^) of where it
// happened, as in Java.
type reader struct {
	text    string
	loc     Locale
	fields  Parsed
	failure error // out of range, found while reading
}

func (r *reader) set(f Field, v int64, start, end int) int {
	if r.fields.isSet(f) && r.fields.val[f] != v {
		return ^start
	}
	r.fields.set(f, v)
	return end
}

func (r *reader) nodes(nodes []node, pos int) int {
	for i := range nodes {
		n := &nodes[i]
		if n.kind == kindOptional {
			before := r.fields
			if end := r.nodes(n.nodes, pos); end >= 0 {
				pos = end
			} else {
				r.fields = before
			}
			continue
		}
		if pos = r.node(n, pos); pos < 0 {
			return pos
		}
	}
	return pos
}

func (r *reader) node(n *node, pos int) int {
	switch n.kind {
	case kindLiteral:
		if !strings.HasPrefix(r.text[pos:], n.text) {
			return ^pos
		}
		return pos + len(n.text)
	case kindNumber, kindReduced:
		return r.number(n, pos)
	case kindFraction:
		return r.fraction(n, pos)
	case kindText:
		return r.words(n, pos)
	case kindOffset:
		return r.offset(n, pos)
	case kindOffsetGMT:
		return r.offsetGMT(n, pos)
	case kindZoneID:
		return r.zoneID(pos, false)
	case kindZoneText, kindZoneGeneric:
		return r.zoneID(pos, true)
	case kindPad:
		return r.pad(n, pos)
	}
	r.failure = fmt.Errorf("a day period (B) cannot be parsed")
	return ^pos
}

func (r *reader) pad(n *node, pos int) int {
	if pos == len(r.text) || pos+n.min > len(r.text) {
		return ^pos
	}
	end, start := pos+n.min, pos
	for pos < end && r.text[pos] == ' ' {
		pos++
	}
	whole := r.text
	r.text = whole[:end]
	got := r.node(&n.nodes[0], pos)
	r.text = whole
	if got != end {
		return ^start
	}
	return got
}

func (r *reader) number(n *node, pos int) int {
	start := pos
	if pos == len(r.text) {
		return ^pos
	}
	neg, plus := false, false
	switch r.text[pos] {
	case '+':
		if n.sign != signExceedsPad {
			return ^pos
		}
		plus = true
		pos++
	case '-':
		if n.sign == signNotNegative {
			return ^pos
		}
		neg = true
		pos++
	}
	if pos+n.min > len(r.text) {
		return ^pos
	}
	most := n.max + max(n.subsequent, 0)
	end := pos
	for end < len(r.text) && end < pos+most && isDigit(r.text[end]) {
		end++
	}
	if end < pos+n.min {
		return ^pos
	}
	if n.subsequent > 0 {
		end = min(end, pos+max(n.min, end-pos-n.subsequent))
	}
	var v int64
	for _, c := range []byte(r.text[pos:end]) {
		if v > (1<<63-1-9)/10 { // more than a long holds: Java drops the last digit, and then fails
			return ^pos
		}
		v = v*10 + int64(c-'0')
	}
	switch {
	case neg:
		if v == 0 {
			return ^start
		}
		v = -v
	case n.sign == signExceedsPad:
		if plus && end-pos <= n.min {
			return ^start
		}
		if !plus && end-pos > n.min {
			return ^pos
		}
	}
	if n.kind == kindReduced && end-pos == 2 && v >= 0 {
		v += 2000
	}
	return r.set(n.field, v, start, end)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (r *reader) fraction(n *node, pos int) int {
	end := pos
	for end < len(r.text) && end < pos+n.max && isDigit(r.text[end]) {
		end++
	}
	if end-pos < n.min {
		return ^pos
	}
	v := int64(0)
	for i := range 9 {
		v *= 10
		if pos+i < end {
			v += int64(r.text[pos+i] - '0')
		}
	}
	return r.set(n.field, v, pos, end)
}

// words reads a field in words: the longest that fits, and of two values with the same word (J for
// January and June) the later.
func (r *reader) words(n *node, pos int) int {
	list, base := r.loc.names().list(n.field, n.style)
	best := -1
	for i, w := range list {
		if strings.HasPrefix(r.text[pos:], w) && (best < 0 || len(w) >= len(list[best])) {
			best = i
		}
	}
	if best < 0 {
		return ^pos
	}
	return r.set(n.field, base+int64(best), pos, pos+len(list[best]))
}

func (r *reader) offset(n *node, pos int) int {
	if pos == len(r.text) {
		return ^pos
	}
	if strings.HasPrefix(r.text[pos:], n.text) {
		return r.set(OffsetSeconds, 0, pos, pos+len(n.text))
	}
	sec, end, ok := r.readOffset(pos, n.offset)
	if !ok {
		return ^pos
	}
	return r.set(OffsetSeconds, int64(sec), pos, end)
}

// readOffset reads a sign and the parts that the form has.
func (r *reader) readOffset(pos int, form offsetForm) (seconds, end int, ok bool) {
	if pos >= len(r.text) || r.text[pos] != '+' && r.text[pos] != '-' {
		return 0, 0, false
	}
	neg := r.text[pos] == '-'
	h, pos, ok := r.two(pos+1, false)
	if !ok {
		return 0, 0, false
	}
	m, next, ok := r.two(pos, form.colon())
	if !ok {
		if form.needMinute() {
			return 0, 0, false
		}
		m, next = 0, pos
	}
	pos = next
	s := 0
	if form.seconds() {
		if v, next, ok := r.two(pos, form.colon()); ok {
			s, pos = v, next
		}
	}
	if h > 23 {
		r.failure = fmt.Errorf("Value out of range: Hour[0-23], Minute[0-59], Second[0-59]")
	} else if h*3600+m*60+s > 18*3600 && r.failure == nil {
		r.failure = fmt.Errorf("Zone offset not in valid range: -18:00 to +18:00")
	}
	total := h*3600 + m*60 + s
	if neg {
		total = -total
	}
	return total, pos, true
}

// two reads two digits up to 59, after a colon when one is wanted.
func (r *reader) two(pos int, colon bool) (v, end int, ok bool) {
	if colon {
		if pos >= len(r.text) || r.text[pos] != ':' {
			return 0, pos, false
		}
		pos++
	}
	if pos+2 > len(r.text) || !isDigit(r.text[pos]) || !isDigit(r.text[pos+1]) {
		return 0, pos, false
	}
	v = int(r.text[pos]-'0')*10 + int(r.text[pos+1]-'0')
	return v, pos + 2, v <= 59
}

func (r *reader) offsetGMT(n *node, pos int) int {
	zero := r.loc.gmt()
	if !strings.HasPrefix(r.text[pos:], zero) {
		return ^pos
	}
	at := pos + len(zero)
	if at == len(r.text) || r.text[at] != '+' && r.text[at] != '-' {
		return r.set(OffsetSeconds, 0, pos, at)
	}
	if n.style == styleFull {
		sec, end, ok := r.readOffset(at, offsetHHxMMxss)
		if !ok {
			return ^pos
		}
		return r.set(OffsetSeconds, int64(sec), pos, end)
	}
	neg := r.text[at] == '-'
	at++
	h := 0
	digits := 0
	for digits < 2 && at < len(r.text) && isDigit(r.text[at]) {
		h = h*10 + int(r.text[at]-'0')
		at++
		digits++
	}
	if digits == 0 {
		return ^pos
	}
	sec := h * 3600
	if m, end, ok := r.two(at, true); ok {
		sec += m * 60
		at = end
		if s, end, ok := r.two(at, true); ok {
			sec += s
			at = end
		}
	}
	if neg {
		sec = -sec
	}
	return r.set(OffsetSeconds, int64(sec), pos, at)
}

// zoneID reads a zone by its id, or also by one of its names.
func (r *reader) zoneID(pos int, names bool) int {
	if pos == len(r.text) {
		return ^pos
	}
	if c := r.text[pos]; c == '+' || c == '-' {
		sec, end, ok := r.readOffset(pos, offsetHHxMMxss)
		if !ok {
			return ^pos
		}
		return r.setZone(OffsetZone(sec), offsetID(sec), end)
	}
	end := pos
	for end < len(r.text) {
		c, n := utf8.DecodeRuneInString(r.text[end:])
		if !(c < utf8.RuneSelf && isLetter(byte(c)) || c < utf8.RuneSelf && isDigit(byte(c)) ||
			strings.ContainsRune("/_+-~", c) || names && strings.ContainsRune(" .&'’()", c) || names && c >= utf8.RuneSelf) {
			break
		}
		end += n
	}
	table := zoneNamesTable()
	for ; end > pos; end-- {
		word := r.text[pos:end]
		if base, ok := strings.CutSuffix(word, "+00:00"); ok && base == "GMT" {
			word = base
		}
		id := word
		if names {
			if byName, ok := table.byName[word]; ok {
				id = byName
			}
		}
		if _, ok := table.byID[id]; !ok && id != "UTC" && id != "GMT" && id != "UT" && id != "Z" {
			continue
		}
		loc, ok := loadZone(id)
		if !ok {
			continue
		}
		if at := end; id == "UTC" || id == "GMT" || id == "UT" {
			if sec, after, ok := r.readOffset(at, offsetHHxMMxss); ok {
				return r.setZone(time.FixedZone(id+offsetID(sec), sec), id+offsetID(sec), after)
			}
		}
		return r.setZone(loc, id, end)
	}
	return ^pos
}

func (r *reader) setZone(loc *time.Location, id string, end int) int {
	r.fields.zone, r.fields.zoneID = loc, id
	return end
}
