package postproc

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/query/jsonpath"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[jsonExtractor](elem.Spec{
		Class: "JSONPostProcessor", Title: "JSON Extractor", Kind: elem.KindPost, Status: elem.Full,
	})
}

// jsonExtractor puts what JSON paths find into variables; names, paths, match
// numbers and defaults are lists of the same length.
type jsonExtractor struct {
	scope
	names, numbers, defaults expr.Text
	paths                    elem.Derived[[]compiledPath]
	concat                   expr.Bool
}

type compiledPath struct {
	path *jsonpath.Path
	err  error
}

const logJSON = "o.a.j.e.j.j.JSONPostProcessor"

func (c *jsonExtractor) Props(p *elem.Props) {
	c.scope.props(p)
	p.Text(&c.names, "JSONPostProcessor.referenceNames", "", "variables, separated by ;")
	var paths expr.Text
	p.Text(&paths, "JSONPostProcessor.jsonPathExprs", "", "JSON paths, separated by ;")
	c.paths = elem.Derive(p, paths, compilePaths)
	p.Text(&c.numbers, "JSONPostProcessor.match_numbers", "", "0 any, -1 all, else that match; separated by ;")
	p.Text(&c.defaults, "JSONPostProcessor.defaultValues", "", "values without a match, separated by ;")
	p.Bool(&c.concat, "JSONPostProcessor.compute_concat", false, "with all matches: join them in name_ALL")
}

// Needs: only the body is read.
func (c *jsonExtractor) Needs() elem.Needs { return elem.NeedBody }

// split is Java's split on a semicolon: empty parts at the end are dropped, all
// parts if need be, but a text without a semicolon is one part even if empty.
func split(s string) []string {
	parts := strings.Split(s, ";")
	if len(parts) == 1 {
		return parts
	}
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

func (c *jsonExtractor) After(t *vu.Thread, main *jtl.Sample) {
	names, defaults := split(c.names.Eval(t)), split(c.defaults.Eval(t))
	paths, _ := c.paths.Of(t)
	numbers := c.matchNumbers(t, len(defaults))
	if len(names) != len(paths) || len(names) != len(defaults) {
		t.Log().Error("Number of JSON Path variables must match number of default values and json-path expressions,"+
			" check you use separator ';' if you have many values", "logger", logJSON)
		vu.Throw(errors.New("Mismatch between number of variables, json expressions and default values")) //nolint:staticcheck // JMeter's wording
	}
	docs, err := c.documents(t, main)
	for i := range names {
		name := strings.TrimSpace(names[i])
		clearNumbered(t, name)
		if len(docs) == 0 && err == nil {
			t.Vars.Put(name, defaults[i])
			continue
		}
		values, err := extract(docs, err, paths[i])
		if err != nil {
			t.Log().Error("Error processing JSON content", "logger", logJSON, "err", err)
			t.Vars.Put(name, defaults[i])
			continue
		}
		c.store(t, name, defaults[i], numbers[i], values)
	}
}

// compilePaths reads the paths; a bad one is an error only where it is used.
func compilePaths(text string) (paths []compiledPath, _ error) {
	for _, p := range split(text) {
		var cp compiledPath
		cp.path, cp.err = jsonpath.Compile(strings.TrimSpace(p))
		paths = append(paths, cp)
	}
	return paths, nil
}

func (c *jsonExtractor) matchNumbers(t *vu.Thread, n int) []int {
	out := make([]int, n)
	text := c.numbers.Eval(t)
	if strings.TrimSpace(text) == "" {
		return out
	}
	for i, part := range split(text) {
		v, ok := vu.ParseInt(strings.TrimSpace(part))
		if !ok {
			vu.Throw(errors.New("java.lang.NumberFormatException: For input string: \"" + strings.TrimSpace(part) + "\""))
		}
		if i >= n {
			vu.Throw(errors.New("java.lang.ArrayIndexOutOfBoundsException: Index " + strconv.Itoa(i) + " out of bounds for length " + strconv.Itoa(n)))
		}
		out[i] = int(v)
	}
	return out
}

// documents are the texts in scope, read; blank ones do not count.
func (c *jsonExtractor) documents(t *vu.Thread, main *jtl.Sample) (docs []*json.Value, err error) {
	read := func(text []byte) {
		if err != nil {
			return
		}
		var v *json.Value
		if v, err = json.ParseLenient(text); err == nil {
			docs = append(docs, v)
		}
	}
	if c.scope.isVariable(t) {
		text, ok := t.Vars.Get(c.scope.variable.Eval(t))
		if !ok {
			return nil, errors.New("json string can not be null or empty")
		}
		read([]byte(text))
		return docs, err
	}
	for _, s := range c.scope.samples(t, main) {
		if text := s.Text(); len(bytes.TrimSpace(text)) > 0 {
			read(text)
		}
	}
	return docs, err
}

// extract returns what a path finds in all documents. A path that leads nowhere
// finds nothing; other errors are errors.
func extract(docs []*json.Value, docErr error, p compiledPath) ([]*json.Value, error) {
	if docErr != nil {
		return nil, docErr
	}
	if p.err != nil {
		return nil, p.err
	}
	var out []*json.Value
	for _, d := range docs {
		values, err := p.path.List(d)
		var e *jsonpath.Error
		switch {
		case errors.As(err, &e) && e.Reason == jsonpath.PathNotFound:
		case err != nil:
			return nil, err
		}
		out = append(out, values...)
	}
	return out, nil
}

func (c *jsonExtractor) store(t *vu.Thread, name, def string, number int, values []*json.Value) {
	text := func(v *json.Value) string {
		if v == nil || v.Kind() == json.Null {
			return def
		}
		return v.Written() // decimals as the document has them, unlike JMeter 5.6.3: its issue 5539
	}
	count := name + "_matchNr"
	switch {
	case len(values) == 0:
		t.Vars.Put(name, def)
		t.Vars.Put(count, "0")
		if number < 0 && c.concat.Eval(t) {
			t.Vars.Put(name+"_ALL", "")
		}
		return
	case number < 0:
		var all []string
		for i, v := range values {
			all = append(all, text(v))
			t.Vars.Put(numbered(name, i+1), all[i])
		}
		if c.concat.Eval(t) {
			t.Vars.Put(name+"_ALL", strings.Join(all, ","))
		}
	case len(values) == 1: // whatever match was asked for
		t.Vars.Put(name, text(values[0]))
	default:
		if v, ok := choose(t, values, number); ok {
			t.Vars.Put(name, text(v))
		} else {
			t.Vars.Put(name, def)
		}
	}
	if number != 0 {
		t.Vars.Put(count, strconv.Itoa(len(values)))
	}
}

var (
	_ elem.PostProcessor = (*jsonExtractor)(nil)
	_ elem.Needer        = (*jsonExtractor)(nil)
)
