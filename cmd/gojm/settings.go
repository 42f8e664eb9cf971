package main

import (
	"fmt"
	"log/slog"
	"strconv"

	"github.com/gojm/gojm/engine/vu"
)

// settings are what the command line and the property files say.
type settings struct {
	props *vu.Properties
	// from tells where the user set a property: a file, or -J or -D.
	from     map[string]string
	log      *logger
	warnings []string // for the console, and the log

	home    string // -d, else JMETER_HOME
	plan    string // -t
	results string // -l
	report  string // -o
	logFile string // -j
	inputs  []string
	// reportArgs are the options that a report made later needs again.
	reportArgs []string

	atEnd, force, nonGUI   bool // -e, -f, -n
	help, version, options bool // -h, -v, -?
	server, remote         bool // -s, -r or -R
	lenient                bool
}

func newSettings() *settings {
	return &settings{props: vu.NewProperties(), from: map[string]string{}, log: newLogger()}
}

func (s *settings) logger() *slog.Logger { return slog.New(s.log) }

// load reads the options in their order and the property files they name.
func load(opts []given) (*settings, error) {
	s := newSettings()
	has := map[string]string{}
	for _, o := range opts {
		has[o.long] = o.value
		switch o.long {
		case "testfile":
			s.plan = o.value
		case "logfile":
			s.results = o.value
		case "reportonly":
			s.inputs = append(s.inputs, o.value)
		case "reportoutputfolder":
			s.report = o.value
		case "reportatendofloadtests":
			s.atEnd = true
		case "forceDeleteResultFile":
			s.force = true
		case "nongui":
			s.nonGUI = true
		case "help":
			s.help = true
		case "version":
			s.version = true
		case "?":
			s.options = true
		case "homedir":
			s.home = o.value
			s.reportArgs = append(s.reportArgs, "-d", o.value)
		case "server":
			s.server = true
		case "runremote", "remotestart":
			s.remote = true
		case "jmeterlogfile":
			s.logFile = o.value
		case "jmeterlogconf":
			s.warn("-i is ignored: the form of the log is fixed, its levels are set with -L")
		case "loglevel":
			if err := s.log.setLevel(o.name, o.value); err != nil {
				s.warn("%v", err)
			}
		case "lenient":
			s.lenient = true
		case "propfile", "addprop":
			s.reportArgs = append(s.reportArgs, "-"+string(o.short), o.value)
		case "jmeterproperty":
			if concernsReport(o.name) {
				s.reportArgs = append(s.reportArgs, "-J"+o.name+"="+o.value)
			}
		}
	}
	if err := s.properties(opts, has); err != nil {
		return nil, err
	}
	return s, s.proxy(has)
}

func (s *settings) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// showWarnings tells what is odd about the settings.
func (s *settings) showWarnings(std stdio) {
	for _, w := range append(s.warnings, s.unheard()...) {
		fmt.Fprintln(std.err, "Warning: "+w)
		s.logger().Warn(w)
	}
}

// proxy heeds the options of the static proxy.
func (s *settings) proxy(has map[string]string) error {
	p, host, port := s.props, has["proxyHost"], has["proxyPort"]
	if (host == "") != (port == "") {
		return incorrectf("If specifying a proxy server, host and port must be given")
	}
	if n, err := strconv.Atoi(port); host != "" && (err != nil || n < 1 || n > 65535) {
		return incorrectf("The port of a proxy server is a number from 1 to 65535, not %q", port)
	}
	if host != "" {
		for _, scheme := range []string{"http", "https"} {
			p.SetSystem(scheme+".proxyHost", host)
			p.SetSystem(scheme+".proxyPort", port)
		}
		if scheme := has["proxyScheme"]; scheme != "" {
			p.SetSystem("http.proxyScheme", scheme)
		}
	}
	if skip := has["nonProxyHosts"]; skip != "" {
		p.SetSystem("http.nonProxyHosts", skip)
		p.SetSystem("https.nonProxyHosts", skip)
	}
	if user := has["username"]; user != "" {
		p.Set("http.proxyUser", user)
		if pass := has["password"]; pass != "" {
			p.Set("http.proxyPass", pass)
		}
	}
	return nil
}

// runnable tells what the options lack for a run.
func (s *settings) runnable() error {
	switch {
	case s.server:
		return errDistributed
	case !s.nonGUI:
		return incorrectf("There is no GUI: run a plan with -n -t plan.jmx")
	case s.atEnd && s.results == "":
		return incorrectf("Option -e requires -l option")
	case s.plan == "":
		return incorrectf("Non-GUI runs require a test plan (-t plan.jmx)")
	case s.plan == "LAST" || s.results == "LAST" || s.results == "LAST.jtl":
		return incorrectf("LAST is what JMeter's GUI had open last, which gojm does not know: name the file")
	case s.remote:
		return errDistributed
	}
	return nil
}
