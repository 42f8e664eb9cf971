package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

// runPlan runs a plan as jmeter -n does: the same checks in the same order, the
// same lines on the console.
func runPlan(s *settings, std stdio) error {
	outliveConsole()
	if err := s.clashes(); err != nil {
		return err
	}
	s.log.lost = func(err error) { fmt.Fprintf(std.err, "Warning: the run log lacks lines: %v\n", err) }
	if err := s.openLog(); err != nil {
		return err
	}
	defer s.log.close()
	err := s.runLogged(std)
	if err != nil {
		s.logger().Error(strings.TrimSpace(err.Error()))
	}
	return err
}

// clashes refuses files that would destroy each other: a typing error must not
// cost a plan, nor a report folder that holds the results fail after the run.
func (s *settings) clashes() error {
	log := s.logFile
	if log != "" {
		log = logName(log, time.Now())
	}
	for _, c := range []struct{ a, b, what string }{
		{s.results, s.plan, "-l names the plan"},
		{log, s.plan, "-j names the plan"},
		{log, s.results, "-j and -l name the same file"},
	} {
		if c.a != "" && c.b != "" && sameFile(c.a, c.b) {
			return usagef("%s: %s", c.what, c.a)
		}
	}
	if s.atEnd && s.report != "" && inside(s.results, s.report) {
		return usagef("the report's folder %s must be empty, and -l puts the results into it", s.report)
	}
	return nil
}

