package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path"
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
// Lines reach the file within a second.
type logger struct {
	mu     sync.Mutex
	file   *os.File
	w      *bufio.Writer
	dirty  bool
	closed chan struct{}

	root   slog.Level
	levels []levelOf
	early  []string // warnings from before the file was open
}

type levelOf struct {
	prefix string
	level  slog.Level
}

// later keeps a warning for the log that is not open yet.
func (l *logger) later(format string, args ...any) {
	if l != nil {
		l.early = append(l.early, fmt.Sprintf(format, args...))
	}
}

// openLog opens the run log; name may hold date patterns in single quotes
// (run_'yyyyMMdd'.log).
func openLog(name string, l *logger) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("the run log cannot be written: %w", err)
	}
	l.file, l.w, l.closed = f, bufio.NewWriterSize(f, 32<<10), make(chan struct{})
	go l.tick()
	for _, line := range l.early {
		slog.New(l).Warn(line, "logger", "o.a.j.JMeter")
	}
	return nil
}

// logName expands the date patterns of a log file's name.
func logName(name string, now time.Time) string {
	parts := strings.Split(name, "'")
	if len(parts)%2 == 0 {
		return name // a quote without its pair
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		p, err := java.ParsePattern(part)
		if err != nil {
			return name
		}
		b.Write(p.Append(nil, now, java.JMeter))
	}
	return b.String()
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
	if l.dirty && l.w != nil {
		_ = l.w.Flush() // a full disk must not stop the run; its results tell of it
		l.dirty = false
	}
}

// close flushes and closes the file.
func (l *logger) close() {
	if l == nil || l.file == nil {
		return
	}
	close(l.closed)
	l.flush()
	l.file.Close()
}

// setLevel heeds -L: a level for all, or category=level.
func (l *logger) setLevel(category, level string) error {
	lv, ok := map[string]slog.Level{
		"ALL": slog.LevelDebug - 4, "TRACE": slog.LevelDebug - 4, "DEBUG": slog.LevelDebug, "INFO": slog.LevelInfo,
		"WARN": slog.LevelWarn, "ERROR": slog.LevelError, "FATAL": slog.LevelError, "OFF": slog.LevelError + 100,
	}[strings.ToUpper(level)]
	if !ok {
		return fmt.Errorf("unknown log level %q", level)
	}
	if category == "" {
		l.root = lv
		return nil
	}
	if strings.HasPrefix(category, "jmeter") || strings.HasPrefix(category, "jorphan") {
		category = "org.apache." + category
	}
	l.levels = append(l.levels, levelOf{abbreviate(category), lv})
	return nil
}

// abbreviate shortens the packages of a class to their initials, as the log
// shows them; what may be the last package of a category stays whole.
func abbreviate(category string) string {
	parts := strings.Split(category, ".")
	for i := range parts[:len(parts)-1] {
		parts[i] = parts[i][:min(1, len(parts[i]))]
	}
	return strings.Join(parts, ".")
}

func (l *logger) level(class string) slog.Level {
	lv, best := l.root, -1
	for _, x := range l.levels {
		if len(x.prefix) > best && (class == x.prefix || strings.HasPrefix(class, x.prefix)) {
			lv, best = x.level, len(x.prefix)
		}
	}
	return lv
}

// Enabled implements slog.Handler.
func (l *logger) Enabled(_ context.Context, lv slog.Level) bool {
	if l.file == nil {
		return false
	}
	if len(l.levels) == 0 {
		return lv >= l.root
	}
	return true // by class, in Handle
}

// Handle implements slog.Handler.
func (l *logger) Handle(_ context.Context, r slog.Record) error {
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
	l.dirty = true
	return err
}

// WithAttrs implements slog.Handler; the program does not use it.
func (l *logger) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler; the program does not use it.
func (l *logger) WithGroup(string) slog.Handler { return l }

// secretName tells whether a property's value should not be shown.
func secretName(name string) bool {
	name = strings.ToLower(path.Base(name))
	for _, w := range []string{"pass", "secret", "token", "key"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
