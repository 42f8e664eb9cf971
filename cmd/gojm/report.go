package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gojm/gojm/htmlreport"
)

// reportOnly makes the dashboard of existing results (-g). Only -j makes it
// write a log: the one of the run stays.
func reportOnly(s *settings, std stdio) error {
	if s.logFile != "" {
		if err := s.openLog(); err != nil {
			return err
		}
		defer s.log.close()
	}
	s.showWarnings(std)
	out := s.reportFolder()
	if err := s.checkReportFolder(out, s.inputs...); err != nil {
		return err
	}
	for _, in := range s.inputs {
		f, err := os.Open(in)
		if err != nil {
			return occurredError{fmt.Errorf("Cannot read test results file : %s: %w", in, reason(err))} //nolint:staticcheck // JMeter's wording
		}
		f.Close()
	}
	tellTwice(std, s.inputs)
	tuneCollector()
	if err := s.makeReport(s.inputs, out, nil, std); err != nil {
		return occurredError{err}
	}
	return nil
}

// reportAtEnd makes the dashboard of the run (-e); notes tell how it ended.
func (s *settings) reportAtEnd(notes []string, std stdio) error {
	s.logger().Info("Generating Dashboard")
	if err := s.makeReport([]string{s.results}, s.reportFolder(), notes, std); err != nil {
		fmt.Fprintln(std.err, "Error generating the report: "+err.Error())
		return said{err}
	}
	s.logger().Info("Dashboard generated")
	return nil
}

// reportLater tells how to get the dashboard that -e asked for, where the run
// does not wait for it.
func (s *settings) reportLater(std stdio) {
	if s.atEnd {
		fmt.Fprintf(std.err, "No dashboard was made. For that of the results until now:\n  %s\n", s.reportCommand())
	}
}

// reportCommand is the command line of the dashboard that -e would have made.
func (s *settings) reportCommand() string {
	args := []string{filepath.Base(os.Args[0]), "-g", s.results, "-o", s.reportFolder()}
	if s.replacesReport() {
		args = append(args, "-f") // what was there is there still
	}
	args = append(args, s.reportArgs...)
	for i, a := range args {
		args[i] = shellWord(a)
	}
	return strings.Join(args, " ")
}

