package postproc

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// scope is where an extractor looks: the sample, its sub-samples, both, or a
// variable (JMeter manual, "Scoping Rules" of each extractor).
type scope struct {
	apply    expr.Text
	variable expr.Text
}

func (s *scope) props(p *elem.Props) {
	p.Text(&s.apply, "Sample.scope", "", "absent: the sample; children, all or variable")
	p.Text(&s.variable, "Scope.variable", "", "variable to look at")
}

func (s *scope) isVariable(t *vu.Thread) bool { return s.apply.Eval(t) == "variable" }

// subLevels is how many levels below the sample's own parts are looked at.
const subLevels = 3

// samples are the results to look at, in order.
func (s *scope) samples(t *vu.Thread, main *jtl.Sample) []*jtl.Sample {
	apply := s.apply.Eval(t)
	var out []*jtl.Sample
	if apply == "" || apply == "parent" || apply == "all" {
		out = append(out, main)
	}
	if apply == "children" || apply == "all" {
		out = append(out, main.Subs...)
		out = below(out, main.Subs, subLevels)
	}
	return out
}

func below(out, parts []*jtl.Sample, level int) []*jtl.Sample {
	if level < 0 {
		return out
	}
	for _, p := range parts {
		out = append(out, p.Subs...)
		out = below(out, p.Subs, level-1)
	}
	return out
}

// part is which part of a result a text extractor reads.
type part struct{ which expr.Text }

func (f *part) props(p *elem.Props, name string) {
	p.Text(&f.which, name, "", "part of the response: false body, true headers, unescaped, request_headers, URL, code, message")
	if s := f.which.Source(); strings.EqualFold(s, "as_document") {
		p.Refuse("option", name, "responses are not read as documents (PDF, Word and the like)")
	}
}

// of is the chosen part of s as text.
func (f *part) of(t *vu.Thread, s *jtl.Sample) []byte {
	switch strings.ToLower(f.which.Eval(t)) {
	case "url":
		return []byte(s.URL)
	case "true":
		return []byte(s.ResponseHeaders)
	case "request_headers":
		return []byte(s.RequestHeaders)
	case "code":
		return []byte(s.Code)
	case "message":
		return []byte(s.Message)
	case "unescaped":
		if text, err := java.UnescapeHTML(string(s.Text())); err == nil {
			return []byte(text)
		}
	}
	return s.Text()
}

// needs is what the part asks of a response.
func (f *part) needs() elem.Needs {
	if !f.which.IsConst() {
		return elem.NeedAll
	}
	switch strings.ToLower(f.which.Source()) {
	case "url", "code", "message":
		return 0
	case "true":
		return elem.NeedResponseHeaders
	case "request_headers":
		return elem.NeedRequestHeaders
	}
	return elem.NeedBody
}
