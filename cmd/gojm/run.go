package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jmx"
)

// runPlan runs a plan as jmeter -n does: the same checks in the same order, the
// same lines on the console.
func runPlan(s *settings, opts []given, std stdio) error {
	if err := s.openLog(opts); err != nil {
		return err
	}
	defer s.log.close()
	if s.report != "" {
		if s.force {
			if err := clearFolder(s.report); err != nil {
				return s.occurred(std, err)
			}
		}
		if err := htmlreport.CheckOutput(s.report); err != nil {
			return s.occurred(std, err)
		}
		abs, err := filepath.Abs(s.report)
		if err == nil {
			s.props.Set("jmeter.reportgenerator.outputdir", abs)
		}
	}
	tree, err := s.read(std)
	if err != nil {
		return err
	}
	if err := s.prepareResults(tree, std); err != nil {
		return err
	}
	raiseFileLimit()
	plan, err := s.compile(tree, std)
	if err != nil {
		return err
	}
	runErr := s.execute(plan, std)
	var stopped exitError
	if errors.As(runErr, &stopped) {
		return runErr // ended by a signal
	}
	if s.atEnd {
		if err := s.makeReport([]string{s.results}, s.reportFolder(), std); err != nil {
			fmt.Fprintln(std.err, "Error generating the report:", err)
			return errors.Join(runErr, said{err})
		}
	}
	return runErr
}

// occurred prints an error as JMeter prints what keeps it from starting.
func (s *settings) occurred(std stdio, err error) error {
	fmt.Fprintln(std.out, "An error occurred: "+err.Error())
	return said{err}
}

func (s *settings) openLog(opts []given) error {
	s.log = &logger{root: slog.LevelInfo}
	for _, o := range opts {
		if o.long == "loglevel" {
			category, level := o.name, o.value
			if !o.pair {
				category, level = "", o.name
			}
			if err := s.log.setLevel(category, level); err != nil {
				s.log.later("%v", err)
			}
		}
	}
	name := s.logFile
	if name == "" {
		name = s.props.Get("jmeter.logfile", "jmeter.log")
	}
	return openLog(logName(name, time.Now()), s.log)
}

// read loads the plan. A plan that cannot be read is told in JMeter's words on
// standard output and with its place on standard error.
func (s *settings) read(std stdio) (*jmx.Tree, error) {
	abs, err := filepath.Abs(s.plan)
	if err != nil {
		return nil, err
	}
	tree, err := jmx.Read(s.plan)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err := fmt.Errorf("The file %s doesn't exist or can't be opened", abs) //nolint:staticcheck // JMeter's wording
		return nil, s.occurred(std, err)
	case err != nil:
		s.cannotLoad(std, "")
		fmt.Fprintln(std.err, "Error: "+err.Error())
		return nil, said{err}
	}
	return tree, nil
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

// prepareResults appends the collector of -l and the console's summary to the
// plan, as JMeter does, and makes room for the results.
func (s *settings) prepareResults(tree *jmx.Tree, std stdio) error {
	if s.force {
		if err := s.deleteResults(tree); err != nil {
			return s.occurred(std, err)
		}
	}
	if s.atEnd {
		if info, err := os.Stat(s.results); err == nil && info.Size() > 0 {
			err := fmt.Errorf("Error in NonGUIDriver Results file:%s is not empty", s.results) //nolint:staticcheck // JMeter's wording
			return s.occurred(std, err)
		}
		if strings.EqualFold(s.props.Get("jmeter.save.saveservice.output_format", "csv"), "xml") {
			s.log.later("the report is made of an XML file")
		}
	}
	for _, r := range tree.Roots {
		if r.Class != "TestPlan" || !r.Enabled {
			continue
		}
		if s.results != "" {
			r.Append(&jmx.Node{Class: "ResultCollector", GUI: "ViewResultsFullVisualizer", Name: "-l " + s.results, Enabled: true,
				Props: []*jmx.Prop{{Name: "filename", Value: s.results}}})
		}
		if name := s.props.Get("summariser.name", ""); name != "" {
			r.Append(&jmx.Node{Class: "Summariser", GUI: "SummariserGui", Name: name, Enabled: true})
		}
	}
	return nil
}

