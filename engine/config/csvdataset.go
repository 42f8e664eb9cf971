package config

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[csvDataSet](elem.Spec{
		Class: "CSVDataSet", Title: "CSV Data Set Config", Kind: elem.KindConfig, Status: elem.Full,
	})
}

// csvDataSet reads a row of a file into variables each time the controller
// around it starts a pass (JMeter manual, "CSV Data Set Config").
type csvDataSet struct {
	place     string
	eof       string // value of all variables at the end of the file
	file      expr.Text
	encoding  expr.Text
	names     expr.Text
	delimiter expr.Text
	share     expr.Text
	skipFirst expr.Bool
	quoted    expr.Bool
	recycle   expr.Bool
	stop      expr.Bool
	slot      vu.Slot[csvState]
}

// csvState is what a thread fixes with its first row.
type csvState struct {
	cursor csvCursor
	file   *csvFile
	names  []string
	skip   bool // the first line is none of the data
	values []string
}

func (c *csvDataSet) Props(p *elem.Props) {
	c.place = p.Place()
	c.eof = p.Property("csvdataset.eofstring", "<EOF>")
	p.Text(&c.file, "filename", "", "file, in the working directory or else in the plan's folder")
	p.Text(&c.encoding, "fileEncoding", "", "charset; empty is UTF-8")
	p.Text(&c.names, "variableNames", "", "variables, separated by commas; empty takes them from the first line")
	p.Bool(&c.skipFirst, "ignoreFirstLine", false, "leave the first line out, where variables are named")
	p.Text(&c.delimiter, "delimiter", ",", `delimiter; \t is a tab`)
	p.Bool(&c.quoted, "quotedData", false, "fields may stand in quotes")
	p.Bool(&c.recycle, "recycle", false, "start over at the end of the file")
	p.Bool(&c.stop, "stopThread", false, "stop the thread at the end of the file")
	p.Text(&c.share, "shareMode", shareAll, "shareMode.all, .group or .thread; other text names a cursor")
	c.slot = elem.SlotOf[csvState](p)
}

// PassStart reads a row.
func (c *csvDataSet) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	s := c.slot.Of(t)
	delimiter := c.delimiter.Eval(t)
	switch delimiter {
	case `\t`:
		delimiter = "\t"
	case "":
		delimiter = ","
	}
	if s.file == nil {
		if err := c.open(t, s, delimiter); err != nil {
			c.fail(t, err)
		}
	}
	err := c.read(t, s, delimiter)
	var quote quoteError
	switch {
	case errors.As(err, &quote):
		t.Log().Error(err.Error(), "logger", "o.a.j.c.CSVDataSet", "file", s.file.path)
		s.values = s.values[:0]
	case err != nil && err != io.EOF:
		c.fail(t, err)
	}
	for i, name := range s.names[:min(len(s.names), len(s.values))] {
		t.Vars.Put(name, s.values[i])
	}
	if len(s.values) > 0 {
		return
	}
	if c.stop.Eval(t) {
		t.Log().Info("End of file:"+s.file.name+" detected for CSV DataSet", "logger", "o.a.j.c.CSVDataSet")
		vu.Throw(vu.ErrStopThread)
	}
	for _, name := range s.names {
		t.Vars.Put(name, c.eof)
	}
}

// read fills values; an empty line has none, which counts as the end of the file.
func (c *csvDataSet) read(t *vu.Thread, s *csvState, delimiter string) (err error) {
	s.values = s.values[:0]
	if c.quoted.Eval(t) {
		s.values, err = s.file.record(s.values, c.recycle.Eval(t), s.skip, firstRune(delimiter))
		return err
	}
	line, err := s.file.line(c.recycle.Eval(t), s.skip)
	if err == nil {
		s.values = splitFields(s.values, line, delimiter)
	}
	return err
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// open finds the thread's cursor and the names of the variables.
func (c *csvDataSet) open(t *vu.Thread, s *csvState, delimiter string) error {
	s.cursor = csvCursor{file: java.Trim(c.file.Eval(t))}
	if s.cursor.file == "" {
		return errors.New("no file name")
	}
	switch mode := shareMode(c.share.Eval(t)); mode {
	case "", shareAll:
	case shareGroup:
		s.cursor.by = t.Group
	case shareThread:
		s.cursor.by = t
	default:
		s.cursor.by = mode
	}
	names := c.names.Eval(t)
	s.skip = names == "" || c.skipFirst.Eval(t)
	f, err := csvFilesOf(t.Run).file(t.Run, s.cursor, c.encoding.Eval(t), s.skip)
	if err != nil {
		return err
	}
	if names == "" {
		if s.names, err = readRecord(strings.NewReader(f.header), nil, firstRune(delimiter)); err != nil {
			return fmt.Errorf("the header line of %s: %w", f.path, err)
		}
		trimAll(s.names)
	} else {
		s.names = splitNames(names)
	}
	s.file = f
	return nil
}

// fail ends the thread. JMeter does no more, so that a run whose file is missing
// looks like one without errors; here the run fails.
func (c *csvDataSet) fail(t *vu.Thread, err error) {
	err = fmt.Errorf("%s: %w", c.place, err)
	t.Run.Fail(err)
	vu.Throw(err)
}

// ThreadEnd closes a file of the thread's own.
func (c *csvDataSet) ThreadEnd(t *vu.Thread) {
	if s := c.slot.Of(t); s.cursor.by == any(t) {
		csvFilesOf(t.Run).drop(s.cursor)
	}
}

// TestEnd closes all files.
func (c *csvDataSet) TestEnd(r *vu.Run) error {
	csvFilesOf(r).closeAll()
	return nil
}

// The share modes.
const (
	shareAll    = "shareMode.all"
	shareGroup  = "shareMode.group"
	shareThread = "shareMode.thread"
)

// shareMode reads the mode. Old plans hold the words that the author's JMeter
// showed, in the author's language.
func shareMode(s string) string {
	if mode, ok := shareModeWords[s]; ok {
		return mode
	}
	return s
}

var shareModeWords = map[string]string{
	"All threads": shareAll, "Current thread group": shareGroup, "Current thread": shareThread,
	"Todos los hilos": shareAll, "Actual grupo de hilos": shareGroup, "Hilo actual": shareThread,
	"Toutes les unités": shareAll, "Groupe d'unités courant": shareGroup, "Unité courante": shareThread,
	"모든 쓰레드들": shareAll, "현 쓰레드 그룹": shareGroup, "현 쓰레드": shareThread,
	"Wszystkie wątki": shareAll, "Bieżąca grupa wątków": shareGroup, "Bieżący wątek": shareThread,
	"Todos os usuários virtuais": shareAll, "Grupo de usuários atual": shareGroup, "Usuário virtual atual": shareThread,
	"所有线程": shareAll, "当前线程组": shareGroup, "当前线程": shareThread,
}

var (
	_ elem.PassStarter = (*csvDataSet)(nil)
	_ elem.ThreadEnder = (*csvDataSet)(nil)
	_ elem.TestEnder   = (*csvDataSet)(nil)
)
