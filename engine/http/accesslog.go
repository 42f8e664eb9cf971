package http

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[accessLog](elem.Spec{
		Class: "AccessLogSampler", Title: "Access Log Sampler", Kind: elem.KindSampler, Status: elem.Full, Merge: merged,
	})
}

// accessLog asks for what an access log says was asked for, one line a sample
// (JMeter manual, Access Log Sampler).
type accessLog struct {
	s              sampler       // makes the request, as the Java implementation
	cookies        cookieManager // of visitors
	file           expr.Text
	parser, filter string
	slot           vu.Slot[accessLogState]
}

// accessLogState is where a thread stands in its log.
type accessLogState struct {
	log    *logFile
	found  bool // a line since the beginning of the file
	method string
	as     *visitor // that the thread stands for
}

// The classes of JMeter's that read a log and look at its lines.
const (
	logPackage      = "org.apache.jmeter.protocol.http.util.accesslog."
	ownParser       = "TCLogParser"
	sharedParser    = "SharedTCLogParser"
	preservedParser = "OrderPreservingLogParser"
	logFilter       = "LogFilter"
	sessionFilter   = "SessionFilter"
)

func (c *accessLog) Props(p *elem.Props) {
	c.s.Props(p)
	p.Text(&c.file, "logFile", "", "access log, may be gzipped")
	c.parser = p.Raw("parserClassName", logPackage+ownParser, "class that reads the log")
	c.filter = p.Raw("filterClassName", "", "class that looks at each line")
	for text, prop := range map[string]prop{"domain": propDomain, "portString": propPort, "protocol": propProtocol, "imageParsing": propImages} {
		if p.Has(text) {
			p.Text(&c.s.text[prop], text, "", properties[prop].doc)
		} else {
			p.Ignore(text)
		}
	}
	c.cookies.read(p)
	c.s.text[propImplementation], c.s.text[propKeepAlive] = expr.Const("Java"), expr.Const("false")
	c.slot = elem.SlotOf[accessLogState](p)
	if p.Run() == nil {
		return
	}
	c.parser, c.filter = strings.TrimPrefix(c.parser, logPackage), strings.TrimPrefix(c.filter, logPackage)
	switch c.parser {
	case ownParser, sharedParser, preservedParser:
	default:
		p.Refuse("property", "parserClassName", "classes of the user are not loaded: %s", c.parser)
	}
	switch c.filter {
	case "", logFilter, sessionFilter:
	default:
		p.Refuse("property", "filterClassName", "classes of the user are not loaded: %s", c.filter)
	}
}

// Bind finds the managers in scope.
func (c *accessLog) Bind(sc *elem.Scope) {
	c.s.Bind(sc)
	c.s.fixed.loosen()
}

// IterationStart is the sampler's.
func (c *accessLog) IterationStart(t *vu.Thread) { c.s.IterationStart(t) }

// ThreadEnd closes the thread's connections and its log.
func (c *accessLog) ThreadEnd(t *vu.Thread) {
	c.s.ThreadEnd(t)
	c.slot.Of(t).leave()
	if st := c.slot.Of(t); st.log != nil && c.parser == ownParser {
		st.log.close()
	}
}

// TestEnd closes a log that all threads have read.
func (c *accessLog) TestEnd(r *vu.Run) error {
	if c.parser != ownParser {
		vu.Shared(r, c, func() *logFile { return &logFile{} }).close()
	}
	return nil
}

// Sample asks for the next line of the log.
func (c *accessLog) Sample(t *vu.Thread, r *jtl.Sample) bool {
	st := c.slot.Of(t)
	if st.log == nil {
		found, _ := resolve(t.Run, c.file.Eval(t))
		if st.log = (&logFile{path: found, again: c.parser != ownParser}); st.log.again {
			log := vu.Shared(t.Run, sharedLog(found), func() *logFile { return st.log })
			st.log = vu.Shared(t.Run, c, func() *logFile { return log }) // for TestEnd
		}
	}
	line, err := st.log.next()
	switch {
	case err == io.EOF:
		if !st.found || c.filter == "" {
			t.Stop()
		}
		st.found = false
		c.visitors(t).forget()
		return c.failed(t, r, "No entries found")
	case err != nil:
		t.Log().Error("Problem creating samples", "logger", "o.a.j.p.h.u.a.TCLogParser", "err", err)
		return c.failed(t, r, "Problem parsing the log file")
	}
	visitor := address4.FindString(line)
	if c.filter == sessionFilter && visitor == "" {
		t.Log().Error("Problem creating samples", "logger", "o.a.j.p.h.u.a.TCLogParser", "err", "no IP address in "+strconv.Quote(line))
		return c.failed(t, r, "Problem parsing the log file")
	}
	st.found = true
	target := st.target(line)
	path, query, _ := strings.Cut(target, "?")
	query, _, _ = strings.Cut(query, "?")
	e := c.s.edit(t)
	e.put(propPath, path)
	e.put(propMethod, st.method)
	args := append([]argument(nil), c.s.args...)
	for part := range strings.SplitSeq(query, "&") {
		if name, value, equals := strings.Cut(part, "="); name != "" {
			args = append(args, plainArgument(name, value, metadata(equals), false))
		}
	}
	e.setArguments(args)
	if c.filter == sessionFilter {
		st.leave()
		st.as = c.visitors(t).meet(t, visitor)
		c.s.sh.users.Of(t).jar = st.as.jar
	}
	if !c.s.Sample(t, r) {
		return false
	}
	r.Label = r.URL
	if st.method == "POST" {
		query := appendQuery(nil, args, t, java.UTF8, '&')
		r.Label += "\nQuery Data: " + string(bytes.TrimPrefix(query, []byte("&")))
	}
	return true
}

