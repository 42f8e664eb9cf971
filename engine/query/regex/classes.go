package regex

import (
	"sync"
	"unicode"
)

// The classes of both dialects, by Java's character predicates.
var (
	word     = sync.OnceValue(func() ranges { return letterOrDigit().union(one('_')) })
	digits   = sync.OnceValue(func() ranges { return fromTables(unicode.Nd) })
	letters  = sync.OnceValue(func() ranges { return fromTables(unicode.L) })
	spaces   = sync.OnceValue(func() ranges { return where(isJavaWhitespace) })
	notSpace = sync.OnceValue(func() ranges { return spaces().negate() })

	letterOrDigit = sync.OnceValue(func() ranges { return fromTables(unicode.L, unicode.Nd) })
)

var (
	asciiWord  = ranges{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	asciiDigit = ranges{'0', '9'}
	asciiSpace = ranges{'\t', '\r', ' ', ' '}
	anyChar    = ranges{0, unicode.MaxRune}
	notNewline = ranges{0, '\t', '\v', unicode.MaxRune}
)

// isJavaWhitespace is Character.isWhitespace: separators that may break a line,
// and the control characters that lay out text.
func isJavaWhitespace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r >= 0x1c && r <= 0x1f:
		return true
	case r == 0xa0, r == 0x2007, r == 0x202f:
		return false
	}
	return unicode.In(r, unicode.Z)
}

// posix lists ORO's [[:name:]] classes, as its Java predicates have them: a tab is
// not blank, and a quotation mark of category Pi is no punctuation.
var posix = map[string]func() ranges{
	"alnum": letterOrDigit,
	"alpha": letters,
	"ascii": func() ranges { return ranges{0, unicode.MaxASCII} },
	"blank": spaceChars,
	"cntrl": func() ranges { return fromTables(unicode.Cc) },
	"digit": digits,
	"graph": func() ranges { return letterOrDigit().union(punctuation()) },
	"lower": func() ranges { return fromTables(unicode.Ll, unicode.Other_Lowercase) },
	"print": func() ranges { return letterOrDigit().union(punctuation()).union(spaceChars()) },
	"punct": punctuation,
	"space": spaces,
	"upper": func() ranges { return fromTables(unicode.Lu, unicode.Other_Uppercase) },
	"word":  word,
	"xdigit": func() ranges {
		return ranges{'0', '9', 'A', 'F', 'a', 'f'}
	},
}

func spaceChars() ranges { return fromTables(unicode.Z) }

func punctuation() ranges {
	return fromTables(unicode.Pd, unicode.Ps, unicode.Pe, unicode.Pc, unicode.Po, unicode.Sm, unicode.Sc, unicode.Sk)
}
