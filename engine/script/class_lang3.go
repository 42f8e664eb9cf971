package script

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

func initLang3() {
	const letters, numbers = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789"
	of := func(chars string) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			n := c.Int(0)
			if c.N() == 2 && isNumber(c.Args[1]) {
				n += rand.IntN(max(c.Int(1)-n, 1))
			}
			if n < 0 || n > maxText {
				return nil, throw("java.lang.IllegalArgumentException", "Requested random string length %d is less than 0.", n)
			}
			b := make([]byte, n)
			for i := range b {
				b[i] = chars[rand.IntN(len(chars))]
			}
			return string(b), nil
		})
	}
	lang3Random.Static = Methods{"randomAlphabetic": of(letters), "randomNumeric": of(numbers), "randomAlphanumeric": of(letters + numbers),
		"random": method(1, 3, func(c *Call) (Value, error) {
			chars := letters + numbers
			if c.N() == 2 {
				chars = groovyString(c.Args[1])
			}
			if c.N() == 3 {
				chars = ""
				if c.Bool(1) {
					chars += letters
				}
				if c.Bool(2) {
					chars += numbers
				}
			}
			if chars == "" {
				return nil, throw("java.lang.IllegalArgumentException", "The chars array must not be empty")
			}
			rs := []rune(chars)
			out := make([]rune, min(max(c.Int(0), 0), maxText))
			for i := range out {
				out[i] = rs[rand.IntN(len(rs))]
			}
			return string(out), nil
		})}
	lang3RandomNum.Static = Methods{"nextInt": method(0, 2, func(c *Call) (Value, error) {
		if c.N() < 2 {
			return int32(rand.Int32N(math.MaxInt32)), nil
		}
		lo, hi := c.Int(0), c.Int(1)
		if lo > hi || lo < 0 {
			return nil, throw("java.lang.IllegalArgumentException", "Start value must be smaller or equal to end value.")
		}
		return int32(lo + rand.IntN(max(hi-lo, 1))), nil
	})}
	nullText := func(do func(s string) Value) *Method {
		return method(1, 1, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				return do(""), nil
			}
			return do(c.Str(0)), nil
		})
	}
	cutOut := func(c *Call) (Value, error) {
		from, to := c.Str(1), c.Str(c.N()-1)
		_, rest, ok := strings.Cut(c.Str(0), from)
		inner, _, ok2 := strings.Cut(rest, to)
		if !ok || !ok2 {
			return nil, nil
		}
		return inner, nil
	}
	lang3Strings.Static = Methods{
		"isBlank":          nullText(func(s string) Value { return strings.TrimSpace(s) == "" }),
		"isNotBlank":       nullText(func(s string) Value { return strings.TrimSpace(s) != "" }),
		"isEmpty":          nullText(func(s string) Value { return s == "" }),
		"isNotEmpty":       nullText(func(s string) Value { return s != "" }),
		"isNumeric":        nullText(func(s string) Value { return s != "" && strings.Trim(s, numbers) == "" }),
		"capitalize":       nullText(func(s string) Value { return first(s, strings.ToUpper) }),
		"trim":             nullText(func(s string) Value { return java.Trim(s) }),
		"reverse":          nullText(func(s string) Value { return reversed(s) }),
		"upperCase":        nullText(func(s string) Value { return java.ToUpper(s) }),
		"lowerCase":        nullText(func(s string) Value { return java.ToLower(s) }),
		"substringBetween": method(2, 3, cutOut),
		"substringAfter":   method(2, 2, func(c *Call) (Value, error) { _, s, _ := strings.Cut(c.Str(0), c.Str(1)); return s, nil }),
		"substringBefore":  method(2, 2, func(c *Call) (Value, error) { s, _, _ := strings.Cut(c.Str(0), c.Str(1)); return s, nil }),
		"substringAfterLast": method(2, 2, func(c *Call) (Value, error) {
			i := strings.LastIndex(c.Str(0), c.Str(1))
			if i < 0 {
				return "", nil
			}
			return c.Str(0)[i+len(c.Str(1)):], nil
		}),
		"substringBeforeLast": method(2, 2, func(c *Call) (Value, error) {
			i := strings.LastIndex(c.Str(0), c.Str(1))
			if i < 0 {
				return c.Str(0), nil
			}
			return c.Str(0)[:i], nil
		}),
		"leftPad":      method(2, 3, func(c *Call) (Value, error) { return c.Run.padStatic(c, "padLeft") }),
		"rightPad":     method(2, 3, func(c *Call) (Value, error) { return c.Run.padStatic(c, "padRight") }),
		"contains":     method(2, 2, func(c *Call) (Value, error) { return c.Args[0] != nil && strings.Contains(c.Str(0), c.Str(1)), nil }),
		"equals":       method(2, 2, func(c *Call) (Value, error) { return equals(c.Args[0], c.Args[1]), nil }),
		"countMatches": method(2, 2, func(c *Call) (Value, error) { return int32(strings.Count(c.Str(0), c.Str(1))), nil }),
		"repeat":       method(2, 2, func(c *Call) (Value, error) { return groovyTimes(c.Run, c.Args[0], c.Args[1]) }),
		"join": method(1, 2, func(c *Call) (Value, error) {
			by := ""
			if c.N() == 2 && c.Args[1] != nil {
				by = c.charOrText(1)
			}
			var parts []string
			for _, e := range mustItems(c.Args[0]) {
				parts = append(parts, javaString(e))
			}
			return strings.Join(parts, by), nil
		}),
		"defaultString": method(1, 2, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				if c.N() == 2 {
					return c.Args[1], nil
				}
				return "", nil
			}
			return c.Args[0], nil
		}),
	}
	escapes := Methods{
		"escapeHtml4":   method(1, 1, func(c *Call) (Value, error) { return java.EscapeHTML(c.Str(0)), nil }),
		"unescapeHtml4": method(1, 1, func(c *Call) (Value, error) { return errValue(java.UnescapeHTML(c.Str(0))) }),
		"escapeXml10":   method(1, 1, func(c *Call) (Value, error) { return java.EscapeXML(c.Str(0)), nil }),
		"unescapeJava":  method(1, 1, func(c *Call) (Value, error) { return errValue(java.UnescapeJava(c.Str(0))) }),
	}
	escapeUtils.Static, escapeUtils3.Static = escapes, escapes
}

func (r *Run) padStatic(c *Call, n string) (Value, error) {
	if c.Args[0] == nil {
		return nil, nil
	}
	return stringClass.Groovy[n].do(r, c.Args[0], c.Args[1:])
}
