package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/magiconair/properties"

	"github.com/gojm/gojm/engine/vu"
)

// defaults are the settings of JMeter's own jmeter.properties that differ from
// what its code takes where a property is absent.
//
//go:embed defaults.properties
var defaults []byte

// loader reads files as java.util.Properties does: Latin-1, \u escapes, no
// expansion of ${...}.
var loader = properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}

// setter takes one property.
type setter func(name, value string)

// properties fills the properties from all their sources; the later win (JMeter
// manual, "Overriding Properties Via The Command Line").
func (s *settings) properties(opts []given, has map[string]string) error {
	p := s.props
	setSystem(p)
	if err := s.base(has["propfile"]); err != nil {
		return err
	}
	if err := s.optional(p.Get("user.properties", ""), p.Set); err != nil {
		return err
	}
	if err := s.optional(p.Get("system.properties", ""), p.SetSystem); err != nil {
		return err
	}
	for _, o := range opts {
		if err := s.option(o); err != nil {
			return err
		}
	}
	return nil
}

// base reads what stands in the place of JMeter's bin/jmeter.properties: the
// file of -p, else that of a JMeter home, else the built-in defaults.
func (s *settings) base(file string) error {
	home := s.home
	if home == "" {
		s.home = os.Getenv("JMETER_HOME")
	}
	if file == "" && s.home != "" {
		file = filepath.Join(s.home, "bin", "jmeter.properties")
		if _, err := os.Stat(file); err != nil && home == "" {
			s.logger().Warn("JMETER_HOME has no bin/jmeter.properties, the built-in defaults are used", "file", file)
			file = ""
		}
	}
	if file == "" {
		set, err := loader.LoadBytes(defaults)
		if err != nil {
			return err
		}
		apply(set, s.props.Set)
		return nil
	}
	if err := readProperties(file, s.props.Set); err != nil {
		return occurredError{fmt.Errorf("Could not read JMeter properties file:%s: %w", file, reason(err))} //nolint:staticcheck // JMeter's wording
	}
	return nil
}

// optional reads a property file that need not exist: the one in the working
// directory, else the one of the JMeter home.
func (s *settings) optional(file string, set setter) error {
	if file == "" {
		return nil
	}
	err := readProperties(file, s.noting(file, set))
	if errors.Is(err, fs.ErrNotExist) && s.home != "" && !filepath.IsAbs(file) {
		file = filepath.Join(s.home, "bin", file)
		err = readProperties(file, s.noting(file, set))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// noting is set, and notes where a property comes from.
func (s *settings) noting(from string, set setter) setter {
	return func(name, value string) {
		s.from[name] = from
		set(name, value)
	}
}

// option heeds one option of the command line that is about properties.
func (s *settings) option(o given) error {
	p := s.props
	switch o.long {
	case "addprop":
		return s.additional(o, p.Set)
	case "systemPropertyFile":
		return s.additional(o, p.SetSystem)
	case "jmeterproperty":
		s.define(o, p.Set, func(name string) { p.Remove(name) }, "JMeter")
	case "systemproperty":
		s.define(o, p.SetSystem, p.RemoveSystem, "System")
	}
	return nil
}

// additional reads the file of -q or -S; one that cannot be read is none, with a
// warning.
func (s *settings) additional(o given, set setter) error {
	err := readProperties(o.value, s.noting(o.value, set))
	var cannot *fs.PathError
	if errors.As(err, &cannot) {
		s.warn("-%c %s cannot be read, the run does without it: %v", o.short, o.value, cannot.Err)
		return nil
	}
	return err
}

func (s *settings) define(o given, set setter, remove func(string), kind string) {
	if o.value == "" {
		delete(s.from, o.name)
		remove(o.name)
		s.logger().Warn(fmt.Sprintf("Removing %s property: %s", kind, o.name))
		return
	}
	s.noting("-"+string(o.short), set)(o.name, o.value)
	shown := o.value
	if secret(o.name) {
		shown = "***"
	}
	s.logger().Info(fmt.Sprintf("Setting %s property: %s=%s", kind, o.name, shown))
}

// readProperties reads a property file and hands out its entries.
func readProperties(file string, set setter) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := loader.LoadBytes(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	apply(m, set)
	return nil
}

func apply(m *properties.Properties, set setter) {
	values := m.Map()
	for _, k := range slices.Sorted(maps.Keys(values)) {
		set(k, values[k])
	}
}

// reason is an error without the path of the file, which is named already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// setSystem sets the system properties of a Java program that plans ask for,
// and those that the launcher's variable JVM_ARGS defines.
func setSystem(p *vu.Properties) {
	dir, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	p.SetSystem("user.dir", dir)
	p.SetSystem("user.home", home)
	if u, err := user.Current(); err == nil {
		p.SetSystem("user.name", u.Username)
	}
	p.SetSystem("java.io.tmpdir", filepath.Clean(os.TempDir()))
	p.SetSystem("file.separator", string(filepath.Separator))
	p.SetSystem("path.separator", string(filepath.ListSeparator))
	p.SetSystem("line.separator", lineSeparator())
	p.SetSystem("file.encoding", "UTF-8")
	p.SetSystem("os.name", osName())
	p.SetSystem("JMeter.NonGui", "true")
	for _, arg := range strings.Fields(os.Getenv("JVM_ARGS")) {
		if def, ok := strings.CutPrefix(arg, "-D"); ok {
			name, value, _ := strings.Cut(def, "=")
			p.SetSystem(name, value)
		}
	}
}

func lineSeparator() string {
	if runtime.GOOS == "windows" {
		return "\r\n"
	}
	return "\n"
}

// osName is the name Java gives the operating system.
func osName() string {
	switch runtime.GOOS {
	case "linux":
		return "Linux"
	case "darwin":
		return "Mac OS X"
	case "windows":
		return "Windows"
	}
	return runtime.GOOS
}

// startProperties sets the properties that tell when the program started.
func startProperties(p *vu.Properties, now time.Time) {
	p.Set("START.MS", fmt.Sprint(now.UnixMilli()))
	p.Set("START.YMD", now.Format("20060102"))
	p.Set("START.HMS", now.Format("150405"))
	p.Set("jmeter.version", "5.6.3") // the JMeter whose behaviour this is
}

// secret tells whether the value of an option or property is not to be shown.
func secret(name string) bool {
	name = strings.ToLower(name)
	for _, w := range []string{"pass", "pwd", "secret", "token", "credential", "apikey", "api_key", "api.key", "authorization"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
