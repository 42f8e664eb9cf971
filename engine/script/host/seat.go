package host

import (
	"io"
	"log/slog"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// Seat is the place that scripts have in every thread: what one script of a sample
// has noted of it, the next one finds.
type Seat struct{ slot vu.Slot[seated] }

// seated is what a thread keeps for its scripts.
type seated struct {
	made    bool
	host    api.Host
	thread  thread
	vars    variables
	sampler sampler
	plan    plan
	results [2]*result // the handles of the samples that the thread fills in turn
	turn    int
	inside  *jtl.Sample // the sample to which ctx.getSamplerContext() belongs
	kept    []*result
}

type seatKey struct{}

// SeatOf is the Seat of a run.
func SeatOf(r *vu.Run, slots *vu.Slots) Seat {
	return vu.Shared(r, seatKey{}, func() Seat { return Seat{vu.NewSlot[seated](slots)} })
}

// Host returns the thread's host, set for a script that runs now. It is the same one
// each time: a script that runs another one's closure finds its own thread in it.
func (s Seat) Host(t *vu.Thread) *api.Host {
	st := s.slot.Of(t)
	h := &st.host
	if !st.made {
		st.made = true
		st.thread.t, st.vars.t, st.sampler.t, st.plan.run = t, t, t, t.Run
		h.Vars, h.Thread, h.Plan = &st.vars, &st.thread, &st.plan
		h.Props = propertiesOf(t.Run)
	}
	if st.inside != t.Prev { // JMeter empties the map after each sample
		st.inside, h.Context = t.Prev, nil
	}
	h.Prev, h.Sampler, h.Result, h.ResultName = nil, nil, nil, ""
	if t.Prev != nil {
		h.Prev = st.result(t.Prev)
	}
	if t.Sampler != nil {
		h.Sampler = &st.sampler
	}
	return h
}

// Result is the handle of a sample that the thread is filling, or has filled.
func (s Seat) Result(t *vu.Thread, sample *jtl.Sample) api.Result { return s.slot.Of(t).result(sample) }

func (st *seated) result(s *jtl.Sample) *result {
	turn := st.thread.t.Turn
	if s == st.thread.t.Prev {
		turn = st.thread.t.PrevTurn
	}
	for _, r := range st.results {
		if r != nil && r.s == s && r.turn == turn {
			return r
		}
	}
	r := newResult(s, st)
	r.turn = turn
	st.results[st.turn] = r
	st.turn ^= 1
	return r
}

// Release ends a script's run: results that it has kept for later become copies,
// since the thread uses its samples again.
func (s Seat) Release(t *vu.Thread) {
	st := s.slot.Of(t)
	for i, r := range st.kept {
		st.kept[i] = nil
		r.s = r.s.Clone()
	}
	st.kept = st.kept[:0]
}

// Env is the surroundings of a script that thread t runs.
func Env(t *vu.Thread) script.Env {
	return script.Env{
		Out: console(t.Run.Out), Err: console(t.Run.Err), Dir: t.Run.WorkDir,
		Interrupted: func() bool {
			select {
			case <-t.Interrupted():
				return true
			default:
				return false
			}
		},
		Property: t.Run.Props.System,
	}
}

// console is w, or nothing where the run has none.
func console(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// Log is a logger of the run for scripts; name is that of JMeter's class and element.
func Log(l *slog.Logger, name string) api.Log { return &logger{l, name} }

// plan is what scripts ask of the plan's file.
type plan struct{ run *vu.Run }

func (p *plan) BaseDir() string    { return p.run.BaseDir }
func (p *plan) ScriptName() string { return p.run.PlanFile }

// current is the step that the thread runs.
func current(t *vu.Thread) *elem.Step {
	s, _ := t.Sampler.(*elem.Step)
	return s
}

// SetBody makes text, which a sampler's script returned, the body of the sample.
func (s Seat) SetBody(t *vu.Thread, sample *jtl.Sample, text string) {
	s.slot.Of(t).result(sample).SetData([]byte(text))
	sample.Encoding = "UTF-8"
}
