package java

import (
	"fmt"
	"strings"
	"time"
)

// Pattern is a compiled java.time.format.DateTimeFormatter pattern. It is immutable and safe for
// concurrent use. Letters of SimpleDateFormat differ; see SimplePattern.
type Pattern struct {
	text  string
	nodes []node
}

// Append writes t, seen in its own location, in the language of loc. All fields of a pattern exist
// in a time.Time, so it cannot fail; a value wider than the pattern allows is left out.
func (p *Pattern) Append(dst []byte, t time.Time, loc Locale) []byte {
	f := fieldsOf(t, loc)
	out, err := appendNodes(dst, p.nodes, &f, loc)
	if err != nil {
		return dst
	}
	return out
}

// AppendParsed writes what was parsed with another pattern. A field that was not parsed is an error
// ("Unsupported field: HourOfDay"), except inside an optional section, which is then left out.
func (p *Pattern) AppendParsed(dst []byte, f *Parsed, loc Locale) ([]byte, error) {
	return appendNodes(dst, p.nodes, f, loc)
}

func (p *Pattern) String() string { return p.text }

// kind is what one node of a pattern writes and reads.
type kind uint8

const (
	kindLiteral kind = iota
	kindNumber
	kindReduced  // two digits of a year
	kindFraction // digits of a second after the point
	kindText
	kindPeriod      // "in the morning"
	kindZoneID      // Europe/Paris
	kindZoneText    // CET, or the long name
	kindZoneGeneric // CET whether summer or not
	kindOffset      // +01:00
	kindOffsetGMT   // GMT+1
	kindOptional    // [ ... ]
	kindPad         // p
)

// signStyle is java.time.format.SignStyle, as far as patterns use it.
type signStyle uint8

const (
	signNormal signStyle = iota
	signExceedsPad
	signNotNegative
)

type node struct {
	kind     kind
	field    Field
	min, max int // digits of a number; width of a pad
	sign     signStyle
	// subsequent is the number of digits that the numbers right behind this one take from the same
	// run of digits; -1 makes this number fixed in width. It is what parses "yyyyMMdd".
	subsequent int
	style      textStyle
	text       string // literal, or what an offset of zero is written as
	offset     offsetForm
	nodes      []node // optional section, padded node
}

// isNumber says that the node takes part in the parsing of adjacent numbers.
func (n *node) isNumber() bool {
	return n.kind == kindNumber || n.kind == kindReduced || n.kind == kindFraction
}

// offsetForm says which parts of an offset are written, and how.
type offsetForm uint8

const (
	offsetHHmm   offsetForm = iota // minutes only when not zero
	offsetHHMM                     // always
	offsetHHxMM                    // with a colon
	offsetHHMMss                   // seconds only when not zero
	offsetHHxMMxss
)

func (o offsetForm) colon() bool      { return o == offsetHHxMM || o == offsetHHxMMxss }
func (o offsetForm) seconds() bool    { return o == offsetHHMMss || o == offsetHHxMMxss }
func (o offsetForm) needMinute() bool { return o != offsetHHmm }

var letterField = map[byte]Field{
	'G': Era, 'y': YearOfEra, 'u': Year, 'Q': QuarterOfYear, 'q': QuarterOfYear, 'M': MonthOfYear,
	'L': MonthOfYear, 'D': DayOfYear, 'd': DayOfMonth, 'F': AlignedDayOfWeekInMonth, 'E': DayOfWeek,
	'c': DayOfWeek, 'e': DayOfWeek, 'a': AmPmOfDay, 'H': HourOfDay, 'k': ClockHourOfDay,
	'K': HourOfAmPm, 'h': ClockHourOfAmPm, 'm': MinuteOfHour, 's': SecondOfMinute,
	'S': NanoOfSecond, 'A': MilliOfDay, 'n': NanoOfSecond, 'N': NanoOfDay, 'g': ModifiedJulianDay,
}

// ParsePattern compiles a pattern by the table of java.time.format.DateTimeFormatter. Errors carry
// Java's own wording ("Unknown pattern letter: b").
func ParsePattern(s string) (*Pattern, error) {
	b := &patternBuilder{pattern: s, open: []section{{active: -1}}}
	if err := b.parse(); err != nil {
		return nil, err
	}
	for len(b.open) > 1 {
		b.endOptional()
	}
	return &Pattern{s, b.open[0].nodes}, nil
}

// section is an open [ of the pattern, or the pattern itself.
type section struct {
	nodes  []node
	active int // the number that adjacent numbers are added to, or -1
}

type patternBuilder struct {
	pattern string
	open    []section
	pad     int
}

func (b *patternBuilder) top() *section { return &b.open[len(b.open)-1] }

// add appends a node and ends a run of adjacent numbers.
func (b *patternBuilder) add(n node) int {
	s := b.top()
	if b.pad > 0 {
		n = node{kind: kindPad, min: b.pad, nodes: []node{n}}
		b.pad = 0
	}
	s.active = -1
	s.nodes = append(s.nodes, n)
	return len(s.nodes) - 1
}

