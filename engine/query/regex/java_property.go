package regex

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	lineTerminators = ranges{'\n', '\n', '\r', '\r', 0x85, 0x85, 0x2028, 0x2029}
	verticalSpace   = ranges{'\n', '\r', 0x85, 0x85, 0x2028, 0x2029}
	horizontalSpace = ranges{'\t', '\t', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e,
		0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000}

	unicodeSpace = sync.OnceValue(func() ranges { return fromTables(unicode.White_Space) })
	unicodeWord  = sync.OnceValue(func() ranges {
		return fromTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
	})
	alphabetic = sync.OnceValue(func() ranges { return fromTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic) })
	assigned   = sync.OnceValue(func() ranges {
		return fromTables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
	})
)

func lowerCase() ranges { return fromTables(unicode.Ll, unicode.Other_Lowercase) }
func upperCase() ranges { return fromTables(unicode.Lu, unicode.Other_Uppercase) }

func (s ranges) foldASCII() ranges {
	var more []rune
	for c := 'a'; c <= 'z'; c++ {
		lower, upper := s.has(c), s.has(c-32)
		if lower != upper {
			more = append(more, c, c, c-32, c-32)
		}
	}
	if more == nil {
		return s
	}
	return s.union(norm(more))
}

// foldUnicode adds what has the same lower case of its upper case.
func (s ranges) foldUnicode() ranges {
	var more []rune
	for _, orbit := range foldOrbits() {
		for _, r := range orbit {
			if s.has(r) {
				for _, o := range orbit {
					more = append(more, o, o)
				}
				break
			}
		}
	}
	return s.union(norm(more))
}

var foldOrbits = sync.OnceValue(func() [][]rune {
	byFold := map[rune][]rune{}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if f := unicode.ToLower(unicode.ToUpper(r)); f != r {
			byFold[f] = append(byFold[f], r)
		}
	}
	out := make([][]rune, 0, len(byFold))
	for f, rs := range byFold {
		out = append(out, append(rs, f))
	}
	return out
})

// asciiProperties are the \p{...} names of POSIX, which without (?U) know ASCII only.
var asciiProperties = map[string]ranges{
	"Lower":  {'a', 'z'},
	"Upper":  {'A', 'Z'},
	"ASCII":  {0, unicode.MaxASCII},
	"Alpha":  {'A', 'Z', 'a', 'z'},
	"Digit":  {'0', '9'},
	"Alnum":  {'0', '9', 'A', 'Z', 'a', 'z'},
	"Punct":  {'!', '/', ':', '@', '[', '`', '{', '~'},
	"Graph":  {'!', '~'},
	"Print":  {' ', '~'},
	"Blank":  {'\t', '\t', ' ', ' '},
	"Cntrl":  {0, 0x1f, 0x7f, 0x7f},
	"XDigit": {'0', '9', 'A', 'F', 'a', 'f'},
	"Space":  {'\t', '\r', ' ', ' '},
}

// unicodeProperties are the names after Is, and those of POSIX under (?U); keys in
// upper case.
var unicodeProperties = map[string]func() ranges{
	"ALPHABETIC":  alphabetic,
	"LETTER":      letters,
	"IDEOGRAPHIC": func() ranges { return fromTables(unicode.Ideographic) },
	"LOWERCASE":   lowerCase,
	"UPPERCASE":   upperCase,
	"TITLECASE":   func() ranges { return fromTables(unicode.Lt) },
	"WHITE_SPACE": unicodeSpace,
	"CONTROL":     func() ranges { return fromTables(unicode.Cc) },
	"PUNCTUATION": func() ranges { return fromTables(unicode.P) },
	"HEX_DIGIT":   func() ranges { return fromTables(unicode.Nd, unicode.Hex_Digit) },
	"ASSIGNED":    assigned,
	"DIGIT":       digits,
	"ALNUM":       func() ranges { return alphabetic().union(digits()) },
	"WORD":        unicodeWord,
	"ALPHA":       alphabetic,
	"LOWER":       lowerCase,
	"UPPER":       upperCase,
	"SPACE":       unicodeSpace,
	"PUNCT":       func() ranges { return fromTables(unicode.P) },
	"CNTRL":       func() ranges { return fromTables(unicode.Cc) },
	"XDIGIT":      func() ranges { return fromTables(unicode.Nd, unicode.Hex_Digit) },
	"BLANK":       func() ranges { return fromTables(unicode.Zs).union(one('\t')) },
}

