package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[randomCSV](elem.Spec{
		Class: "com.blazemeter.jmeter.RandomCSVDataSetConfig", Title: "bzm - Random CSV Data Set Config", Kind: elem.KindConfig, Status: elem.Partial,
		Note: "the file is held in memory; not compared with the plug-in at work",
	})
}

// randomCSV reads a record of a file into variables each time the controller around
// it starts a pass, in random order without repetition or in the file's order.
type randomCSV struct {
	place     string
	engine    *vu.Thread
	file      expr.Text
	encoding  expr.Text
	delimiter expr.Text
	names     expr.Text
	random    expr.Bool
	skipFirst expr.Bool
	rewind    expr.Bool
	alone     expr.Bool
	slot      vu.Slot[recordList]

	data    string // the file; set before the first thread
	offsets []int  // where records start
	header  []string

	mu  sync.Mutex // guards all
	all recordList
}

// recordList hands out the records, each once a turn.
type recordList struct {
	order []int // of offsets; nil is the file's
	next  int
}

func (c *randomCSV) Props(p *elem.Props) {
	c.place = p.Place()
	if p.Run() != nil {
		c.engine = p.Compiler().Engine
	}
	p.Text(&c.file, "filename", "", "file, in the working directory or else in the plan's folder")
	p.Text(&c.encoding, "fileEncoding", "", "charset; empty is UTF-8")
	p.Text(&c.delimiter, "delimiter", ",", `delimiter, one character; \t is a tab`)
	p.Text(&c.names, "variableNames", "", "variables, separated by commas; empty takes them from the first line")
	p.Bool(&c.random, "randomOrder", false, "random order, without repetition")
	p.Bool(&c.skipFirst, "ignoreFirstLine", false, "leave the first line out, where variables are named")
	p.Bool(&c.rewind, "rewindOnTheEndOfList", false, "start over at the end; else the thread ends")
	p.Bool(&c.alone, "independentListPerThread", false, "each thread gets all records, not a share of them")
	c.slot = elem.SlotOf[recordList](p)
}

// TestStart reads the file.
func (c *randomCSV) TestStart(r *vu.Run) error {
	if err := c.load(r); err != nil {
		return fmt.Errorf("%s: %w", c.place, err)
	}
	c.all = recordList{}
	return nil
}

func (c *randomCSV) delim(t *vu.Thread) rune {
	switch s := c.delimiter.Eval(t); s {
	case "":
		return ','
	case `\t`:
		return '\t'
	default:
		return firstRune(s)
	}
}

func (c *randomCSV) load(r *vu.Run) error {
	t := c.engine
	charset := java.UTF8
	if name := c.encoding.Eval(t); name != "" {
		var ok bool
		if charset, ok = java.LookupCharset(name); !ok {
			return fmt.Errorf("unknown file encoding %q", name)
		}
	}
	raw, err := os.ReadFile(inWorkOrPlanDir(r, c.file.Eval(t)))
	if err != nil {
		return err
	}
	c.data = strings.TrimPrefix(charset.Decode(raw), "\ufeff")
	c.offsets, c.header = nil, nil
	in, delimiter := strings.NewReader(c.data), c.delim(t)
	for {
		at := len(c.data) - in.Len()
		if in.Len() == 0 {
			break
		}
		record, err := readRecord(in, nil, delimiter)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", c.file.Eval(t), err)
		}
		if c.header == nil {
			c.header = record
		}
		c.offsets = append(c.offsets, at)
	}
	if c.names.Eval(t) == "" || c.skipFirst.Eval(t) {
		c.offsets = c.offsets[min(1, len(c.offsets)):]
	}
	if len(c.offsets) == 0 {
		return fmt.Errorf("%s has no records", c.file.Eval(t))
	}
	return nil
}

// PassStart sets the variables to the next record.
func (c *randomCSV) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	at, ok := c.take(t)
	if !ok {
		t.Log().Info("All records in the CSV file have been passed.", "logger", "c.b.j.RandomCSVDataSetConfig")
		vu.Throw(vu.ErrStopThread)
	}
	values, err := readRecord(strings.NewReader(c.data[at:]), nil, c.delim(t))
	if err != nil {
		vu.Throw(err)
	}
	names := c.header
	if list := c.names.Eval(t); list != "" {
		names = splitNames(list)
	}
	for i, name := range names[:min(len(names), len(values))] {
		t.Vars.Put(name, values[i])
	}
}

func (c *randomCSV) take(t *vu.Thread) (at int, ok bool) {
	list := &c.all
	if c.alone.Eval(t) {
		list = c.slot.Of(t)
	} else {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	if list.next == len(c.offsets) {
		if !c.rewind.Eval(t) {
			return 0, false
		}
		list.next = 0
	}
	n := list.next
	list.next++
	if !c.random.Eval(t) {
		return c.offsets[n], true
	}
	if list.order == nil {
		list.order = make([]int, len(c.offsets))
		for i := range list.order {
			list.order[i] = i
		}
	}
	other := n + t.Rand.IntN(len(list.order)-n)
	list.order[n], list.order[other] = list.order[other], list.order[n]
	return c.offsets[list.order[n]], true
}

var (
	_ elem.PassStarter = (*randomCSV)(nil)
	_ elem.TestStarter = (*randomCSV)(nil)
)
