package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/plantest"
)

func sorted(s []string) string {
	s = slices.Clone(s)
	slices.Sort(s)
	return strings.Join(s, " ")
}

func TestCounter(t *testing.T) {
	const start, end, incr, format, name = "CounterConfig.start", "CounterConfig.end", "CounterConfig.incr", "CounterConfig.format", "CounterConfig.name"
	for _, tc := range []struct {
		name  string
		props []string
		want  string
	}{
		{"round", []string{S(start, 1), S(end, 3), S(incr, 1)}, "1 2 3 1 2"},
		{"too wide a step", []string{S(start, 1), S(end, 2), S(incr, 5)}, "1 1 1 1 1"},
		{"empty end", []string{S(start, 8), S(end, ""), S(incr, 1)}, "8 9 10 11 12"},
		{"no end is 0", []string{S(start, 1), S(incr, 1)}, "1 1 1 1 1"},
		{"down", []string{S(start, 3), S(end, 3), S(incr, -1)}, "3 2 1 0 -1"},
		{"format", []string{S(start, 9), S(end, 99), S(incr, 1), S(format, "U_000")}, "U_009 U_010 U_011 U_012 U_013"},
		{"bad format", []string{S(start, 9), S(end, 99), S(incr, 1), S(format, "0.0.0")}, "9 10 11 12 13"},
		{"bad numbers", []string{S(start, " 1"), S(end, "x"), S(incr, "y")}, "0 0 0 0 0"},
		{"each user", []string{S(start, 1), S(end, 2), S(incr, 1), B("CounterConfig.per_user", true)}, "1 2 1 2 1"},
		{"each user, beyond the end", []string{S(start, 5), S(end, 2), S(incr, 1), B("CounterConfig.per_user", true)}, "5 5 5 5 5"},
	} {
		r := Run(t, Users(1, 5, E("CounterConfig", "c", append(tc.props, S(name, "n"))...), Sampler("${n}")))
		if r.Labels() != tc.want || r.Err != nil {
			t.Errorf("%s: %s, %v; want %s", tc.name, r.Labels(), r.Err, tc.want)
		}
	}
}

// A counter for all is one for all groups when it stands at the plan's level.
func TestCounterForAll(t *testing.T) {
	c := E("CounterConfig", "c", S("CounterConfig.start", 1), S("CounterConfig.end", 99), S("CounterConfig.incr", 1), S("CounterConfig.name", "n"))
	r := Run(t, Users(2, 2, Sampler("${n}")), Users(1, 3, Sampler("${n}")), c)
	if got := sorted(strings.Fields(r.Labels())); got != "1 2 3 4 5 6 7" {
		t.Error(got)
	}
}

func TestRandomVariable(t *testing.T) {
	const low, high, seed = "minimumValue", "maximumValue", "randomSeed"
	for _, tc := range []struct {
		name  string
		props []string
		want  string
	}{
		// JMeter 5.6.3's numbers
		{"seed", []string{S(low, 1), S(high, 100), S(seed, 42)}, "31 64 49 85 71"},
		{"format", []string{S(low, 1), S(high, 100), S(seed, 42), S("outputFormat", "R000")}, "R031 R064 R049 R085 R071"},
		{"each thread", []string{S(low, 1), S(high, 100), S(seed, 42), B("perThread", true)}, "31 64 49 85 71"},
		{"one number", []string{S(low, -3), S(high, -3), S(seed, "x")}, "-3 -3 -3 -3 -3"},
		{"no number", []string{S(low, 2), S(high, 1)}, "${n} ${n} ${n} ${n} ${n}"},
		{"words", []string{S(low, "a"), S(high, "")}, "0 0 0 0 0"},
	} {
		r := Run(t, Users(1, 5, E("RandomVariableConfig", "r", append(tc.props, S("variableName", "n"))...), Sampler("${n}")))
		if r.Labels() != tc.want || r.Err != nil {
			t.Errorf("%s: %s, %v; want %s", tc.name, r.Labels(), r.Err, tc.want)
		}
	}
	two := Run(t, Users(2, 2, E("RandomVariableConfig", "r", S(low, 1), S(high, 100), S(seed, 42), B("perThread", true), S("variableName", "n")), Sampler("${n}")))
	if got := sorted(strings.Fields(two.Labels())); got != "31 31 64 64" {
		t.Errorf("two threads: %s", got)
	}
}

func TestRandomCSV(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "n,x\n1,\"a\nb\"\n2,c\n3,d\n"})
	set := func(props ...string) Node {
		n := E("com.blazemeter.jmeter.RandomCSVDataSetConfig", "data", append(props, S("filename", "a.csv"))...)
		return n
	}
	run := func(threads, loops int, n Node) (string, error) {
		r := Plan{Dir: dir}.Run(t, Users(threads, loops, n, Sampler("${n}${x}")))
		return r.Labels(), r.Err
	}
	for _, tc := range []struct {
		props []string
		want  string
	}{
		{nil, "1a\nb 2c 3d"},
		{[]string{B("rewindOnTheEndOfList", true)}, "1a\nb 2c 3d 1a\nb"},
		{[]string{S("variableNames", "n,x")}, "nx 1a\nb 2c 3d"},
		{[]string{S("variableNames", "x"), B("ignoreFirstLine", true)}, "${n}1 ${n}2 ${n}3"},
	} {
		if got, err := run(1, 4, set(tc.props...)); got != tc.want || err != nil {
			t.Errorf("%v: %q, %v; want %q", tc.props, got, err, tc.want)
		}
	}
	got, err := run(2, 4, set(B("randomOrder", true)))
	if list := strings.Split(strings.ReplaceAll(got, "\n", ""), " "); sorted(list) != "1ab 2c 3d" || err != nil {
		t.Errorf("random, shared: %q, %v", list, err)
	}
	got, err = run(2, 4, set(B("randomOrder", true), B("independentListPerThread", true)))
	if list := strings.Split(strings.ReplaceAll(got, "\n", ""), " "); sorted(list) != "1ab 1ab 2c 2c 3d 3d" || err != nil {
		t.Errorf("random, each thread: %q, %v", list, err)
	}
	if r := Run(t, Users(1, 1, set(), Sampler("never"))); r.Err == nil || !strings.Contains(r.Err.Error(), `"data": open`) || len(r.Samples) > 0 {
		t.Errorf("no file: %v", r.Err)
	}
}

// What is inert does not stop a run, whatever stands below it.
func TestInert(t *testing.T) {
	r := Run(t,
		E("ProxyControl", "recorder").With(E("NoSuchElement", "x").With(E("ViewNothing", "y"))),
		Node{Class: "ConfigTestElement", GUI: "PropertyControlGui", Name: "Property Display"},
		Node{Class: "ConfigTestElement", GUI: "ObsoleteGui", Name: "SOAP"},
		E("kg.apc.jmeter.perfmon.PerfMonCollector", "perfmon", S("filename", "x.csv")),
		Users(1, 1, Sampler("a"), Node{Class: "ConfigTestElement", GUI: "SimpleConfigGui", Name: "any", Props: []string{S("fail", true)}}),
	)
	if r.Err != nil || r.Labels() != "a" || r.Samples[0].Success {
		t.Errorf("%s, %v %v", r.Labels(), r.Err, r.Problems)
	}
	var notes []string
	for _, p := range r.Problems {
		if p.Level != elem.Note {
			t.Errorf("%v", p)
		}
		notes = append(notes, p.Name)
	}
	if got := sorted(notes); got != "ObsoleteGui PerfMonCollector" {
		t.Errorf("notes: %s", got)
	}
}
