package htmlreport

import (
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// A Pattern is a regular expression of the user's. The nil Pattern matches all.
type Pattern struct {
	text string
	re   *regexp2.Regexp
}

// WholePattern must match a text from end to end, as Java's matches() asks.
func WholePattern(text string) (*Pattern, error) {
	// java.util.regex reads && inside a class as an intersection; here it would
	// silently mean something else.
	if i := strings.IndexByte(text, '['); i >= 0 && strings.Contains(text[i:], "&&") {
		return nil, fmt.Errorf("regular expression %q: an intersection (&&) of classes is not supported", text)
	}
	return compilePattern(text, `\A(?:`+text+`)\z`, regexp2.None)
}

// partPattern may match anywhere in a text, in any case, by JavaScript's rules.
func partPattern(text string) (*Pattern, error) {
	return compilePattern(text, text, regexp2.ECMAScript|regexp2.IgnoreCase)
}

func compilePattern(text, expr string, opt regexp2.RegexOptions) (*Pattern, error) {
	re, err := regexp2.Compile(expr, opt)
	if err != nil {
		return nil, fmt.Errorf("regular expression %q: %w", text, err)
	}
	re.MatchTimeout = time.Second // a label is short: more than this is runaway backtracking
	return &Pattern{text: text, re: re}, nil
}

// Matches tells whether s matches. A search that takes a second gives up: no match.
func (p *Pattern) Matches(s string) bool {
	if p == nil {
		return true
	}
	ok, err := p.re.MatchString(s)
	return ok && err == nil
}

func (p *Pattern) String() string {
	if p == nil {
		return ""
	}
	return p.text
}