// addNumber appends a number, which shares its digits with a number right before it.
func (b *patternBuilder) addNumber(n node) error {
	s := b.top()
	first := s.active
	if first < 0 {
		at := b.add(n)
		b.top().active = at
		return nil
	}
	base := &s.nodes[first]
	if !base.isNumber() {
		return fmt.Errorf("padded field before an adjacent number: %s", b.pattern)
	}
	if n.min == n.max && n.sign == signNotNegative {
		width := n.max
		base.subsequent += width
		n.subsequent = -1
		b.add(n)
		b.top().active = first
		return nil
	}
	base.subsequent = -1
	at := b.add(n)
	b.top().active = at
	return nil
}

func (b *patternBuilder) endOptional() {
	s := b.top()
	b.open = b.open[:len(b.open)-1]
	if len(s.nodes) > 0 {
		b.add(node{kind: kindOptional, nodes: s.nodes})
	} else {
		b.top().active = -1
	}
}

func (b *patternBuilder) parse() error {
	s := b.pattern
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isLetter(c):
			n := run(s, i)
			i += n
			if c == 'p' {
				if i < len(s) && isLetter(s[i]) {
					b.pad = n
					c = s[i]
					n = run(s, i)
					i += n
				}
				if b.pad == 0 {
					return fmt.Errorf("Pad letter 'p' must be followed by valid pad pattern: %s", s)
				}
			}
			if err := b.letter(c, n); err != nil {
				return err
			}
		case c == '\'':
			text, end, ok := quoted(s, i)
			if !ok {
				return fmt.Errorf("Pattern ends with an incomplete string literal: %s", s)
			}
			b.add(node{kind: kindLiteral, text: text})
			i = end
		case c == '[':
			b.top().active = -1
			b.open = append(b.open, section{active: -1})
			i++
		case c == ']':
			if len(b.open) == 1 {
				return fmt.Errorf("Pattern invalid as it contains ] without previous [")
			}
			b.endOptional()
			i++
		case c == '{' || c == '}' || c == '#':
			return fmt.Errorf("Pattern includes reserved character: '%c'", c)
		default:
			n := 1
			for i+n < len(s) && s[i+n]&0xC0 == 0x80 { // the rest of one UTF-8 character
				n++
			}
			b.add(node{kind: kindLiteral, text: s[i : i+n]})
			i += n
		}
	}
	return nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// run counts how often the byte at i is repeated.
