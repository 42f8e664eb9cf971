package assertion

import (
	"errors"
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

// thrown is what Java prints of the error of a bad pattern.
func thrown(err error) string {
	var e *regex.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.Dialect == regex.Java:
		return "java.util.regex.PatternSyntaxException: " + e.Error()
	}
	return "org.apache.oro.text.MalformedCachePatternException: " + e.Error()
}

func dialect(p *elem.Props) regex.Dialect {
	if strings.EqualFold(p.Property("jmeter.regex.engine", "oro"), "oro") {
		return regex.ORO
	}
	return regex.Java
}
