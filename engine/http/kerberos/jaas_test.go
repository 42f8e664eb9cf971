package kerberos

import (
	"maps"
	"strings"
	"testing"
)

func property(name string) (string, bool) {
	v, ok := map[string]string{"user.home": "/home/ann", "empty": ""}[name]
	return v, ok
}

func TestLoginModules(t *testing.T) {
	const krb5 = "com.sun.security.auth.module.Krb5LoginModule"
	for _, c := range []struct {
		name, text string
		want       map[string]string // options of the first module of JMeter
		err        string
	}{
		{name: "JMeter's own", text: "/** A comment */\nJMeter {\n  " + krb5 + " required\n  doNotPrompt=false\n  useKeyTab=false\n  storeKey=false;\n};",
			want: map[string]string{"doNotPrompt": "false", "useKeyTab": "false", "storeKey": "false"}},
		{name: "quotes", text: `"JMeter" { ` + krb5 + ` required keyTab="/a b/c;d" principal='x@Y' useKeyTab = true ; } ;`,
			want: map[string]string{"keyTab": "/a b/c;d", "principal": "x@Y", "useKeyTab": "true"}},
		{name: "properties", text: `JMeter { ` + krb5 + ` optional keyTab="${user.home}${/}x" debug=${empty} a=${user.home}/y; };`,
			want: map[string]string{"keyTab": "/home/ann/x", "debug": "", "a": "/home/ann/y"}},
		{name: "comments", text: "# one\nJMeter { // two\n " + krb5 + " /* three\n*/ REQUIRED; };", want: map[string]string{}},
		{name: "among others", text: "A { x required; }; JMeter { " + krb5 + " required b=c; y sufficient; }; B { };", want: map[string]string{"b": "c"}},
		{name: "other", text: "other { " + krb5 + " required b=c; };", want: map[string]string{"b": "c"}},
		{name: "none", text: "A { x required; };", err: "No LoginModules configured for JMeter"},
		{name: "nothing", text: "", err: "No LoginModules configured for JMeter"},
		{name: "empty", text: "JMeter { };", err: "No LoginModules configured for JMeter"},
		{name: "no flag", text: "JMeter {\n x perhaps; };", err: `line 2: "perhaps" is no control flag`},
		{name: "no end of the options", text: "JMeter { x required a=b };", err: "line 1: expected ;"},
		{name: "no end of the entry", text: "JMeter { x required a=b; }", err: "line 1: expected ;, found \"\""},
		{name: "no value", text: "JMeter { x required a; };", err: `line 1: expected =, found ";"`},
		{name: "open quote", text: `JMeter { x required a="b; };`, err: "line 1: quote without an end"},
		{name: "open comment", text: "\n/* JMeter", err: "line 2: comment without an end"},
		{name: "no such property", text: `JMeter { x required a="${nothing}"; };`, err: "line 1: unable to expand nothing"},
		{name: "twice", text: "A { x required; }; A { x required; };", err: "line 1: more than one entry for A"},
	} {
		list, err := readLoginModules(c.text, "JMeter", property)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil || list[0].class != krb5 || !maps.Equal(list[0].options, c.want) {
			t.Errorf("%s: %v %v, want %v", c.name, list, err, c.want)
		}
	}
}

func FuzzLoginModules(f *testing.F) {
	f.Add(`JMeter { a required b="${user.home}"; };`)
	f.Add("/*\n")
	f.Add("A{b optional c=${")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := readLoginModules(text, "JMeter", property)
		if err == nil && (len(list) == 0 || !strings.Contains(text, list[0].class)) {
			t.Fatalf("%q: %v", text, list)
		}
	})
}
