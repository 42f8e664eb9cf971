package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// logger writes the run log in JMeter's line format:
//
//	2026-11-30 10:00:00,000 INFO o.a.j.t.JMeterThread: Thread started: Users 1-1
//
// The attribute "logger" names the class; other attributes follow the text.
// Lines reach the file within a second. What is logged before the file is open
// is kept for it. Safe for concurrent use once it is open.
type logger struct {
	mu     sync.Mutex
	file   *os.File
	w      *bufio.Writer
	dirty  bool
	closed chan struct{}
	early  []slog.Record
	lost   func(error) // if set, told once that lines are lost

	root   slog.Level
	lowest slog.Level // of root and levels
	levels []categoryLevel
}

// categoryLevel is the level of one class, or of all in a package.
type categoryLevel struct {
	class, pack string
	level       slog.Level
}

func newLogger() *logger { return &logger{} }

const (
	levelTrace = slog.LevelDebug - 4
	levelFatal = slog.LevelError + 4
	levelOff   = slog.LevelError + 100
)

// setLevel heeds -L: a level for all, or category=level. As in JMeter,
// categories that begin with jmeter or jorphan are those of org.apache.
func (l *logger) setLevel(category, level string) error {
	if level == "" {
		category, level = "", category
	}
	lv, ok := map[string]slog.Level{
		"ALL": levelTrace, "TRACE": levelTrace, "DEBUG": slog.LevelDebug, "INFO": slog.LevelInfo,
		"WARN": slog.LevelWarn, "ERROR": slog.LevelError, "FATAL": levelFatal, "OFF": levelOff,
	}[strings.ToUpper(level)]
	if !ok {
		return fmt.Errorf("-L: %q is not a log level", level)
	}
	if category == "" {
		l.root = lv
	} else {
		if strings.HasPrefix(category, "jmeter") || strings.HasPrefix(category, "jorphan") {
			category = "org.apache." + category
		}
		parts := strings.Split(category, ".")
		for i := range parts[:len(parts)-1] {
			parts[i] = initial(parts[i])
		}
		c := categoryLevel{class: strings.Join(parts, "."), level: lv}
		parts[len(parts)-1] = initial(parts[len(parts)-1])
		c.pack = strings.Join(parts, ".") + "."
		l.levels = append(l.levels, c)
	}
	l.lowest = l.root
	for _, c := range l.levels {
		l.lowest = min(l.lowest, c.level)
	}
	return nil
}

// initial shortens a package as the log does.
func initial(pack string) string { return pack[:min(1, len(pack))] }

// level is the level of a class, whose packages are shortened to their initials.
func (l *logger) level(class string) slog.Level {
	lv, best := l.root, -1
	for _, c := range l.levels {
		n := -1
		switch {
		case class == c.class:
			n = len(c.class)
		case strings.HasPrefix(class, c.pack):
			n = len(c.pack)
		}
		if n >= 0 && n >= best { // the later of equals
			lv, best = c.level, n
		}
	}
	return lv
}

// open opens the file and writes what was kept for it.
func (l *logger) open(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("the run log cannot be written: %w", err)
	}
	l.file, l.w, l.closed = f, bufio.NewWriterSize(f, 32<<10), make(chan struct{})
	for _, r := range l.early {
		_ = l.Handle(context.Background(), r)
	}
	l.early = nil
	go l.tick()
	return nil
}

// discard makes it a log that nobody reads.
func (l *logger) discard() { l.early, l.lowest = nil, levelOff+1 }

// logName expands the date patterns of a log file's name, in single quotes:
// run_'yyyyMMdd'.log. Without its pair a quote is a quote.
func logName(name string, now time.Time) string {
	parts := strings.Split(name, "'")
	if len(parts)%2 == 0 {
		return name
	}
	var b []byte
	for i, part := range parts {
		if i%2 == 0 {
			b = append(b, part...)
			continue
		}
		p, err := java.ParsePattern(part)
		if err != nil {
			return name
		}
		b = p.Append(b, now, java.JMeter)
	}
	return string(b)
}

func (l *logger) tick() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			l.flush()
		case <-l.closed:
			return
		}
	}
}

func (l *logger) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dirty {
		l.check(l.w.Flush())
		l.dirty = false
	}
}

// check gives up lines that cannot be written: a full disk must not stop the run,
// and there may be room for those that follow.
func (l *logger) check(err error) {
	if err == nil {
		return
	}
	l.w.Reset(l.file)
	if l.lost != nil {
		l.lost(err)
		l.lost = nil
	}
}

// close flushes and closes the file.
func (l *logger) close() {
	if l.file == nil {
		return
	}
	close(l.closed)
	l.flush()
	l.file.Close()
}

// Enabled implements slog.Handler.
func (l *logger) Enabled(_ context.Context, lv slog.Level) bool { return lv >= l.lowest }

// Handle implements slog.Handler.
func (l *logger) Handle(_ context.Context, r slog.Record) error {
	if l.file == nil {
		l.early = append(l.early, r)
		return nil
	}
	class := "o.a.j.JMeter"
	var attrs strings.Builder
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "logger" {
			class = a.Value.String()
		} else {
			fmt.Fprintf(&attrs, " %s=%v", a.Key, a.Value)
		}
		return true
	})
	if r.Level < l.level(class) {
		return nil
	}
	name := r.Level.String()
	if r.Level < slog.LevelDebug {
		name = "TRACE"
	}
	line := r.Time.AppendFormat(nil, "2006-01-02 15:04:05,000")
	line = fmt.Appendf(line, " %s %s: %s%s\n", name, class, r.Message, attrs.String())
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.w.Write(line)
	l.check(err)
	l.dirty = true
	return nil
}

// WithAttrs implements slog.Handler; the program does not use it.
func (l *logger) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler; the program does not use it.
func (l *logger) WithGroup(string) slog.Handler { return l }