// concernsReport tells whether a property changes a dashboard.
func concernsReport(name string) bool {
	for _, prefix := range []string{"jmeter.reportgenerator.", "jmeter.save.saveservice.", "aggregate_rpt_pct", "backend_metrics_", "sampleresult.", "sample_variables"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// shellWord is a word as a POSIX shell reads it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// reportFolder is where the dashboard goes: -o, else report-output in the
// working directory. (JMeter's own default for the pages is a folder beside the
// program, which no user looks for.)
func (s *settings) reportFolder() string {
	if s.report != "" {
		return s.report
	}
	if dir := s.props.Get("jmeter.reportgenerator.outputdir", ""); dir != "" {
		return dir
	}
	return "report-output"
}

// makeReport writes a dashboard and tells, on standard error, of all that was
// left out of it.
func (s *settings) makeReport(inputs []string, out string, notes []string, std stdio) error {
	opt, err := htmlreport.OptionsFromProperties(s.props.LookupOwn, s.props.Names())
	if err != nil {
		return err
	}
	opt.Version = "gojm " + version
	opt.Command = commandLine(os.Args)
	opt.Notes = append(opt.Notes, notes...)
	done := std.showReading(inputs)
	r, err := htmlreport.Read(inputs, opt)
	done()
	if err != nil {
		return err
	}
	if s.replacesReport() {
		err = r.Replace(out)
	} else if err = htmlreport.CheckOutput(out); err == nil { // a run may have lasted for days
		err = r.Write(out)
	}
	if err != nil {
		return err
	}
	lines := leftOut(r)
	for i := range r.Generator.Limits {
		lines = append(lines, r.Generator.Limits[i].String())
	}
	for _, line := range lines {
		fmt.Fprintln(std.err, "Warning: "+line)
		s.logger().Warn(line)
	}
	return nil
}

// replacesReport tells whether a dashboard takes the place of what is in its
// folder: -f, for the folder that -o names.
func (s *settings) replacesReport() bool { return s.force && s.report != "" }

// leftOut says what of the results is not in a report.
func leftOut(r *htmlreport.Report) (lines []string) {
	for _, src := range r.Sources {
		read := src.Read
		if read.Skipped > 0 {
			line := fmt.Sprintf("%s: %s left out of the report, since unreadable", src.Path, count(int(read.Skipped), "line")+are(read.Skipped))
			if len(read.Bad) > 0 {
				line += fmt.Sprintf("; line %d: %s", read.Bad[0].Line, read.Bad[0].Reason)
			}
			lines = append(lines, line)
		}
		if read.Decoded > 0 {
			lines = append(lines, src.Path+": "+decodedText(&read))
		}
		if read.Damaged != nil {
			lines = append(lines, fmt.Sprintf("%s: %v; the report is on the rows before it, which may hold wrong values", src.Path, read.Damaged))
		}
		switch {
		case read.RowsWhole:
			lines = append(lines, src.Path+": the file is cut off behind its last row; any behind it are not in the report")
		case read.Truncated:
			lines = append(lines, src.Path+": the file ends inside a row, which is not in the report")
		}
	}
	if n := r.Implausible; n > 0 {
		lines = append(lines, fmt.Sprintf("%s left out of the report: a time or a size beyond any run", count(int(n), "row")+are(n)))
	}
	if n := r.Late; n > 0 {
		lines = append(lines, fmt.Sprintf(`%s too late in the file for the "Vs Request" graphs, which are without`, count(int(n), "row")+are(n)))
	}
	if key := r.TotalLabelKey(); key != "" {
		lines = append(lines, fmt.Sprintf(`a label is named Total: statistics.json has it as %q, and the total of all under "Total"`, key))
	}
	return lines
}

func are(n int64) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// commandLine is how the program was called, secrets left out.
func commandLine(args []string) string {
	shown := append([]string{filepath.Base(args[0])}, args[1:]...)
	for i := 1; i < len(shown); i++ {
		a := shown[i]
		switch name, value, pair := strings.Cut(a, "="); {
		case a == "-a" || a == "--password":
			if i+1 < len(shown) {
				i++
				shown[i] = "***"
			}
		case strings.HasPrefix(a, "-a") && len(a) > 2:
			shown[i] = "-a***"
		case pair && value != "" && secret(name):
			shown[i] = name + "=***"
		case !pair && secret(a) && strings.HasPrefix(a, "-") && i+1 < len(shown) && !strings.HasPrefix(shown[i+1], "-"):
			i++ // -Jpassword x
			shown[i] = "***"
		}
	}
	return strings.Join(shown, " ")
}

// checkReportFolder tells whether a dashboard can be written to dir; with -f
// what is in it will be deleted, so it must hold none of the files in use.
func (s *settings) checkReportFolder(dir string, inUse ...string) error {
	check := htmlreport.CheckOutput
	if s.replacesReport() {
		check = htmlreport.CheckReplace
	}
	if err := check(dir); err != nil {
		return occurredError{err}
	}
	if _, err := os.Lstat(dir); err != nil || !s.replacesReport() {
		return nil
	}
	home, _ := os.UserHomeDir()
	for _, path := range append(inUse, ".", home) {
		if path != "" && holds(dir, path) {
			return occurredError{fmt.Errorf("-f would delete all in %s, which holds %s: nothing was deleted", dir, path)}
		}
	}
	return nil
}

// holds tells whether path is dir or lies in it.
func holds(dir, path string) bool {
	dir, path = realPath(dir), realPath(path)
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPath is an absolute path without symbolic links, as far as it exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if up := filepath.Dir(abs); up != abs {
		return filepath.Join(realPath(up), filepath.Base(abs))
	}
	return abs
}

// clearFolder empties a folder, or removes a file of that name (-f).
func clearFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return os.Remove(dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
