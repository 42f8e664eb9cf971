package function

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__log", Title: "logs a text and returns it", Args: "text, level=INFO, exception?, comment?",
		Min: 1, Max: 4, Compile: compileLog,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__logn", Title: "logs a text and returns nothing", Args: "text, level=INFO, exception?",
		Min: 1, Max: 3, Compile: compileLogn,
	})
}

func compileLog(c *expr.Call) (expr.Eval, error) {
	logger := newLogger(c, "LogFunction")
	return func(dst []byte, t *vu.Thread) []byte { return append(dst, logger.log(t)...) }, nil
}

func compileLogn(c *expr.Call) (expr.Eval, error) {
	logger := newLogger(c, "LogFunction2")
	return func(dst []byte, t *vu.Thread) []byte {
		logger.log(t)
		return dst
	}, nil
}

type consoleKey struct{}

// logger is one occurrence of __log or __logn.
type logger struct {
	class                           string
	text, level, exception, comment expr.Text
	console                         *sync.Mutex // keeps lines whole
}

func newLogger(c *expr.Call, class string) *logger {
	return &logger{
		class: class, text: c.Arg(0), level: c.Arg(1), exception: c.Arg(2), comment: c.Arg(3),
		console: runShared(c, consoleKey{}, func() *sync.Mutex { return new(sync.Mutex) }),
	}
}

// levelTrace is the level below debug that JMeter's log has and slog has not.
const levelTrace = slog.LevelDebug - 4

// log writes a line to the log or the console and returns its text.
func (l *logger) log(t *vu.Thread) string {
	text, level := l.text.Eval(t), l.level.Eval(t)
	exception, comment := l.exception.Eval(t), l.comment.Eval(t)
	if exception != "" {
		exception = "\njava.lang.Throwable: " + exception
	}
	switch java.ToUpper(java.Trim(level)) {
	case "OUT":
		l.print(t.Run.Out, t.Name, text, exception, comment)
	case "ERR":
		l.print(t.Run.Err, t.Name, text, exception, comment)
	case "", "INFO":
		l.write(t, slog.LevelInfo, text, exception, comment)
	case "ERROR":
		l.write(t, slog.LevelError, text, exception, comment)
	case "WARN":
		l.write(t, slog.LevelWarn, text, exception, comment)
	case "TRACE":
		l.write(t, levelTrace, text, exception, comment)
	default:
		l.write(t, slog.LevelDebug, text, exception, comment)
	}
	return text
}

// write logs a line. The blanks around the separator are doubled, as in JMeter.
func (l *logger) write(t *vu.Thread, level slog.Level, text, exception, comment string) {
	if comment == "" {
		comment = " : "
	}
	t.Log().Log(context.Background(), level, t.Name+" "+comment+" "+text+exception, "logger", "o.a.j.f."+l.class)
}

func (l *logger) print(w io.Writer, thread, text, exception, comment string) {
	if comment == "" {
		comment = ": "
	}
	if exception != "" {
		text += " " + strings.TrimPrefix(exception, "\n")
	}
	l.console.Lock()
	defer l.console.Unlock()
	io.WriteString(w, "Log: "+thread+" "+comment+text+"\n")
}
