package listener

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[resultSaver](elem.Spec{Class: "ResultSaver", Title: "Save Responses to a file", Kind: elem.KindListener, Status: elem.Full})
}

// resultSaver writes each response into a file of its own (JMeter manual, Save
// Responses to a file).
type resultSaver struct {
	prefix, variable                              expr.Text
	errorsOnly, successOnly, skipNumber, skipType expr.Bool
	stamped, skipTransactions                     expr.Bool
	pad                                           expr.Int
	base                                          string // what stands for the plan's folder
	lost                                          losses

	mu     sync.Mutex
	number int64
	stamp  string
}

func (c *resultSaver) Props(p *elem.Props) {
	c.lost.place, c.lost.what = p.Place(), "responses"
	p.Text(&c.prefix, "FileSaver.filename", "", "start of the file names; ~/ at its start is the plan's folder")
	p.Text(&c.variable, "FileSaver.variablename", "", "variable that gets the file name; of parts with their number")
	p.Bool(&c.errorsOnly, "FileSaver.errorsonly", false, "only failed samples")
	p.Bool(&c.successOnly, "FileSaver.successonly", false, "only successful samples")
	p.Bool(&c.skipNumber, "FileSaver.skipautonumber", false, "no number in the file name")
	p.Bool(&c.skipType, "FileSaver.skipsuffix", false, "no suffix by the content type")
	p.Bool(&c.stamped, "FileSaver.addTimstamp", false, "the start of the test in the file name")
	p.Int(&c.pad, "FileSaver.numberPadLen", "0", "digits of the number")
	p.Bool(&c.skipTransactions, "FileSaver.ignoreTC", true, "no transactions")
	c.base = p.Property("jmeter.save.saveservice.base_prefix", "~/")
}

// Needs are the body, and the headers for its type.
func (c *resultSaver) Needs() elem.Needs { return elem.NeedBody | elem.NeedResponseHeaders }

func (c *resultSaver) TestStart(r *vu.Run) error {
	c.number, c.stamp = 0, ""
	t := vu.NewThread(&vu.Group{Run: r}, 0, "main-1", vu.NewVars(vu.NewNames()))
	if c.stamped.Eval(t) {
		c.stamp = time.Now().Format("20060102-1504_")
	}
	return nil
}

// Sampled saves the sample and then its parts.
func (c *resultSaver) Sampled(t *vu.Thread, s *jtl.Sample) {
	n := 0
	c.save(t, s, &n)
}

func (c *resultSaver) save(t *vu.Thread, s *jtl.Sample, n *int) {
	c.one(t, s, *n)
	*n++
	for _, sub := range s.Subs {
		c.save(t, sub, n)
	}
}

func (c *resultSaver) one(t *vu.Thread, s *jtl.Sample, n int) {
	if c.skipTransactions.Eval(t) && strings.HasPrefix(s.Message, elem.TransactionPrefix) ||
		s.Success && c.errorsOnly.Eval(t) || !s.Success && c.successOnly.Eval(t) {
		return
	}
	name := c.name(t, s)
	s.FileName = name
	if v := c.variable.Eval(t); v != "" {
		if n > 0 {
			v += strconv.Itoa(n)
		}
		t.Vars.Put(v, name)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.Run.WorkDir, path)
	}
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, s.Body, 0o666)
	}
	if err != nil {
		t.Log().Error("Error creating sample file for "+s.Label, "logger", "o.a.j.r.ResultSaver", "err", err)
		c.lost.add(t.Run, 1, err)
	}
}

// TestEnd tells how many responses are lost.
func (c *resultSaver) TestEnd(*vu.Run) error { return c.lost.err() }

// name is the file for a sample, as results show it.
func (c *resultSaver) name(t *vu.Thread, s *jtl.Sample) string {
	name := c.prefix.Eval(t)
	if rest, ok := strings.CutPrefix(name, c.base); ok && c.base != "" {
		name = filepath.Join(t.Run.BaseDir, rest)
	}
	name += c.stamp
	if !c.skipNumber.Eval(t) {
		c.mu.Lock()
		c.number++
		number := strconv.FormatInt(c.number, 10)
		c.mu.Unlock()
		for range c.pad.Eval(t) - len(number) {
			name += "0"
		}
		name += number
	}
	if !c.skipType.Eval(t) {
		name += "." + suffix(contentType(s.ResponseHeaders))
	}
	return name
}

// suffix is the second half of a content type.
func suffix(kind string) string {
	_, sub, ok := strings.Cut(kind, "/")
	if !ok {
		return "unknown"
	}
	sub, _, _ = strings.Cut(sub, ";")
	return sub
}

// contentType is the last Content-Type of a response.
func contentType(headers string) string {
	kind := ""
	for line := range strings.SplitSeq(headers, "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "Content-Type") {
			kind = strings.TrimSpace(value)
		}
	}
	return kind
}

var (
	_ elem.Listener    = (*resultSaver)(nil)
	_ elem.Needer      = (*resultSaver)(nil)
	_ elem.TestStarter = (*resultSaver)(nil)
	_ elem.TestEnder   = (*resultSaver)(nil)
)