// javaProperties are the names that call a method of java.lang.Character.
var javaProperties = map[string]func() ranges{
	"javaLowerCase":     lowerCase,
	"javaUpperCase":     upperCase,
	"javaAlphabetic":    alphabetic,
	"javaTitleCase":     func() ranges { return fromTables(unicode.Lt) },
	"javaDigit":         digits,
	"javaLetter":        letters,
	"javaLetterOrDigit": letterOrDigit,
	"javaSpaceChar":     spaceChars,
	"javaWhitespace":    spaces,
	"javaISOControl":    func() ranges { return fromTables(unicode.Cc) },
	"javaIdeographic":   func() ranges { return fromTables(unicode.Ideographic) },
	"javaDefined":       assigned,
	"javaMirrored":      func() ranges { return fromTables(unicode.Ps, unicode.Pe) },
	"javaIdentifierIgnorable": func() ranges {
		return fromTables(unicode.Cf).union(ranges{0, 8, 0xe, 0x1b, 0x7f, 0x9f})
	},
}

// blocks has the Unicode blocks that patterns name, by key: capital letters and
// digits only.
var blocks = map[string]ranges{
	"BASICLATIN": {0, 0x7f}, "LATIN1SUPPLEMENT": {0x80, 0xff}, "LATINEXTENDEDA": {0x100, 0x17f},
	"LATINEXTENDEDB": {0x180, 0x24f}, "GREEK": {0x370, 0x3ff}, "GREEKANDCOPTIC": {0x370, 0x3ff},
	"CYRILLIC": {0x400, 0x4ff}, "HEBREW": {0x590, 0x5ff}, "ARABIC": {0x600, 0x6ff},
	"DEVANAGARI": {0x900, 0x97f}, "THAI": {0xe00, 0xe7f}, "GENERALPUNCTUATION": {0x2000, 0x206f},
	"CURRENCYSYMBOLS": {0x20a0, 0x20cf}, "HIRAGANA": {0x3040, 0x309f}, "KATAKANA": {0x30a0, 0x30ff},
	"CJKUNIFIEDIDEOGRAPHS": {0x4e00, 0x9fff}, "HANGULSYLLABLES": {0xac00, 0xd7af},
	"COMBININGDIACRITICALMARKS": {0x300, 0x36f}, "EMOTICONS": {0x1f600, 0x1f64f},
}

// property reads the name after \p or \P.
func (p *javaParser) property() (ranges, error) {
	var name string
	if c := p.peek(); c != '{' {
		if c == eof {
			return nil, p.fail("Unknown character property name {\x00}", len(p.src))
		}
		p.at++
		name = string(c)
	} else {
		end := p.at + 1
		for end < len(p.src) && p.src[end] != '}' {
			end++
		}
		if end >= len(p.src) {
			return nil, p.fail("Unclosed character family", len(p.src))
		}
		name = string(p.src[p.at+1 : end])
		p.at = end + 1
		if name == "" {
			return nil, p.fail("Empty character family", p.at-1)
		}
	}
	set, ok := p.propertySet(name)
	if !ok {
		return nil, p.unknownProperty(name)
	}
	return set, nil
}

func (p *javaParser) unknownProperty(name string) error {
	key, value, found := strings.Cut(name, "=")
	if found {
		return p.fail("Unknown Unicode property {name=<"+key+">, value=<"+value+">}", p.at-1)
	}
	return p.fail("Unknown character property name {"+name+"}", p.at-1)
}

func (p *javaParser) propertySet(name string) (ranges, bool) {
	if key, value, found := strings.Cut(name, "="); found {
		switch strings.ToLower(key) {
		case "sc", "script":
			return script(value)
		case "blk", "block":
			return block(value)
		case "gc", "general_category":
			return p.category(value)
		}
		return nil, false
	}
	if rest, ok := strings.CutPrefix(name, "In"); ok {
		return block(rest)
	}
	if rest, ok := strings.CutPrefix(name, "Is"); ok {
		if f, ok := unicodeProperties[strings.ToUpper(rest)]; ok {
			return p.caseless(rest, f()), true
		}
		if s, ok := p.category(rest); ok {
			return s, true
		}
		return script(rest)
	}
	if p.flags.unicodeClasses {
		if f, ok := unicodeProperties[strings.ToUpper(name)]; ok {
			return f(), true
		}
	}
	if s, ok := asciiProperties[name]; ok {
		return p.caseless(name, s), true
	}
	if f, ok := javaProperties[name]; ok {
		return p.caseless(name, f()), true
	}
	return p.category(name)
}

