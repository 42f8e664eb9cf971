package control_test

import (
	"strings"
	"testing"

	. "github.com/gojm/gojm/engine/plantest"
)

func TestWeightedSwitch(t *testing.T) {
	weights := func(rows ...[]string) string { return Table("Weights", rows...) }
	children := []Node{
		Sampler("a"),
		E("GenericController", "b").With(Sampler("b1"), Sampler("b2")),
		Sampler("c"),
	}
	for _, tc := range []struct {
		name  string
		props []string
		want  string
	}{
		{"in turn by weight", []string{weights([]string{"a", "50"}, []string{"b", "30"}, []string{"c", "20"})}, "a b1 b2 c a b1 b2 a c a b1 b2"},
		{"one is off", []string{weights([]string{"a", "1", "true"}, []string{"x", "9", "false"}, []string{"b", "1", "true"})}, "a b1 b2 a b1 b2 a b1 b2 a b1 b2 a"},
		{"no weight", []string{weights([]string{"a", "0"})}, ""},
		{"no rows", nil, ""},
	} {
		n := E("com.blazemeter.jmeter.control.WeightedSwitchController", "switch", tc.props...).With(children...)
		r := Run(t, Users(1, 9, n, E("plantest.Sampler", "pass", B("fail", false))))
		got := strings.Join(strings.Fields(strings.ReplaceAll(r.Labels(), "pass", "")), " ")
		if !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" || strings.Count(r.Labels(), "pass") != 9 {
			t.Errorf("%s: %s, want %s", tc.name, r.Labels(), tc.want)
		}
	}
	n := E("com.blazemeter.jmeter.control.WeightedSwitchController", "switch", weights([]string{"a", "1"}, []string{"b", "0"}, []string{"c", "3"}), B("IsRandomChoice", true)).With(children...)
	r := Run(t, Users(1, 400, n))
	if a, c := strings.Count(r.Labels(), "a"), strings.Count(r.Labels(), "c"); a+c != 400 || a < 50 || a > 150 {
		t.Errorf("by chance: %d a, %d c of 400", a, c)
	}
}

func TestParameterized(t *testing.T) {
	n := E("kg.apc.jmeter.control.ParameterizedController", "p", Args("ParameterizedController", "x", "1", "y", "${x}", "x", "2")).With(Sampler("${x}${y}"), Sampler("${x}${y}"))
	r := Run(t, Users(1, 1, Sampler("${x}"), n, Sampler("${y}")))
	if r.Labels() != "${x} 1${x} 11 1" {
		t.Error(r.Labels())
	}
}
