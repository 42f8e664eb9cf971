package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spelled is a parsed command line in one form.
func spelled(opts []given) string {
	var out []string
	for _, o := range opts {
		switch o.kind {
		case noArg:
			out = append(out, o.long)
		case oneArg:
			out = append(out, fmt.Sprintf("%s[%s]", o.long, o.value))
		case pairArg:
			out = append(out, fmt.Sprintf("%s[%s][%s]", o.long, o.name, o.value))
		}
	}
	return strings.Join(out, " ")
}

// The forms are those that JMeter 5.6.3 was seen to take.
func TestParse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"-l f", "logfile[f]"},
		{"-lf", "logfile[f]"},
		{"-l=f", "logfile[f]"},
		{"-l==f", "logfile[=f]"},
		{"--logfile f", "logfile[f]"},
		{"--logfile=f", "logfile[f]"},
		{"--logfile= f", "logfile[f]"},
		{"--logfile=a=b", "logfile[a=b]"},
		{"-l -n", "logfile[-n]"},
		{"-nt plan.jmx", "nongui testfile[plan.jmx]"},
		{"-ntplan.jmx -ef", "nongui testfile[plan.jmx] reportatendofloadtests forceDeleteResultFile"},
		{"-nt=plan.jmx", "nongui testfile[plan.jmx]"},
		{"-n --lenient", "nongui lenient"},
		{"-Jn=v", "jmeterproperty[n][v]"},
		{"-J n=v", "jmeterproperty[n][v]"},
		{"--jmeterproperty n=v", "jmeterproperty[n][v]"},
		{"--jmeterproperty=n=v", "jmeterproperty[n][v]"},
		{"-Jn v", "jmeterproperty[n][v]"},
		{"-J n v", "jmeterproperty[n][v]"},
		{"-nJ n v", "nongui jmeterproperty[n][v]"},
		{"-Jn=2=3", "jmeterproperty[n][2=3]"},
		{"-Jn=-x", "jmeterproperty[n][-x]"},
		{"-Jn=", "jmeterproperty[n][]"},
		{"-Jn", "jmeterproperty[n][]"},
		{"-Jn -e", "jmeterproperty[n][] reportatendofloadtests"},
		{"-J n -e", "jmeterproperty[n][] reportatendofloadtests"},
		{"-Da=b -Gf -LDEBUG", "systemproperty[a][b] globalproperty[f][] loglevel[DEBUG][]"},
		{"-Ljmeter.util=DEBUG", "loglevel[jmeter.util][DEBUG]"},
		{"-q a -q b -S c -S d", "addprop[a] addprop[b] systemPropertyFile[c] systemPropertyFile[d]"},
		{"-g a -g b", "reportonly[a] reportonly[b]"},
		{"-n -X", "nongui remoteexit"},
		{"-h -?", "help ?"},
		{"", ""},
	} {
		got, err := parse(strings.Fields(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if diff := cmp.Diff(tt.want, spelled(got)); diff != "" {
			t.Errorf("%s: %s", tt.in, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"--nosuch", "Unknown option --nosuch"},
		{"--nosuch=1", "Unknown option --nosuch"},
		{"-c", "Unknown option -c"},
		{"-nc", "Unknown option -c"},
		{"-n-", "Unknown option --"},
		{"-", "Malformed option -"},
		{"-n -Jx -", "Malformed option -"},
		{"-l", "Missing argument to option -l"},
		{"-l=", "Missing argument to option -l"},
		{"--logfile", "Missing argument to option --logfile"},
		{"-J", "Missing argument to option -J"},
		{"-J -n", "Missing argument to option -J"},
		{"-J=a=b", "Unable to parse first argument for option -J"},
		{"--jmeterproperty==b", "Unable to parse first argument for option --jmeterproperty"},
		{"--nongui=1", "Option --nongui takes no argument"},
		{"-n -n", "Duplicate options for -n/--nongui found."},
		{"-t a --testfile b", "Duplicate options for -t/--testfile found."},
		{"-? --?", "Duplicate options for --? found."},
		{"--lenient --lenient", "Duplicate options for --lenient found."},
		{"-g a -n", "Incompatible options -n/--nongui and -g/--reportonly found."},
		{"-g a -l b", "Incompatible options -l/--logfile and -g/--reportonly found."},
		{"-g a -R h", "Incompatible options -R/--remotestart and -g/--reportonly found."},
		{"-r -t a", "-r and -R and -X are only valid in non-GUI mode"},
		{"-X", "-r and -R and -X are only valid in non-GUI mode"},
		{"-R h", "-r and -R and -X are only valid in non-GUI mode"},
		{"x --nosuch", "Unknown option --nosuch"}, // before the argument, as in JMeter
	} {
		_, err := parse(strings.Fields(tt.in))
		var usage usageError
		if err == nil || err.Error() != tt.want || !errors.As(err, &usage) {
			t.Errorf("%s: got %v, want wrong use: %s", tt.in, err, tt.want)
		}
	}
	for _, tt := range []struct {
		in   []string
		want string
	}{
		{[]string{"x"}, "Unknown arg: x"},
		{[]string{"-n", "x", "y"}, "Unknown arg: x"},
		{[]string{"-J", "a", "=", "b"}, "Unknown arg: b"},
		{[]string{"-Jn=", "x"}, "Unknown arg: x"},
		{[]string{"--", "-n"}, "Unknown arg: -n"},
		{[]string{"-n", ""}, `Unknown arg: ""`},
	} {
		_, err := parse(tt.in)
		var occurred occurredError
		if err == nil || err.Error() != tt.want || !errors.As(err, &occurred) {
			t.Errorf("%q: got %v, want %s", tt.in, err, tt.want)
		}
	}
}

// No word that follows an option is taken for a verb, and no verb begins as an
// option does.
func TestVerbsAndFlags(t *testing.T) {
	root := rootCommand(stdio{})
	for _, c := range root.Commands() {
		if strings.HasPrefix(c.Name(), "-") || !isVerb(root, c.Name()) {
			t.Errorf("%s is no verb", c.Name())
		}
		for _, o := range options {
			if isVerb(root, o.long) {
				t.Errorf("--%s is a verb, too", o.long)
			}
		}
	}
	for _, line := range []string{"-nt check", "-Jx check", "-l mirror -nt elements"} {
		if isVerb(root, strings.Fields(line)[0]) {
			t.Errorf("%s: its first word is no verb", line)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"-nt\x00plan.jmx", "-Ja=b\x00-J\x00c\x00d", "--logfile=x\x00--", "-", "-l=\x00\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		opts, err := parse(strings.Split(line, "\x00"))
		if err != nil && opts != nil {
			t.Error("options beside an error")
		}
		for _, o := range opts {
			if o.kind == pairArg && o.name == "" || o.kind == oneArg && o.value == "" {
				t.Errorf("%s without what it needs", o)
			}
		}
	})
}
