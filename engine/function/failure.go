package function

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// throw gives up the sampler with an error in the words of Java, which the log of
// a run shows.
func throw(exception, format string, args ...any) {
	vu.Throw(fmt.Errorf(exception+": "+format, args...))
}

func throwNumber(s string) {
	throw("java.lang.NumberFormatException", "For input string: %q", s)
}

func throwArgument(format string, args ...any) {
	throw("java.lang.IllegalArgumentException", format, args...)
}

// throwJava is throw for an error of package java. One without a class is what a
// Java method says of a bad argument.
func throwJava(err error) {
	if e, ok := errors.AsType[*java.Error](err); ok {
		throw(e.Class, "%s", e.Message)
	}
	throwArgument("%v", err)
}

// mustInt is Java's Integer.parseInt.
func mustInt(s string) int32 {
	n, ok := vu.ParseInt(s)
	if !ok {
		throwNumber(s)
	}
	return n
}

// mustLong is Java's Long.parseLong.
func mustLong(s string) int64 {
	n, ok := vu.ParseLong(s)
	if !ok {
		throwNumber(s)
	}
	return n
}

// logf writes a line to the run's log. class is the name that JMeter's log shows
// for the function.
func logf(t *vu.Thread, level slog.Level, class, format string, args ...any) {
	log := t.Log()
	if log == nil || !log.Enabled(context.Background(), level) {
		return
	}
	log.Log(context.Background(), level, fmt.Sprintf(format, args...), "logger", "o.a.j.f."+class)
}

func warnf(t *vu.Thread, class, format string, args ...any) {
	logf(t, slog.LevelWarn, class, format, args...)
}

func errorf(t *vu.Thread, class, format string, args ...any) {
	logf(t, slog.LevelError, class, format, args...)
}
