package main

import (
	"fmt"
	"strings"
)

// JMeter's command line is that of an old parser library: short flags combine
// (-nt plan.jmx), a value may be glued on, follow an equals sign or stand as the
// next word, and the options that take a pair accept -Jname=value, -J name=value
// and -Jname value. canonical turns all of it into what cobra understands:
// --long=value.

// argKind is how many values an option takes.
type argKind uint8

const (
	noArg argKind = iota
	oneArg
	pairArg // name=value
)

// option is one option of JMeter's.
type option struct {
	short  byte
	long   string
	kind   argKind
	repeat bool // may be given more than once
	help   string
}

var options = []option{
	{'?', "?", noArg, false, "print the list of options"},
	{'h', "help", noArg, false, "print usage information and exit"},
	{'v', "version", noArg, false, "print the version information and exit"},
	{'p', "propfile", oneArg, false, "the JMeter property file to use, in place of the built-in defaults"},
	{'q', "addprop", oneArg, true, "additional JMeter property file(s)"},
	{'t', "testfile", oneArg, false, "the JMeter test plan (.jmx) file to run"},
	{'l', "logfile", oneArg, false, "the file to log samples to"},
	{'i', "jmeterlogconf", oneArg, false, "accepted and ignored: log4j2 configuration file"},
	{'j', "jmeterlogfile", oneArg, false, "run log file (jmeter.log)"},
	{'n', "nongui", noArg, false, "run in non-GUI mode, the only one"},
	{'s', "server", noArg, false, "run as a server of distributed tests"},
	{'E', "proxyScheme", oneArg, false, "scheme of the proxy server"},
	{'H', "proxyHost", oneArg, false, "proxy server to use"},
	{'P', "proxyPort", oneArg, false, "port of the proxy server"},
	{'N', "nonProxyHosts", oneArg, false, "hosts reached without the proxy (e.g. *.apache.org|localhost)"},
	{'u', "username", oneArg, false, "user name for the proxy server"},
	{'a', "password", oneArg, false, "password for the proxy server"},
	{'J', "jmeterproperty", pairArg, true, "define a JMeter property: -Jname=value"},
	{'G', "globalproperty", pairArg, true, "define a property on the remote servers: -Gname=value or -Gfile"},
	{'D', "systemproperty", pairArg, true, "define a system property: -Dname=value"},
	{'S', "systemPropertyFile", oneArg, true, "additional system property file(s)"},
	{'f', "forceDeleteResultFile", noArg, false, "delete existing result files and report folder before the run"},
	{'L', "loglevel", pairArg, true, "log level: -Lcategory=level or -Llevel"},
	{'r', "runremote", noArg, false, "run on the remote servers of the property remote_hosts"},
	{'R', "remotestart", oneArg, false, "run on these remote servers"},
	{'d', "homedir", oneArg, false, "the JMeter home folder to read property files from"},
	{'X', "remoteexit", noArg, false, "stop the remote servers at the end of the test"},
	{'g', "reportonly", oneArg, true, "only make the dashboard of this results file"},
	{'e', "reportatendofloadtests", noArg, false, "make the dashboard after the run"},
	{'o', "reportoutputfolder", oneArg, false, "folder of the dashboard"},
	{0, "lenient", noArg, false, "leave out elements that are not supported, and say so, instead of refusing the plan"},
}

func byShort(c byte) *option {
	for i := range options {
		if options[i].short == c {
			return &options[i]
		}
	}
	return nil
}

func byLong(name string) *option {
	for i := range options {
		if options[i].long == name {
			return &options[i]
		}
	}
	return nil
}

// given is one option as it was given, in order: the order of -q, -J and -D
// decides which wins.
type given struct {
	*option
	value string
	name  string // of a pair
	pair  bool   // name=value was complete
}

// canonical parses JMeter's command line.
func canonical(args []string) ([]given, error) {
	var out []given
	seen := map[string]bool{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		var opt *option
		var rest string // glued on
		var glued bool
		switch {
		case a == "--" && i+1 < len(args):
			return nil, fmt.Errorf("Unknown arg: %s", args[i+1]) //nolint:staticcheck // JMeter's wording
		case a == "--":
			return out, nil
		case a == "-":
			return nil, fmt.Errorf("Malformed option -") //nolint:staticcheck // JMeter's wording
		case strings.HasPrefix(a, "--"):
			name, value, eq := strings.Cut(a[2:], "=")
			if opt = byLong(name); opt == nil {
				return nil, fmt.Errorf("Unknown option --%s", name) //nolint:staticcheck // JMeter's wording
			}
			rest, glued = value, eq
		case strings.HasPrefix(a, "-"):
			if opt = byShort(a[1]); opt == nil {
				return nil, fmt.Errorf("Unknown option -%c", a[1]) //nolint:staticcheck // JMeter's wording
			}
			rest = a[2:]
			if opt.kind == noArg {
				if rest != "" { // combined flags: -nt plan.jmx
					args = append(append(append([]string{}, args[:i+1]...), "-"+rest), args[i+1:]...)
				}
				rest = ""
				break
			}
			glued = rest != ""
			if opt.kind == oneArg {
				rest = strings.TrimPrefix(rest, "=")
			}
		default:
			return nil, fmt.Errorf("Unknown arg: %s", a) //nolint:staticcheck // JMeter's wording
		}
		if seen[opt.long] && !opt.repeat {
			return nil, fmt.Errorf("Duplicate option %s", a) //nolint:staticcheck // JMeter's wording
		}
		seen[opt.long] = true
		g := given{option: opt}
		switch opt.kind {
		case noArg:
			if glued {
				return nil, fmt.Errorf("Option --%s takes no argument", opt.long) //nolint:staticcheck // JMeter's wording
			}
		case oneArg:
			if !glued {
				if i+1 >= len(args) {
					return nil, fmt.Errorf("Missing argument to option %s", a) //nolint:staticcheck // JMeter's wording
				}
				i++
				rest = args[i]
			}
			g.value = rest
		case pairArg:
			if !glued {
				if i+1 >= len(args) || strings.HasPrefix(args[i+1], "-") {
					return nil, fmt.Errorf("Missing argument to option %s", a) //nolint:staticcheck // JMeter's wording
				}
				i++
				rest = args[i]
			}
			rest = strings.TrimPrefix(rest, "=")
			g.name, g.value, g.pair = strings.Cut(rest, "=")
			if !g.pair && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++
				g.value, g.pair = args[i], true
			}
		}
		out = append(out, g)
	}
	return out, nil
}