// failed is a result without a name, as JMeter reports what is wrong with a log.
func (c *accessLog) failed(t *vu.Thread, r *jtl.Sample, message string) bool {
	r.HTTP, r.Label = true, ""
	return failedAtOnce(r, &wire.Error{Class: "java.lang.Error", Message: message})
}

// logMethods are those that are looked for, in this order.
var logMethods = []string{"GET", "POST", "HEAD"}

// target is what a line asks for. A line without a method keeps the last one
// and is taken for the path itself, as in JMeter.
func (st *accessLogState) target(line string) string {
	if !st.finds(line) || !strings.Contains(line, `"`) {
		return line
	}
	for part := range strings.SplitSeq(line, `"`) {
		if !st.finds(part) {
			continue
		}
		for word := range strings.FieldsSeq(part) {
			for _, m := range logMethods {
				if strings.EqualFold(word, m) {
					st.method = m
				}
			}
			if strings.HasPrefix(word, "/") {
				return word
			}
		}
		break
	}
	return line
}

func (st *accessLogState) finds(text string) bool {
	for _, m := range logMethods {
		if strings.Contains(text, m) {
			st.method = m
			return true
		}
	}
	return false
}

var address4 = regexp.MustCompile(`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`)

// visitors are those of a log, by address: all threads of the sampler meet the
// same (JMeter manual, Access Log Sampler, SessionFilter).
type visitors struct {
	m *cookieManager

	mu    sync.Mutex
	known map[string]*visitor
}

// visitor has cookies of its own. One thread at a time stands for it.
type visitor struct {
	jar   *jar
	taken chan struct{} // holds something while a thread does
}

func (c *accessLog) visitors(t *vu.Thread) *visitors {
	return vu.Shared(t.Run, visitorsKey{c}, func() *visitors { return &visitors{m: &c.cookies} })
}

type visitorsKey struct{ c *accessLog }

// meet makes a thread stand for a visitor, once nobody else does or the thread
// is interrupted.
func (v *visitors) meet(t *vu.Thread, address string) *visitor {
	v.mu.Lock()
	one := v.known[address]
	if one == nil {
		one = &visitor{&jar{m: v.m, filled: true}, make(chan struct{}, 1)}
		if v.known == nil {
			v.known = map[string]*visitor{}
		}
		v.known[address] = one
	}
	v.mu.Unlock()
	select {
	case one.taken <- struct{}{}:
	default:
		select {
		case one.taken <- struct{}{}:
		case <-t.Interrupted():
			return &visitor{jar: &jar{m: v.m, t: t, filled: true}}
		}
	}
	one.jar.t = t
	return one
}

// forget makes all visitors new ones.
func (v *visitors) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known = nil
}

// leave lets other threads stand for the visitor.
func (st *accessLogState) leave() {
	if st.as != nil && st.as.taken != nil {
		<-st.as.taken
	}
	st.as = nil
}

// logFile reads lines, each once for all who share it. At its end it begins
// anew. It is safe for concurrent use.
type logFile struct {
	path  string
	again bool // behind its end comes its beginning, as in the logs that threads share
	some  bool // there was a line since its beginning

	mu   sync.Mutex
	file *os.File
	in   *bufio.Reader
}

// sharedLog is the path of a log that all samplers of a run read together.
type sharedLog string

// next returns the next line that is not empty, or io.EOF.
func (l *logFile) next() (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.in == nil {
		if err := l.open(); err != nil {
			return "", err
		}
	}
	for {
		line, err := l.in.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			l.some = true
			return line, nil
		}
		if err == nil {
			continue
		}
		l.file.Close()
		l.file, l.in = nil, nil
		if !l.again || !l.some {
			return "", err
		}
		l.some = false
		if err := l.open(); err != nil {
			return "", err
		}
	}
}

func (l *logFile) open() error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	in := bufio.NewReader(f)
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		in = bufio.NewReader(z)
	}
	l.file, l.in = f, in
	return nil
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
		l.file, l.in = nil, nil
	}
}

var (
	_ elem.Sampler          = (*accessLog)(nil)
	_ elem.Binder           = (*accessLog)(nil)
	_ elem.IterationStarter = (*accessLog)(nil)
	_ elem.ThreadEnder      = (*accessLog)(nil)
	_ elem.TestEnder        = (*accessLog)(nil)
)
