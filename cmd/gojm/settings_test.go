package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loadLine loads a command line in an empty folder that holds files.
func loadLine(t *testing.T, line string, files map[string]string) (*settings, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opts, err := parse(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	return load(opts)
}

// The rows are JMeter's: later sources win, -D never beats a JMeter property,
// files come after the defaults and before the command line, which counts in
// the order given.
func TestPropertySources(t *testing.T) {
	home := map[string]string{
		"home/bin/jmeter.properties": "x=jmeter\nuser.properties=user.properties\nsystem.properties=system.properties\n",
		"home/bin/user.properties":   "x=home user\ny=home\n",
		"home/bin/system.properties": "s=home system\n",
	}
	with := func(more ...string) map[string]string {
		m := map[string]string{}
		for k, v := range home {
			m[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for _, tt := range []struct {
		name, line string
		files      map[string]string
		property   string
		want       string // "" is absent
	}{
		{"shipped default", "", nil, "summariser.name", "summary"},
		{"the file of -p replaces the defaults", "-p p", map[string]string{"p": "x=1"}, "summariser.name", ""},
		{"the file of -p", "-p p", map[string]string{"p": "x=1"}, "x", "1"},
		{"without its property user.properties is not read", "-p p", map[string]string{"p": "x=1", "user.properties": "x=2"}, "x", "1"},
		{"user.properties beats the defaults", "", map[string]string{"user.properties": "summariser.name=mine"}, "summariser.name", "mine"},
		{"user.properties under another name", "-p p", map[string]string{"p": "user.properties=u", "u": "x=2"}, "x", "2"},
		{"home", "-d home", home, "x", "home user"},
		{"only one of two user.properties", "-d home", with("user.properties", "x=here"), "y", ""},
		{"the one in the working directory", "-d home", with("user.properties", "x=here"), "x", "here"},
		{"system.properties of the home", "-d home", home, "s", "home system"},
		{"-J beats user.properties", "-Jx=cli", map[string]string{"user.properties": "x=user"}, "x", "cli"},
		{"-q after -J", "-Jx=1 -q f", map[string]string{"f": "x=q"}, "x", "q"},
		{"-J after -q", "-q f -Jx=1", map[string]string{"f": "x=q"}, "x", "1"},
		{"-q after -q", "-q f -q g", map[string]string{"f": "x=f", "g": "x=g"}, "x", "g"},
		{"-D is seen where no property is", "-Dx=sys", nil, "x", "sys"},
		{"-D beats no property", "-Jx=1 -Dx=sys", nil, "x", "1"},
		{"-D beats no property of a file", "-Dx=sys", map[string]string{"user.properties": "x=user"}, "x", "user"},
		{"-S", "-S f", map[string]string{"f": "x=sys"}, "x", "sys"},
		{"-D after -S", "-S f -Dx=later", map[string]string{"f": "x=sys"}, "x", "later"},
		{"-D beats system.properties", "-Dx=cli", map[string]string{"system.properties": "x=file"}, "x", "cli"},
		{"an empty -J removes", "-Jsummariser.name=", nil, "summariser.name", ""},
		{"an empty -D removes", "-Dx=1 -Dx", nil, "x", ""},
		{"-J removed shows the system property", "-Dx=sys -Jx=1 -Jx=", nil, "x", "sys"},
		{"-G does nothing here", "-Gx=1", nil, "x", ""},
		{"-q that is not there", "-q nofile -Jx=1", nil, "x", "1"},
		{"equals signs in a value", "-Jx=a=b", nil, "x", "a=b"},
		{"escapes and continued lines", "-q f", map[string]string{"f": "! no\nx : a\\u00e4\\\n   b\n"}, "x", "aäb"},
		{"Latin-1", "-q f", map[string]string{"f": "x=\xe4"}, "x", "ä"},
		{"no expansion", "-q f", map[string]string{"f": "x=${y}"}, "x", "${y}"},
		{"proxy", "-H h -P 1 -N *.b|c -E https", nil, "https.proxyHost", "h"},
		{"proxy port", "-H h -P 1", nil, "http.proxyPort", "1"},
		{"no proxy for", "-N *.b|c", nil, "http.nonProxyHosts", "*.b|c"},
		{"proxy scheme", "-H h -P 1 -E https", nil, "http.proxyScheme", "https"},
		{"proxy user", "-u me -a secret", nil, "http.proxyUser", "me"},
		{"proxy password", "-u me -a secret", nil, "http.proxyPass", "secret"},
		{"a password needs a user", "-a secret", nil, "http.proxyPass", ""},
		{"what every Java program has", "", nil, "file.separator", string(filepath.Separator)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := loadLine(t, tt.line, tt.files)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := s.props.Lookup(tt.property)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("%s=%q, want %q", tt.property, got, tt.want)
			}
		})
	}
}

func TestPropertiesOfTheEnvironment(t *testing.T) {
	t.Setenv("JVM_ARGS", "-Xmx2g -Da.b=c  -Dflag -XX:+UseG1GC")
	s, err := loadLine(t, "-Dflag=over", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.props.Get("a.b", "") != "c" || s.props.Get("flag", "") != "over" {
		t.Errorf("a.b=%q flag=%q", s.props.Get("a.b", ""), s.props.Get("flag", ""))
	}
	t.Setenv("JMETER_HOME", filepath.Join(t.TempDir(), "none"))
	if s, err = loadLine(t, "", nil); err != nil || s.props.Get("summariser.name", "") != "summary" {
		t.Errorf("a JMETER_HOME without JMeter: %v", err)
	}
	t.Chdir(t.TempDir())
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "bin", "jmeter.properties"), []byte("summariser.name=theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("JMETER_HOME", home)
	if s, err = load(nil); err != nil || s.props.Get("summariser.name", "") != "theirs" {
		t.Errorf("JMETER_HOME: %v", err)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"-p nofile", "Could not read JMeter properties file:nofile: no such file or directory"},
		{"-d nowhere", "Could not read JMeter properties file:nowhere/bin/jmeter.properties: no such file or directory"},
		{"-q bad", "bad: "},
		{"-H h", "If specifying a proxy server, host and port must be given"},
		{"-H h -P abc", `The port of a proxy server is a number from 1 to 65535, not "abc"`},
		{"-H h -P 70000", `The port of a proxy server is a number from 1 to 65535, not "70000"`},
		{"-P 1", "If specifying a proxy server, host and port must be given"},
	} {
		_, err := loadLine(t, tt.line, map[string]string{"bad": `x=\u12`})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.line, err, tt.want)
		}
	}
	if _, err := loadLine(t, "", map[string]string{"user.properties": `x=\uzzzz`}); err == nil || !strings.HasPrefix(err.Error(), "user.properties: ") {
		t.Errorf("a bad user.properties: %v", err)
	}
}

func TestRunnable(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"-n -t p", ""},
		{"-n -t p -X", ""}, // as in JMeter it does nothing alone
		{"-n -t p -l x -e", ""},
		{"-t p", "There is no GUI: run a plan with -n -t plan.jmx"},
		{"-n", "Non-GUI runs require a test plan (-t plan.jmx)"},
		{"-n -t p -e", "Option -e requires -l option"},
		{"-n -t LAST", "LAST is what JMeter's GUI had open last, which gojm does not know: name the file"},
		{"-n -t p -l LAST.jtl", "LAST is what JMeter's GUI had open last, which gojm does not know: name the file"},
		{"-s", errDistributed.Error()},
		{"-n -t p -r", errDistributed.Error()},
		{"-n -t p -R a,b", errDistributed.Error()},
	} {
		s, err := loadLine(t, tt.line, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = s.runnable()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got %v, want %q", tt.line, err, tt.want)
		}
		var incorrect incorrectError
		if err != nil && !errors.Is(err, errDistributed) && !errors.As(err, &incorrect) {
			t.Errorf("%s: %v is no wrong use", tt.line, err)
		}
	}
}
