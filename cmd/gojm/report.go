package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gojm/gojm/htmlreport"
)

// reportOnly makes the dashboard of existing results (-g).
func reportOnly(s *settings, std stdio) error {
	out := s.reportFolder()
	if s.force && s.report != "" {
		if err := clearFolder(out); err != nil {
			return s.occurred(std, err)
		}
	}
	if err := htmlreport.CheckOutput(out); err != nil {
		return s.occurred(std, err)
	}
	for _, in := range s.inputs {
		if _, err := os.Stat(in); err != nil {
			return s.occurred(std, fmt.Errorf("Cannot read test results file : %s: %w", in, err)) //nolint:staticcheck // JMeter's wording
		}
	}
	if err := s.makeReport(s.inputs, out, std); err != nil {
		return s.occurred(std, err)
	}
	return nil
}

// reportFolder is where the dashboard goes: -o, else report-output in the
// working directory. (JMeter's own default for the pages is a folder beside the
// program, which no user looks for.)
func (s *settings) reportFolder() string {
	if s.report != "" {
		return s.report
	}
	return s.props.Get("jmeter.reportgenerator.outputdir", "report-output")
}

// makeReport writes a dashboard. Lines of the results that could not be read are
// counted on the console.
func (s *settings) makeReport(inputs []string, out string, std stdio) error {
	opt, err := htmlreport.OptionsFromProperties(s.props.LookupOwn, s.props.Names())
	if err != nil {
		return err
	}
	opt.Version = "gojm " + version
	opt.Command = commandLine()
	if err := htmlreport.CheckOutput(out); err != nil {
		return err
	}
	done := showReading(inputs, std)
	_, err = htmlreport.Generate(inputs, out, opt)
	done.close()
	return err
}

// commandLine is how the program was called, secrets left out.
func commandLine() string {
	args := append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...)
	for i, a := range args {
		if name, _, ok := strings.Cut(a, "="); ok && secretName(name) {
			args[i] = name + "=***"
		}
		if i > 0 && (args[i-1] == "-a" || args[i-1] == "--password") {
			args[i] = "***"
		}
	}
	return strings.Join(args, " ")
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
