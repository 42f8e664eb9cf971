package main

import (
	"cmp"
	"fmt"
	"strings"
)

// JMeter's command line is that of the Avalon parser: short flags combine
// (-nt plan.jmx), a value may be glued on, follow an equals sign or stand as the
// next word, and the options that take a pair accept -Jname=value, -J name=value
// and -Jname value. No flag library reads this, so it is read here.

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
	{'?', "?", noArg, false, "print the list of options and exit"},
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
	{'d', "homedir", oneArg, false, "the JMeter folder whose bin has the property files (else JMETER_HOME, else none)"},
	{'X', "remoteexit", noArg, false, "stop the remote servers at the end of the test; without -r and -R nothing"},
	{'g', "reportonly", oneArg, true, "only make the dashboard of this results file; repeated: of all as one run"},
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
	value string // of a pair too
	name  string // of a pair
}

// parse reads JMeter's command line. Its errors are those of JMeter's parser,
// in its words where it has any.
func parse(args []string) ([]given, error) {
	p := parser{args: args}
	for p.more() {
		if err := p.word(p.next()); err != nil {
			return nil, err
		}
	}
	if err := compatible(p.out); err != nil {
		return nil, err
	}
	if p.plain != "" { // told last, as in JMeter
		return nil, occurredError{fmt.Errorf("Unknown arg: %s", p.plain)} //nolint:staticcheck // JMeter's wording
	}
	return p.out, nil
}

type parser struct {
	args  []string
	out   []given
	plain string // the first word that is no option
}

func (p *parser) more() bool { return len(p.args) > 0 }

func (p *parser) next() string {
	a := p.args[0]
	p.args = p.args[1:]
	return a
}

func (p *parser) word(a string) error {
	switch {
	case a == "-":
		return usagef("Malformed option -")
	case a == "--":
		for p.more() {
			p.argument(p.next())
		}
		return nil
	case strings.HasPrefix(a, "--"):
		return p.long(a[2:])
	case strings.HasPrefix(a, "-"):
		return p.short(a[1:])
	}
	p.argument(a)
	return nil
}

func (p *parser) argument(a string) {
	if p.plain == "" {
		p.plain = cmp.Or(a, `""`)
	}
}

// long reads --name, --name=value, --name value.
func (p *parser) long(a string) error {
	name, value, glued := strings.Cut(a, "=")
	o := byLong(name)
	if o == nil {
		return usagef("Unknown option --%s", name)
	}
	if o.kind == noArg {
		if glued {
			return usagef("Option --%s takes no argument", name)
		}
		p.out = append(p.out, given{option: o})
		return nil
	}
	return p.value(o, "--"+name, value, value != "")
}

// short reads -x, -xy, -xvalue, -x=value, -x value.
func (p *parser) short(a string) error {
	for i := 0; i < len(a); i++ {
		o := byShort(a[i])
		if o == nil {
			return usagef("Unknown option -%c", a[i])
		}
		if o.kind == noArg {
			p.out = append(p.out, given{option: o})
			continue
		}
		rest := a[i+1:]
		value := rest
		if o.kind == oneArg {
			value = strings.TrimPrefix(rest, "=")
		}
		return p.value(o, "-"+string(o.short), value, rest != "")
	}
	return nil
}

// value reads what belongs to an option that takes something.
func (p *parser) value(o *option, as, value string, glued bool) error {
	if !glued {
		if !p.more() || o.kind == pairArg && strings.HasPrefix(p.args[0], "-") {
			return usagef("Missing argument to option %s", as)
		}
		value = p.next()
	}
	if o.kind == oneArg {
		if value == "" {
			return usagef("Missing argument to option %s", as)
		}
		p.out = append(p.out, given{option: o, value: value})
		return nil
	}
	name, value, whole := strings.Cut(value, "=")
	if name == "" {
		return usagef("Unable to parse first argument for option %s", as)
	}
	if !whole && p.more() && !strings.HasPrefix(p.args[0], "-") {
		value = p.next()
	}
	p.out = append(p.out, given{option: o, name: name, value: value})
	return nil
}

// compatible refuses options given twice and those that exclude each other.
func compatible(opts []given) error {
	seen := map[string]bool{}
	for _, g := range opts {
		if seen[g.long] && !g.repeat {
			return usagef("Duplicate options for %s found.", g)
		}
		seen[g.long] = true
	}
	if seen["reportonly"] {
		for _, g := range opts {
			switch g.long {
			case "nongui", "runremote", "remotestart", "logfile":
				return usagef("Incompatible options %s and %s found.", g, byLong("reportonly"))
			}
		}
	}
	if !seen["nongui"] && (seen["runremote"] || seen["remotestart"] || seen["remoteexit"]) {
		return usagef("-r and -R and -X are only valid in non-GUI mode")
	}
	return nil
}

// String is the option as messages name it: -t/--testfile.
func (o *option) String() string {
	if o.short >= 'A' {
		return fmt.Sprintf("-%c/--%s", o.short, o.long)
	}
	return "--" + o.long
}
