package host

import (
	"context"
	"log/slog"
	"strings"
	"unicode/utf8"
)

// logger writes what scripts log.
type logger struct {
	l    *slog.Logger
	name string
}

var levels = map[string]slog.Level{
	"TRACE": slog.LevelDebug - 4, "DEBUG": slog.LevelDebug, "INFO": slog.LevelInfo, "WARN": slog.LevelWarn, "ERROR": slog.LevelError,
}

func (h *logger) Log(level, message, cause string) {
	if cause != "" {
		message += "\n" + cause
	}
	h.l.Log(context.Background(), levels[level], message, "logger", h.name)
}

// LogName is a logger's name as JMeter's log shows it: of each part but the last the
// first letter (log4j2's %c{1.}).
func LogName(full string) string {
	parts := strings.Split(full, ".")
	for i := range parts[:len(parts)-1] {
		if _, n := utf8.DecodeRuneInString(parts[i]); n > 0 {
			parts[i] = parts[i][:n]
		}
	}
	return strings.Join(parts, ".")
}