// deleteResults is -f: the file of -l and those of all enabled listeners.
func (s *settings) deleteResults(tree *jmx.Tree) error {
	var names []string
	if s.results != "" {
		names = append(names, s.results)
	}
	var walk func(n *jmx.Node)
	walk = func(n *jmx.Node) {
		if !n.Enabled {
			return
		}
		if name := n.Text("filename"); name != "" && strings.HasSuffix(n.Class, "ResultCollector") {
			names = append(names, name)
		}
		for _, k := range n.Children {
			walk(k)
		}
	}
	for _, r := range tree.Roots {
		walk(r)
	}
	base := filepath.Dir(s.plan)
	for _, n := range names {
		if rest, ok := strings.CutPrefix(n, s.props.Get("jmeter.save.saveservice.base_prefix", "~/")); ok {
			n = filepath.Join(base, rest)
		}
		if err := os.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("could not delete the results file: %w", err)
		}
	}
	return nil
}

func (s *settings) compile(tree *jmx.Tree, std stdio) (*engine.Plan, error) {
	abs, err := filepath.Abs(s.plan)
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	plan, problems, err := engine.Compile(tree, engine.Options{
		Props: s.props, Log: slog.New(s.log), Out: std.out, Err: std.err,
		PlanFile: filepath.Base(s.plan), BaseDir: filepath.Dir(abs), WorkDir: dir, Lenient: s.lenient,
	})
	for _, p := range problems {
		if p.Level == elem.Note {
			slog.New(s.log).Warn(p.Error(), "logger", "o.a.j.JMeter")
			if s.lenient && p.What == "element" {
				fmt.Fprintln(std.err, p.Error())
			}
		}
	}
	if err == nil {
		s.created(std)
		return plan, nil
	}
	s.refuse(problems, std)
	return nil, said{err}
}

func (s *settings) created(std stdio) {
	if name := s.props.Get("summariser.name", ""); name != "" {
		fmt.Fprintf(std.out, "Creating summariser <%s>\n", name)
	}
	fmt.Fprintf(std.out, "Created the tree successfully using %s\n", s.plan)
}

// refuse tells why a plan does not run: in JMeter's words on standard output,
// all of it with its place on standard error.
func (s *settings) refuse(problems []elem.Problem, std stdio) {
	unsupported := false
	for _, p := range problems {
		if p.What == "element" && p.Level == elem.Unsupported && !unsupported {
			unsupported = true
			s.cannotLoad(std, p.Name)
		}
	}
	wrong := ""
	for _, p := range problems {
		if p.Level == elem.Wrong && wrong == "" {
			wrong = p.What
		}
	}
	if !unsupported && wrong == "expression" {
		s.created(std)
		fmt.Fprintln(std.out, "Error occurred compiling the tree: - see log file")
	}
	n := 0
	for _, p := range problems {
		if p.Level != elem.Note {
			n++
			fmt.Fprintln(std.err, p.Error())
			slog.New(s.log).Error(p.Error(), "logger", "o.a.j.JMeter")
		}
	}
	what := "The plan was not run"
	if unsupported {
		what += "; --lenient leaves out the elements that are not supported"
	}
	fmt.Fprintf(std.err, "%s: %d problem(s).\n", what, n)
}

// stamp is JMeter's way of writing a moment: 2026 Nov 30 07:36:25 UTC (1796024185000).
func stamp(t time.Time) string {
	return fmt.Sprintf("%s (%d)", t.Format("2006 Jan 2 15:04:05 MST"), t.UnixMilli())
}

// execute runs the plan, stoppable by signals and by the shutdown port.
func (s *settings) execute(plan *engine.Plan, std stdio) error {
	runner := plan.Start()
	fmt.Fprintf(std.out, "Starting standalone test @ %s\n", stamp(time.Now()))
	port := listenForStop(s.props, runner, std)
	defer port.close()
	sig := listenForSignals(runner)
	defer sig.close()
	progress := showProgress(plan.Run(), std)
	err := runner.Run()
	progress.close()
	fmt.Fprintf(std.out, "Tidying up ...    @ %s\n", stamp(time.Now()))
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			fmt.Fprintln(std.err, "Error: "+line)
		}
		err = said{err}
	}
	fmt.Fprintln(std.out, "... end of run")
	if code := sig.code(); code != 0 {
		return exitError{said{fmt.Errorf("ended by a signal")}, code}
	}
	return err
}
