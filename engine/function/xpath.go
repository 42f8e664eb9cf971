package function

import (
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/xml"
	"github.com/gojm/gojm/engine/query/xpath"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__XPath", Title: "the next match of an XPath in an XML file", Args: "file, expression",
		Min: 2, Max: 2, Compile: compileXPath,
	})
}

// xPathKey names the matches that all calls with one file and expression share.
type xPathKey struct{ file, expression string }

// xPathMatches are read once and handed out in turn, to all threads.
type xPathMatches struct {
	mu    sync.Mutex
	texts []string
	next  int
}

func compileXPath(c *expr.Call) (expr.Eval, error) {
	file, expression := c.Arg(0), c.Arg(1)
	return func(dst []byte, t *vu.Thread) []byte {
		key := xPathKey{file.Eval(t), expression.Eval(t)}
		return append(dst, vu.Shared(t.Run, key, func() *xPathMatches {
			texts, err := key.read(t)
			if err != nil {
				logf(t, slog.LevelWarn, "XPath", "%v", err)
			}
			return &xPathMatches{texts: texts}
		}).take()...)
	}, nil
}

// read finds all matches.
func (k xPathKey) read(t *vu.Thread) ([]string, error) {
	data, err := os.ReadFile(inWorkOrPlanDir(t, k.file))
	if err != nil {
		return nil, err
	}
	doc, err := xml.Parse(data, false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.file, err)
	}
	path, err := xpath.Compile(k.expression)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.expression, err)
	}
	value, err := path.Eval(doc, xpath.RootResolver(doc))
	if err != nil || value.Kind != xpath.NodeSet {
		return nil, err
	}
	var texts []string
	for _, m := range value.Matches(false) {
		texts = append(texts, m.Text)
	}
	return texts, nil
}

func (m *xPathMatches) take() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.texts) == 0 {
		return ""
	}
	text := m.texts[m.next]
	m.next = (m.next + 1) % len(m.texts)
	return text
}
