package host

import (
	"context"
	"log/slog"

	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
)

// Of returns what a script of thread t stands on. logger is the name that the
// lines of log.info and its like bear in the log. The variables are missing while
// there are none yet, the previous result and the sampler before the first.
func Of(t *vu.Thread, logger string) *api.Host {
	h := &api.Host{Props: props{t.Run}, Thread: thread{t}, Log: log{t.Log(), logger}, Plan: plan{t.Run}}
	if t.Vars != nil {
		h.Vars = t.Vars
	}
	if t.Prev != nil {
		h.Prev = Result(t, t.Prev)
	}
	if t.Sampler != nil {
		h.Sampler = sampler{t}
	}
	return h
}

// Env returns the surroundings of one run of a script, without bindings.
func Env(t *vu.Thread) *script.Env {
	return &script.Env{
		Out: t.Run.Out, Err: t.Run.Err, Dir: t.Run.WorkDir, Property: t.Run.Props.System,
		Interrupted: func() bool {
			select {
			case <-t.Interrupted():
				return true
			default:
				return false
			}
		},
	}
}

type plan struct{ run *vu.Run }

func (p plan) BaseDir() string    { return p.run.BaseDir }
func (p plan) ScriptName() string { return p.run.PlanFile }

type log struct {
	to     *slog.Logger
	logger string
}

var levels = map[string]slog.Level{
	"TRACE": slog.LevelDebug - 4, "DEBUG": slog.LevelDebug, "INFO": slog.LevelInfo,
	"WARN": slog.LevelWarn, "ERROR": slog.LevelError,
}

func (l log) Log(level, message, cause string) {
	if cause != "" {
		message += "\n" + cause
	}
	l.to.Log(context.Background(), levels[level], message, "logger", l.logger)
}

// sampler is the sampler at hand. Its properties are not open to scripts here.
type sampler struct{ t *vu.Thread }

func (s sampler) Name() string          { return s.t.Sampler.Name(s.t) }
func (sampler) SetName(string)          {}
func (sampler) Property(string) string  { return "" }
func (sampler) SetProperty(_, _ string) {}