// caseless makes a class of one case one of both, under (?i).
func (p *javaParser) caseless(name string, s ranges) ranges {
	if !p.flags.fold {
		return s
	}
	switch name {
	case "Lower", "Upper":
		return ranges{'A', 'Z', 'a', 'z'}
	case "javaLowerCase", "javaUpperCase", "javaTitleCase":
		return lowerCase().union(upperCase()).union(fromTables(unicode.Lt))
	}
	switch strings.ToUpper(name) {
	case "LOWERCASE", "UPPERCASE", "TITLECASE", "LOWER", "UPPER":
		return lowerCase().union(upperCase()).union(fromTables(unicode.Lt))
	}
	return s
}

func (p *javaParser) category(name string) (ranges, bool) {
	switch name {
	case "all":
		return anyChar, true
	case "L1":
		return ranges{0, 0xff}, true
	case "LD":
		return letterOrDigit(), true
	case "LC":
		return fromTables(unicode.Lu, unicode.Ll, unicode.Lt), true
	case "Cn":
		return assigned().negate(), true
	case "Lu", "Ll", "Lt":
		if p.flags.fold {
			return fromTables(unicode.Lu, unicode.Ll, unicode.Lt), true
		}
	case "C":
		return assigned().negate().union(fromTables(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)), true
	}
	t, ok := unicode.Categories[name]
	if !ok || len(name) > 2 {
		return nil, false
	}
	return fromTables(t), true
}

func script(name string) (ranges, bool) {
	for known, t := range unicode.Scripts {
		if strings.EqualFold(known, name) {
			return fromTables(t), true
		}
	}
	if code, ok := scriptCodes[strings.ToUpper(name)]; ok {
		return fromTables(unicode.Scripts[code]), true
	}
	return nil, false
}

// scriptCodes has the ISO 15924 codes of the most used scripts.
var scriptCodes = map[string]string{
	"LATN": "Latin", "GREK": "Greek", "CYRL": "Cyrillic", "HEBR": "Hebrew", "ARAB": "Arabic",
	"HANI": "Han", "HIRA": "Hiragana", "KANA": "Katakana", "HANG": "Hangul", "THAI": "Thai", "DEVA": "Devanagari",
}

func block(name string) (ranges, bool) {
	key := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToUpper(r)
	}, name)
	s, ok := blocks[key]
	return s, ok
}

// holdsJava tells Java's assertions on lines, where a pair of \r and \n is one
// terminator.
func (m *matcher) holdsJava(a assertion, pos int) bool {
	next, more := runeAt(m.b, pos)
	prev, some := runeBefore(m.b, pos)
	inPair := some && more && prev == '\r' && next == '\n'
	switch a {
	case atJavaLineBegin:
		return more && (!some || lineTerminators.has(prev) && !inPair)
	case atJavaLineEnd:
		return !more || lineTerminators.has(next) && !inPair
	case atJavaLastLine:
		if !more || inPair || !lineTerminators.has(next) {
			return !more
		}
		after := step(m.b, pos)
		return after == len(m.b) || next == '\r' && after == len(m.b)-1 && m.b[after] == '\n'
	}
	return false
}

// isJavaMark reports whether the character r before or after pos is a mark on a
// letter or digit, which Java counts to the word.
func (m *matcher) isJavaMark(pos int, r rune, before bool) bool {
	if !unicode.Is(unicode.Mn, r) {
		return false
	}
	if before {
		pos -= utf8.RuneLen(r)
	}
	for {
		base, ok := runeBefore(m.b, pos)
		switch {
		case !ok:
			return false
		case unicode.In(base, unicode.L, unicode.Nd):
			return true
		case !unicode.Is(unicode.Mn, base):
			return false
		}
		pos = back(m.b, pos)
	}
}
