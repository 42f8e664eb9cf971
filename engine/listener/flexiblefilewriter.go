package listener

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[flexibleWriter](elem.Spec{
		Class: "kg.apc.jmeter.reporters.FlexibleFileWriter", Title: "jp@gc - Flexible File Writer", Kind: elem.KindListener, Status: elem.Partial,
		Note: "the whole element, not compared with the plug-in by a recorded case",
	})
}

// flexibleWriter writes a row of chosen fields for each sample.
type flexibleWriter struct {
	place                         string
	file, columns, header, footer expr.Text
	overwrite                     expr.Bool
	variables                     []string // sample_variables
	thread                        *vu.Thread
	slot                          vu.Slot[[]byte]

	row   []column
	lost  losses
	mu    sync.Mutex
	out   *os.File
	buf   []byte
	rows  int       // that buf holds
	fresh time.Time // when it was last written to the disk
}

func (c *flexibleWriter) Props(p *elem.Props) {
	c.place = p.Place()
	c.lost.place, c.lost.what = c.place, "rows"
	p.Text(&c.file, "filename", "", "file")
	p.Text(&c.columns, "columns", "", `names of fields and other text, separated by |; \t \n \r \\ are characters, || is a |`)
	p.Text(&c.header, "header", "", "text before the rows")
	p.Text(&c.footer, "footer", "", "text behind the rows")
	p.Bool(&c.overwrite, "overwrite", false, "begin the file anew, do not append")
	c.slot = elem.SlotOf[[]byte](p)
	if p.Run() == nil {
		return
	}
	c.thread = p.Compiler().Engine
	if cfg, err := jtl.ConfigFromProperties(p.Run().Props.Lookup); err == nil {
		c.variables = cfg.Variables
	}
}

// Needs are all that a field may be made of, where the columns are not known yet.
func (c *flexibleWriter) Needs() elem.Needs {
	if !c.columns.IsConst() {
		return elem.NeedAll
	}
	var n elem.Needs
	for _, col := range c.compile(c.columns.Source()) {
		n |= col.needs
	}
	return n
}

// column appends one field of a row.
type column struct {
	needs  elem.Needs
	append func(dst []byte, t *vu.Thread, s *jtl.Sample) []byte
}

type field = func(dst []byte, s *jtl.Sample) []byte

func number(f func(s *jtl.Sample) int64) field {
	return func(dst []byte, s *jtl.Sample) []byte { return strconv.AppendInt(dst, f(s), 10) }
}

func word(f func(s *jtl.Sample) string) field {
	return func(dst []byte, s *jtl.Sample) []byte { return append(dst, f(s)...) }
}

func flag(f func(s *jtl.Sample) bool) field {
	return func(dst []byte, s *jtl.Sample) []byte {
		if f(s) {
			return append(dst, '1')
		}
		return append(dst, '0')
	}
}

// seconds writes milliseconds with a point before the last three digits.
func seconds(f func(s *jtl.Sample) int64) field {
	return func(dst []byte, s *jtl.Sample) []byte { return fmt.Appendf(dst, "%d.%03d", f(s)/1000, f(s)%1000) }
}

// fields are the plug-in's, its spelling included.
var fields = map[string]struct {
	needs elem.Needs
	field field
}{
	"isSuccsessful":      {0, flag(func(s *jtl.Sample) bool { return s.Success })},
	"isFailed":           {0, flag(func(s *jtl.Sample) bool { return !s.Success })},
	"startTime":          {0, number(func(s *jtl.Sample) int64 { return s.Start })},
	"endTime":            {0, number(func(s *jtl.Sample) int64 { return s.End })},
	"startTimeMillis":    {0, seconds(func(s *jtl.Sample) int64 { return s.Start })},
	"endTimeMillis":      {0, seconds(func(s *jtl.Sample) int64 { return s.End })},
	"sentBytes":          {elem.NeedSamplerData, number(func(s *jtl.Sample) int64 { return int64(java.Length(s.SentText())) })},
	"receivedBytes":      {elem.NeedBody, number(func(s *jtl.Sample) int64 { return int64(len(s.Body)) })},
	"responseTime":       {0, number(func(s *jtl.Sample) int64 { return s.Elapsed })},
	"responseTimeMicros": {0, number(func(s *jtl.Sample) int64 { return s.Elapsed * 1000 })},
	"latency":            {0, number(func(s *jtl.Sample) int64 { return s.Latency })},
	"latencyMicros":      {0, number(func(s *jtl.Sample) int64 { return s.Latency * 1000 })},
	"connectTime":        {0, number(func(s *jtl.Sample) int64 { return s.Connect })},
	"responseCode":       {0, word(func(s *jtl.Sample) string { return s.Code })},
	"responseMessage":    {0, word(func(s *jtl.Sample) string { return s.Message })},
	"threadName":         {0, word(func(s *jtl.Sample) string { return s.ThreadName })},
	"sampleLabel":        {0, word(func(s *jtl.Sample) string { return s.Label })},
	"URL":                {0, word(func(s *jtl.Sample) string { return s.URL })},
	"requestData":        {elem.NeedSamplerData, word((*jtl.Sample).SentText)},
	"responseData":       {elem.NeedBody, func(dst []byte, s *jtl.Sample) []byte { return append(dst, s.Body...) }},
	"requestHeaders":     {elem.NeedRequestHeaders, word(func(s *jtl.Sample) string { return s.RequestHeaders })},
	"responseHeaders":    {elem.NeedResponseHeaders, word(func(s *jtl.Sample) string { return s.ResponseHeaders })},
	"threadsCount":       {0, number(func(s *jtl.Sample) int64 { return int64(s.AllThreads) })},
	"grpThreads":         {0, number(func(s *jtl.Sample) int64 { return int64(s.GroupThreads) })},
	"sampleCount":        {0, number(func(s *jtl.Sample) int64 { return int64(s.SampleCount) })},
	"errorCount":         {0, number((*jtl.Sample).Errors)},
	"responseHeaderSize": {0, number(func(s *jtl.Sample) int64 { return s.HeaderSize })},
	"responseSize":       {0, number(func(s *jtl.Sample) int64 { return s.BodySize })},
}

