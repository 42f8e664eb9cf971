package engine

import (
	"errors"
	"io"
	"log/slog"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// Options are what a run is given beside its plan.
type Options struct {
	Props    *vu.Properties
	Log      *slog.Logger
	Out, Err io.Writer // the console
	PlanFile string    // name of the .jmx without its folder
	BaseDir  string    // folder of the .jmx
	WorkDir  string    // working directory
	// Lenient drops elements that are not supported instead of refusing.
	Lenient bool
}

// Plan is a compiled plan: immutable, shared by all threads, run once.
type Plan struct {
	run    *vu.Run
	vars   *vu.Vars // what every thread starts with
	groups []*group
	all    []elem.Element // in tree order, for the hooks of the test
	serial bool           // thread groups one after the other
	// tearDown runs the tearDown groups after a stop, too.
	tearDown bool

	lastOK, lastStep, sameUser vu.Ref // variables that JMeter's threads keep

	timerFactor float64
}

// Run gives the run to be, for what starts beside the plan.
func (p *Plan) Run() *vu.Run { return p.run }

// group is a thread group with its steps.
type group struct {
	elem.Group
	name     expr.Text
	place    string
	phase    elem.GroupPhase
	main     elem.Controller
	elements []elem.Element // all in its subtree and at plan level, in tree order
	monitors []elem.Monitor
	threads  []elem.ThreadStarter
	ends     []elem.ThreadEnder
	iters    []elem.IterationStarter
}

// planSettings is implemented by the Test Plan element.
type planSettings interface {
	Settings() (functional, serial, tearDown bool)
}

// Variables are elements that define variables for every thread: they are
// evaluated once, while the plan is compiled, wherever they stand.
type Variables interface {
	Variables(t *vu.Thread) [][2]string
}

// ErrNotRunnable is returned with the problems of a plan that does not run.
var ErrNotRunnable = errors.New("the plan does not run")
