package main

import (
	"path/filepath"

	"github.com/gojm/gojm/engine/vu"
)

// settings are what the command line and the property files say.
type settings struct {
	props *vu.Properties
	log   *logger

	home     string // -d
	plan     string // -t
	results  string // -l
	report   string // -o
	inputs   []string
	atEnd    bool // -e
	force    bool // -f
	nonGUI   bool
	help     bool
	version  bool
	options  bool // -?
	remote   string
	lenient  bool
	logFile  string
	password bool // some value on the command line is a secret
}

// reportsOnly tells whether only a dashboard is asked for (-g).
func (s *settings) reportsOnly() bool { return len(s.inputs) > 0 }

// load reads the options in their order and the property files they name.
func load(opts []given) (*settings, error) {
	s := &settings{props: vu.NewProperties()}
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
		case "server", "runremote", "remotestart", "remoteexit":
			s.remote = "--" + o.long
		case "jmeterlogfile":
			s.logFile = o.value
		case "lenient":
			s.lenient = true
		}
	}
	if err := s.check(has); err != nil {
		return nil, err
	}
	if err := s.properties(opts, has); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *settings) check(has map[string]string) error {
	_, host := has["proxyHost"]
	_, port := has["proxyPort"]
	_, run := has["runremote"]
	_, hosts := has["remotestart"]
	_, exit := has["remoteexit"]
	switch {
	case s.help || s.version || s.options:
		return nil
	case (run || hosts || exit) && !s.nonGUI:
		return usagef("-r and -R and -X are only valid in non-GUI mode")
	case host != port:
		return usagef("Both proxy host and port must be specified (-H and -P)")
	case s.reportsOnly() && (s.nonGUI || run || hosts || s.results != ""):
		return usagef("-g does not go together with -n, -r, -R and -l")
	case s.reportsOnly():
		return nil
	case s.remote != "":
		return usagef("%s: distributed runs are not supported yet", s.remote)
	case !s.nonGUI:
		return usagef("there is no GUI: run a plan with -n -t plan.jmx, or see gojm --help")
	case s.plan == "":
		return usagef("Non-GUI runs require a test plan (-t)")
	case s.plan == "LAST" || s.results == "LAST" || s.results == "LAST.jtl":
		return usagef("LAST is the GUI's memory, which gojm does not have: name the file")
	case s.atEnd && s.results == "":
		return usagef("Option -e requires -l")
	}
	return nil
}

// properties fills the properties from all their sources; the later win.
func (s *settings) properties(opts []given, has map[string]string) error {
	p := s.props
	base := has["propfile"]
	switch {
	case base != "":
		if err := readProperties(base, p.Set); err != nil {
			return usagef("Could not read JMeter properties file:%s: %w", base, err)
		}
	default:
		setDefaults(p)
		if s.home != "" {
			if err := readProperties(filepath.Join(s.home, "bin", "jmeter.properties"), p.Set); err != nil {
				return usagef("%w", err)
			}
		}
	}
	s.optional(p.Get("user.properties", "user.properties"), p.Set)
	s.optional(p.Get("system.properties", "system.properties"), p.SetSystem)
	for _, o := range opts {
		switch o.long {
		case "addprop":
			if err := readProperties(o.value, p.Set); err != nil {
				s.warn("%v", err)
			}
		case "systemPropertyFile":
			if err := readProperties(o.value, p.SetSystem); err != nil {
				s.warn("%v", err)
			}
		case "jmeterproperty":
			if o.value == "" {
				p.Remove(o.name)
			} else {
				p.Set(o.name, o.value)
			}
		case "systemproperty":
			if o.value == "" {
				p.RemoveSystem(o.name)
			} else {
				p.SetSystem(o.name, o.value)
			}
		}
	}
	if host := has["proxyHost"]; host != "" {
		for _, scheme := range []string{"http", "https"} {
			p.SetSystem(scheme+".proxyHost", host)
			p.SetSystem(scheme+".proxyPort", has["proxyPort"])
			if skip := has["nonProxyHosts"]; skip != "" {
				p.SetSystem(scheme+".nonProxyHosts", skip)
			}
		}
		if scheme := has["proxyScheme"]; scheme != "" {
			p.SetSystem("http.proxyScheme", scheme)
		}
	}
	if user := has["username"]; user != "" {
		p.Set("http.proxyUser", user)
		p.Set("http.proxyPass", has["password"])
	}
	return nil
}

// optional reads a property file that need not exist: the one in the working
// directory, else the one of the JMeter home.
func (s *settings) optional(name string, set func(name, value string)) {
	if name == "" {
		return
	}
	if readProperties(name, set) == nil || s.home == "" {
		return
	}
	_ = readProperties(filepath.Join(s.home, "bin", name), set)
}

func (s *settings) warn(format string, args ...any) { s.log.later(format, args...) }