func run(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

// quoted reads a literal in quotes that begins at i: its text and where the pattern goes on.
func quoted(s string, i int) (text string, end int, ok bool) {
	j := i + 1
	for ; j < len(s); j++ {
		if s[j] == '\'' {
			if j+1 < len(s) && s[j+1] == '\'' {
				j++
				continue
			}
			break
		}
	}
	if j >= len(s) {
		return "", 0, false
	}
	if j == i+1 {
		return "'", j + 1, true
	}
	return strings.ReplaceAll(s[i+1:j], "''", "'"), j + 1, true
}

func (b *patternBuilder) letter(c byte, n int) error {
	tooMany := func() error { return fmt.Errorf("Too many pattern letters: %c", c) }
	if f, ok := letterField[c]; ok {
		return b.fieldLetter(c, n, f)
	}
	switch c {
	case 'z':
		if n > 4 {
			return tooMany()
		}
		b.add(node{kind: kindZoneText, style: fullIf(n == 4)})
	case 'V':
		if n != 2 {
			return fmt.Errorf("Pattern letter count must be 2: %c", c)
		}
		b.add(node{kind: kindZoneID})
	case 'v':
		if n != 1 && n != 4 {
			return fmt.Errorf("Wrong number of pattern letters: %c", c)
		}
		b.add(node{kind: kindZoneGeneric, style: fullIf(n == 4)})
	case 'Z':
		switch {
		case n < 4:
			b.add(node{kind: kindOffset, offset: offsetHHMM, text: "+0000"})
		case n == 4:
			b.add(node{kind: kindOffsetGMT, style: styleFull})
		case n == 5:
			b.add(node{kind: kindOffset, offset: offsetHHxMMxss, text: "Z"})
		default:
			return tooMany()
		}
	case 'O':
		if n != 1 && n != 4 {
			return fmt.Errorf("Pattern letter count must be 1 or 4: %c", c)
		}
		b.add(node{kind: kindOffsetGMT, style: fullIf(n == 4)})
	case 'X', 'x':
		if n > 5 {
			return tooMany()
		}
		zero := "Z"
		if c == 'x' {
			zero = [...]string{"+00", "+0000", "+00:00", "+0000", "+00:00"}[n-1]
		}
		b.add(node{kind: kindOffset, offset: offsetForm(n - 1), text: zero})
	case 'W':
		if n > 1 {
			return tooMany()
		}
		return b.addNumber(node{kind: kindNumber, field: WeekOfMonth, min: n, max: n, sign: signNotNegative})
	case 'w':
		if n > 2 {
			return tooMany()
		}
		return b.addNumber(node{kind: kindNumber, field: WeekOfWeekBasedYear, min: n, max: 2, sign: signNotNegative})
	case 'Y':
		if n == 2 {
			return b.addNumber(node{kind: kindReduced, field: WeekBasedYear, min: 2, max: 2, sign: signNotNegative})
		}
		return b.addNumber(yearNode(WeekBasedYear, n))
	case 'B':
		switch n {
		case 1:
			b.add(node{kind: kindPeriod, style: styleShort})
		case 4:
			b.add(node{kind: kindPeriod, style: styleFull})
		case 5:
			b.add(node{kind: kindPeriod, style: styleNarrow})
		default:
			return fmt.Errorf("Wrong number of pattern letters: %c", c)
		}
	default:
		return fmt.Errorf("Unknown pattern letter: %c", c)
	}
	return nil
}

func fullIf(full bool) textStyle {
	if full {
		return styleFull
	}
	return styleShort
}

func yearNode(f Field, n int) node {
	nd := node{kind: kindNumber, field: f, min: n, max: 19, sign: signNormal}
	if n >= 4 {
		nd.sign = signExceedsPad
	}
	return nd
}

// fieldLetter compiles the letters that stand for one ChronoField.
func (b *patternBuilder) fieldLetter(c byte, n int, f Field) error {
	tooMany := func() error { return fmt.Errorf("Too many pattern letters: %c", c) }
	text := func(standalone textStyle) error {
		switch n {
		case 3:
			b.add(node{kind: kindText, field: f, style: styleShort + standalone})
		case 4:
			b.add(node{kind: kindText, field: f, style: styleFull + standalone})
		case 5:
			b.add(node{kind: kindText, field: f, style: styleNarrow + standalone})
		default:
			return tooMany()
		}
		return nil
	}
	wide := func(sign signStyle) error { // as many digits as letters, or more
		if n > 19 {
			return fmt.Errorf("The minimum width must be from 1 to 19 inclusive but was %d", n)
		}
		return b.addNumber(node{kind: kindNumber, field: f, min: n, max: 19, sign: sign})
	}
	number := func() error { // one letter: any width; more: exactly so many
		if n == 1 {
			return b.addNumber(node{kind: kindNumber, field: f, min: 1, max: 19, sign: signNormal})
		}
		return b.addNumber(node{kind: kindNumber, field: f, min: n, max: n, sign: signNotNegative})
	}
	switch c {
	case 'u', 'y':
		switch {
		case n == 2:
			return b.addNumber(node{kind: kindReduced, field: f, min: 2, max: 2, sign: signNotNegative})
		case n > 19:
			return fmt.Errorf("The minimum width must be from 1 to 19 inclusive but was %d", n)
		}
		return b.addNumber(yearNode(f, n))
	case 'c':
		switch n {
		case 1:
			return b.addNumber(node{kind: kindNumber, field: LocalDayOfWeek, min: 1, max: 1, sign: signNotNegative})
		case 2:
			return fmt.Errorf(`Invalid pattern "cc"`)
		}
		return text(styleFullStandalone)
	case 'L', 'q':
		if n <= 2 {
			return number()
		}
		return text(styleFullStandalone)
	case 'M', 'Q':
		if n <= 2 {
			return number()
		}
		return text(styleFull)
	case 'E':
		if n <= 2 {
			b.add(node{kind: kindText, field: f, style: styleShort})
			return nil
		}
		return text(styleFull)
	case 'e':
		if n <= 2 {
			return b.addNumber(node{kind: kindNumber, field: LocalDayOfWeek, min: n, max: n, sign: signNotNegative})
		}
		return text(styleFull)
	case 'a':
		if n > 1 {
			return tooMany()
		}
		b.add(node{kind: kindText, field: f, style: styleShort})
		return nil
	case 'G':
		if n <= 3 {
			b.add(node{kind: kindText, field: f, style: styleShort})
			return nil
		}
		return text(styleFull)
	case 'S':
		if n > 9 {
			return fmt.Errorf("Minimum width must be from 0 to 9 inclusive but was %d", n)
		}
		return b.addNumber(node{kind: kindFraction, field: f, min: n, max: n, sign: signNotNegative})
	case 'F':
		if n > 1 {
			return tooMany()
		}
		return number()
	case 'd', 'h', 'H', 'k', 'K', 'm', 's':
		if n > 2 {
			return tooMany()
		}
		return number()
	case 'D':
		switch n {
		case 1:
			return number()
		case 2, 3:
			return b.addNumber(node{kind: kindNumber, field: f, min: n, max: 3, sign: signNotNegative})
		}
		return tooMany()
	case 'g':
		return wide(signNormal)
	}
	return wide(signNotNegative) // A, n, N
}
