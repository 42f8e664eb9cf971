package function

import (
	"math/rand/v2"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__RandomString", Title: "a text of random characters", Args: "length, characters?, var?",
		Min: 1, Max: 3, Compile: compileRandomString,
	})
}

func compileRandomString(c *expr.Call) (expr.Eval, error) {
	length, letters, variable := c.Arg(0), c.Arg(1), newTarget(c, 2, trimmed)
	choice := func(s string) []rune { return pickable(java.Trim(s)) }
	var fixed []rune
	if letters.IsConst() {
		fixed = choice(letters.Source())
	}
	return func(dst []byte, t *vu.Thread) []byte {
		n := mustInt(length.Eval(t))
		from := fixed
		if !letters.IsConst() {
			from = choice(letters.Eval(t))
		}
		if n < 0 {
			throwArgument("Requested random string length %d is less than 0.", n)
		}
		at := len(dst)
		if len(from) == 0 {
			dst = appendAnyText(dst, t.Rand, int(n))
		} else {
			for range n {
				dst = utf8.AppendRune(dst, from[t.Rand.IntN(len(from))])
			}
		}
		return variable.keep(dst, at, t)
	}, nil
}

// pickable returns the characters of s to choose from. JMeter chooses UTF-16 units
// and throws halves of a pair away, so characters beyond U+FFFF never come up; where
// there is nothing else it would look for ever, and they count here.
func pickable(s string) []rune {
	var plain []rune
	all := []rune(s)
	for _, r := range all {
		if r <= 0xFFFF {
			plain = append(plain, r)
		}
	}
	if plain != nil {
		return plain
	}
	return all
}

// appendAnyText appends n UTF-16 units of assigned characters of any kind.
func appendAnyText(dst []byte, r *rand.Rand, n int) []byte {
	for n > 0 {
		c := rune(r.IntN(unicode.MaxRune))
		if n == 1 && c > 0xFFFF || !isAssigned(c) {
			continue
		}
		if c > 0xFFFF {
			n--
		}
		n--
		dst = utf8.AppendRune(dst, c)
	}
	return dst
}

// isAssigned tells characters from holes, private places and halves of a pair.
func isAssigned(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf)
}