func sameFile(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(sa, sb)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

// inside tells whether a file is to stand below a folder.
func inside(file, dir string) bool {
	absFile, errF := filepath.Abs(file)
	absDir, errD := filepath.Abs(dir)
	if errF != nil || errD != nil {
		return false
	}
	rel, err := filepath.Rel(absDir, absFile)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (s *settings) runLogged(std stdio) error {
	s.logger().Info("gojm "+version, "plan", s.plan, "results", s.results)
	s.showWarnings(std)
	if err := s.prepareReport(); err != nil {
		return err
	}
	tree, err := s.read(std)
	if err != nil {
		return err
	}
	if err := s.prepareResults(); err != nil {
		return err
	}
	s.appendListeners(tree, std)
	plan, err := s.compile(tree, std)
	if err != nil {
		return err
	}
	// Nothing is deleted, and no file is made, before the plan is known to run.
	if s.force {
		if err := s.deleteOld(tree); err != nil {
			return err
		}
	}
	tuneProcess()
	plan.Run().FileLimit = fileLimit()
	return s.execute(plan, std)
}

// openLog opens the run log. Where the working directory takes no file the run
// does without, as in JMeter; a name that was asked for must work.
func (s *settings) openLog() error {
	name := s.logFile
	if name == "" {
		name = s.props.Get("jmeter.logfile", "")
	}
	if name != "" {
		return s.log.open(logName(name, time.Now()))
	}
	if err := s.log.open("jmeter.log"); err != nil {
		s.log.discard()
		s.warn("%v", err)
	}
	return nil
}

// prepareReport finds out whether a dashboard could be written, so that a long
// run does not end before that is known.
func (s *settings) prepareReport() error {
	if s.report != "" {
		if err := s.checkReportFolder(s.report, s.plan, s.results); err != nil {
			return err
		}
		abs, err := filepath.Abs(s.report)
		if err != nil {
			return err
		}
		s.props.Set("jmeter.reportgenerator.outputdir", abs)
	}
	if !s.atEnd {
		return nil
	}
	if s.report == "" {
		if err := htmlreport.CheckOutput(s.reportFolder()); err != nil {
			return occurredError{err}
		}
	}
	if strings.Contains(s.results, "${") {
		return incorrectf("-e reads the file of -l under its plain name: %s holds an expression", s.results)
	}
	opt, err := htmlreport.OptionsFromProperties(s.props.LookupOwn, s.props.Names())
	if err != nil {
		return err
	}
	for _, saved := range []struct {
		on       bool
		property string
	}{
		{opt.Read.Config.Timestamp, "timestamp_format"}, {opt.Read.Config.Time, "time"}, {opt.Read.Config.Success, "successful"},
	} {
		if !saved.on {
			name := "jmeter.save.saveservice." + saved.property
			return incorrectf("-e makes no report of results without what the property %s=%s leaves out", name, s.props.Get(name, ""))
		}
	}
	return nil
}

// read loads the plan. A plan that cannot be read is told in JMeter's words on
// standard output and with its place on standard error.
func (s *settings) read(std stdio) (*jmx.Tree, error) {
	abs, err := filepath.Abs(s.plan)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.plan); err != nil || info.IsDir() {
		return nil, occurredError{fmt.Errorf("The file %s doesn't exist or can't be opened", abs)} //nolint:staticcheck // JMeter's wording
	}
	tree, err := jmx.Read(s.plan)
	if err != nil {
		s.cannotLoad(std, "")
	}
	return tree, err
}

// cannotLoad prints JMeter's lines for a plan that does not load.
func (s *settings) cannotLoad(std stdio, class string) {
	cause := fmt.Sprintf("Problem loading XML from:'%s'. ", s.plan)
	if class != "" {
		cause += "\nCause:\nCannotResolveClassException: " + class
	}
	fmt.Fprintf(std.out, "Error in NonGUIDriver java.lang.IllegalArgumentException: %s\n", cause)
	fmt.Fprintf(std.out, "An error occurred: Error in NonGUIDriver %s\n", cause)
}

// prepareResults refuses to mix a report of old and new results.
func (s *settings) prepareResults() error {
	if !s.atEnd || s.force {
		return nil
	}
	if info, err := os.Stat(s.results); err == nil && info.Size() > 0 {
		return occurredError{fmt.Errorf("Error in NonGUIDriver Results file:%s is not empty (-f deletes it)", s.results)} //nolint:staticcheck // JMeter's wording
	}
	return nil
}

// appendListeners appends the collector of -l and the console's summary to the
// plan, as JMeter does.
func (s *settings) appendListeners(tree *jmx.Tree, std stdio) {
	for _, r := range tree.Roots {
		if r.Class != "TestPlan" || !r.Enabled {
			continue
		}
		if s.results != "" {
			r.Append(&jmx.Node{Class: "ResultCollector", GUI: "ViewResultsFullVisualizer", Name: "-l " + s.results, Enabled: true,
				Props: []*jmx.Prop{{Name: "filename", Value: s.results},
					{Name: jtl.HealthProperty, Value: strconv.FormatBool(s.withHealth())}}})
		}
		if name := s.props.Get("summariser.name", ""); name != "" {
			r.Append(&jmx.Node{Class: "Summariser", GUI: "SummariserGui", Name: name, Enabled: true})
		}
		if std.live != nil {
			r.Append(progressNode())
		}
	}
}

// withHealth tells whether the run records how its generator fares: where a
// dashboard is to show it, and where a property asks for it.
func (s *settings) withHealth() bool { return s.props.Bool(jtl.HealthProperty, s.atEnd) }

// deleteOld is -f: the file of -l and those of all enabled listeners go, by
// their names as written, which is what JMeter does: a name with an expression
// or with ~/ stays.
func (s *settings) deleteOld(tree *jmx.Tree) error {
	var remove func(n *jmx.Node) error
	remove = func(n *jmx.Node) error {
		if !n.Enabled {
			return nil
		}
		if name := n.Text("filename"); name != "" && strings.HasSuffix(n.Class, "ResultCollector") && !isDevice(name) {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return occurredError{fmt.Errorf("Error in NonGUIDriver Could not delete results file %s: %w", name, reason(err))} //nolint:staticcheck // JMeter's wording
			}
			_ = os.Remove(name + jtl.HealthSuffix) // of a run that is gone
		}
		for _, k := range n.Children {
			if err := remove(k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, r := range tree.Roots {
		if err := remove(r); err != nil {
			return err
		}
	}
	if s.report != "" && !s.atEnd { // with -e the new dashboard takes its place
		return clearFolder(s.report)
	}
	return nil
}

// isDevice tells whether name is a pipe or a device, which holds no old results.
func isDevice(name string) bool {
	st, err := os.Stat(name)
	return err == nil && !st.Mode().IsRegular() && !st.IsDir()
}

// compile compiles the plan, or refuses it with all that is wrong with it.
func (s *settings) compile(tree *jmx.Tree, std stdio) (*engine.Plan, error) {
	opt, err := compileOptions(s.plan)
	if err != nil {
		return nil, err
	}
	opt.Props, opt.Log, opt.Out, opt.Err, opt.Lenient = s.props, s.logger(), std.out, std.err, s.lenient
	plan, problems, err := engine.Compile(tree, opt)
	for _, p := range problems {
		if p.Level == elem.Note {
			s.logger().Warn(p.Error())
			if s.lenient && p.What == "element" {
				fmt.Fprintln(std.err, "Warning: "+p.Error())
			}
		}
	}
	if err != nil {
		return nil, s.refuse(problems, std)
	}
	s.created(std)
	return plan, nil
}

// compileOptions are where a plan stands.
func compileOptions(plan string) (engine.Options, error) {
	abs, err := filepath.Abs(plan)
	if err != nil {
		return engine.Options{}, err
	}
	dir, err := os.Getwd()
	return engine.Options{PlanFile: filepath.Base(plan), BaseDir: filepath.Dir(abs), WorkDir: dir}, err
}

func (s *settings) created(std stdio) {
	if name := s.props.Get("summariser.name", ""); name != "" {
		fmt.Fprintf(std.out, "Creating summariser <%s>\n", name)
	}
	fmt.Fprintf(std.out, "Created the tree successfully using %s\n", s.plan)
}

// refuse tells why a plan does not run: in JMeter's words on standard output,
// where JMeter would not run it either, and all of it with its place on standard
// error.
func (s *settings) refuse(problems []elem.Problem, std stdio) error {
	unsupported, wrong := "", ""
	var lines []string
	seen := map[elem.Problem]bool{}
	for _, p := range problems {
		switch {
		case p.Level == elem.Note || seen[p]:
			continue
		case p.Level == elem.Wrong && wrong == "":
			wrong = p.What
		case p.What == "element" && unsupported == "":
			unsupported = p.Name
		}
		seen[p] = true
		lines = append(lines, p.Error())
	}
	switch {
	case unsupported != "":
		s.cannotLoad(std, unsupported)
	case wrong == "expression":
		s.created(std)
		fmt.Fprintln(std.out, "Error occurred compiling the tree: - see log file")
	}
	for _, l := range lines {
		fmt.Fprintln(std.err, l)
		s.logger().Error(l)
	}
	text := fmt.Sprintf("The plan was not run: %s.", count(len(lines), "problem"))
	if unsupported != "" {
		text += " --lenient leaves out the elements that are not supported."
	}
	fmt.Fprintln(std.err, text)
	return said{engine.ErrNotRunnable}
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// stamp is JMeter's way of writing a moment: 2026 Nov 30 07:36:25 UTC (1796024185000).
func stamp(t time.Time) string {
	return fmt.Sprintf("%s (%d)", t.Format("2006 Jan 2 15:04:05 MST"), t.UnixMilli())
}

// execute runs the plan, stoppable by signals and by the shutdown port, and
// makes its report.
func (s *settings) execute(plan *engine.Plan, std stdio) error {
	runner := plan.Start()
	stop := watchStops(plan.Run(), time.Duration(s.props.Int("jmeterengine.threadstop.wait", 5000))*time.Millisecond)
	if err := runner.Open(); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "Starting standalone test @ %s\n", stamp(time.Now()))
	defer s.startMirror(std)()
	port := listenForStop(s.props, plan.Run(), std)
	defer port.close()
	sig := listenForSignals(stop)
	quiet := std.showProgress(plan.Run())
	err, ended := stop.wait(runner.Run)
	quiet()
	sig.close() // what follows, a report, may be killed
	if !ended {
		// What holds the threads up may be a console that nobody reads.
		inTime(100*time.Millisecond, func() {
			s.reportLater(std)
			fmt.Fprintln(std.out, "Fatal error, could not stop test, exiting")
		})
		return exitError{said{errors.New("threads did not end")}, max(1, sig.code())}
	}
	fmt.Fprintf(std.out, "Tidying up ...    @ %s\n", stamp(time.Now()))
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintln(std.err, "Error: "+strings.TrimSuffix(line, "\n"))
		}
		err = said{err}
	}
	var notes []string
	if err != nil {
		notes = append(notes, "The run ended with an error: "+err.Error())
	}
	code := sig.code()
	if note := stop.note(); note != "" {
		notes = append(notes, note)
	}
	if code != 0 {
		notes = append(notes, "The signal cut samples short, which are recorded as failed.")
		err = said{errors.Join(errors.New("ended by a signal"), err)}
	}
	switch {
	case !s.atEnd:
	case code == 0 || sig.interrupt(): // who presses Ctrl-C stays to look
		err = errors.Join(err, s.reportAtEnd(notes, std))
	default:
		s.reportLater(std)
	}
	fmt.Fprintln(std.out, "... end of run")
	if code != 0 {
		return exitError{err, code}
	}
	return err
}
