package assertion

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/regex"
)

// pattern is a regular expression in the dialect that the property
// jmeter.regex.engine chooses.
func pattern(p *elem.Props, text expr.Text) elem.Derived[*regex.Regexp] {
	cache := regex.NewCache(dialect(p), 1000)
	return elem.Derive(p, text, cache.Get)
}

func dialect(p *elem.Props) regex.Dialect {
	if strings.EqualFold(p.Property("jmeter.regex.engine", "oro"), "oro") {
		return regex.ORO
	}
	return regex.Java
}