const variablePrefix = "variable#"

// escapes of the plug-in's texts.
var escapes = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

// compile reads the columns.
func (c *flexibleWriter) compile(text string) (row []column) {
	parts := strings.Split(escapes.Replace(text), "|")
	for len(parts) > 1 && parts[len(parts)-1] == "" { // as Java splits
		parts = parts[:len(parts)-1]
	}
	for _, part := range parts {
		if f, ok := fields[part]; ok {
			row = append(row, column{f.needs, func(dst []byte, _ *vu.Thread, s *jtl.Sample) []byte { return f.field(dst, s) }})
			continue
		}
		if index, ok := strings.CutPrefix(part, variablePrefix); ok {
			if n, err := strconv.Atoi(index); err == nil && n >= 0 {
				row = append(row, column{0, c.variable(n)})
				continue
			}
		}
		if part == "" {
			part = "|"
		}
		row = append(row, column{0, func(dst []byte, _ *vu.Thread, _ *jtl.Sample) []byte { return append(dst, part...) }})
	}
	return row
}

// variable is the n-th of sample_variables.
func (c *flexibleWriter) variable(n int) func(dst []byte, t *vu.Thread, _ *jtl.Sample) []byte {
	return func(dst []byte, t *vu.Thread, _ *jtl.Sample) []byte {
		if n >= len(c.variables) {
			return append(append(dst, "UNDEFINED_"+variablePrefix...), strconv.Itoa(n)...)
		}
		return append(dst, t.Vars.GetOr(c.variables[n], "")...)
	}
}

// Open opens the file and begins it.
func (c *flexibleWriter) Open(r *vu.Run) error {
	c.row = c.compile(c.columns.Eval(c.thread))
	name := c.file.Eval(c.thread)
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.WorkDir, name)
	}
	mode := os.O_APPEND
	if c.overwrite.Eval(c.thread) {
		mode = os.O_TRUNC
	}
	var err error
	if c.out, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|mode, 0o666); err != nil {
		return fmt.Errorf("%s: %w", c.place, err)
	}
	c.buf = append(make([]byte, 0, 2*flexibleBlock), escapes.Replace(c.header.Eval(c.thread))...)
	return nil
}

func (c *flexibleWriter) Sampled(t *vu.Thread, s *jtl.Sample) {
	mem := c.slot.Of(t)
	row := (*mem)[:0]
	for i := range c.row {
		row = c.row[i].append(row, t, s)
	}
	*mem = row
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf = append(c.buf, row...)
	c.rows++
	if now := time.Now(); len(c.buf) >= flexibleBlock || now.Sub(c.fresh) >= time.Second { // for those who look on
		c.fresh = now
		c.flush(t.Run)
	}
}

// flexibleBlock is how much is gathered before it goes to the file.
const flexibleBlock = 64 << 10

// flush writes what was gathered, or gives it up: there may be room for what
// follows. What the disk took of it is taken back, as it ends inside a row.
func (c *flexibleWriter) flush(r *vu.Run) {
	n, err := c.out.Write(c.buf)
	if err != nil {
		c.lost.add(r, c.rows, err)
		if st, err := c.out.Stat(); err == nil && n > 0 && st.Mode().IsRegular() {
			_ = c.out.Truncate(st.Size() - int64(n)) // it was told
		}
	}
	c.buf, c.rows = c.buf[:0], 0
}

func (c *flexibleWriter) TestEnd(r *vu.Run) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out == nil {
		return nil
	}
	c.buf = append(c.buf, escapes.Replace(c.footer.Eval(c.thread))...)
	c.flush(r)
	if err := c.out.Close(); err != nil {
		c.lost.add(r, 0, err)
	}
	c.out = nil
	return c.lost.err()
}

var (
	_ elem.Listener  = (*flexibleWriter)(nil)
	_ elem.Needer    = (*flexibleWriter)(nil)
	_ elem.Opener    = (*flexibleWriter)(nil)
	_ elem.TestEnder = (*flexibleWriter)(nil)
)
