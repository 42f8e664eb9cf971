package function

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__caseFormat", Title: "words joined as names of a programming language", Args: "text, mode=LOWER_CAMEL_CASE, var?",
		Min: 1, Max: 3, Plugin: true, Compile: compileCaseFormat,
	})
}

func compileCaseFormat(c *expr.Call) (expr.Eval, error) {
	text, mode, variable := c.Arg(0), c.Arg(1), newTarget(c, 2, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		s, m := text.Eval(t), mode.Eval(t)
		words := nameWords(s)
		switch java.ToUpper(m) {
		case "", "LOWER_CAMEL_CASE":
			s = camel(words, false)
		case "UPPER_CAMEL_CASE":
			s = camel(words, true)
		case "SNAKE_CASE", "LOWER_UNDERSCORE":
			s = java.ToLower(strings.Join(words, "_"))
		case "KEBAB_CASE", "LISP_CASE", "SPINAL_CASE", "LOWER_HYPHEN":
			s = java.ToLower(strings.Join(words, "-"))
		case "TRAIN_CASE":
			s = java.ToUpper(strings.Join(words, "-"))
		case "UPPER_UNDERSCORE":
			s = java.ToUpper(strings.Join(words, "_"))
		default:
			errorf(t, "CaseFormat", "Unknown mode %s, returning %s unchanged", m, s)
		}
		return variable.yield(dst, t, s)
	}, nil
}

// nameWords cuts a text at blanks, hyphens and underscores. Like Java's split it
// keeps the empty word in front of one at the start and none at the end.
func nameWords(s string) []string {
	gap := func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r-_", r) }
	words := strings.FieldsFunc(s, gap)
	if s != "" && len(words) > 0 && gap(rune(s[0])) {
		words = append([]string{""}, words...)
	}
	return words
}

func camel(words []string, capital bool) string {
	var b strings.Builder
	for i, w := range words {
		if w = java.ToLower(w); i > 0 || capital {
			w = capitalize(w)
		}
		b.WriteString(w)
	}
	return b.String()
}
