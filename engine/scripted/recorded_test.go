package scripted_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	. "github.com/gojm/gojm/engine/plantest"

	_ "github.com/gojm/gojm/engine/std" // elements
)

// recorded is what JMeter 5.6.3 on Java 17 made of one script.
type recorded struct {
	Class, Language, Script, Code, Message, Body string
	OK                                           bool
}

// Samplers as real JMeter answered, error texts included.
func TestAsRecorded(t *testing.T) {
	f, err := os.Open("testdata/recorded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []recorded
	var nodes []Node
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		if r.Class == "BeanShellSampler" {
			nodes = append(nodes, E(r.Class, "LABEL", S("BeanShellSampler.query", r.Script), S("BeanShellSampler.parameters", "p q")))
		} else {
			nodes = append(nodes, E(r.Class, "LABEL", S("scriptLanguage", r.Language), S("script", r.Script), S("parameters", "p q")))
		}
	}
	got := Run(t, Users(1, 1, nodes...))
	if got.Err != nil || len(got.Samples) != len(all) {
		t.Fatalf("%d samples of %d: %v\n%v", len(got.Samples), len(all), got.Err, got.Problems)
	}
	for i, want := range all {
		s := got.Samples[i]
		if s.Success != want.OK || s.Code != want.Code || s.Message != want.Message || string(s.Body) != want.Body {
			t.Errorf("%s %s\n got %v %s %q %q\nwant %v %s %q %q", want.Class, want.Script, s.Success, s.Code, s.Message, s.Body, want.OK, want.Code, want.Message, want.Body)
		}
		if s.SamplerData != want.Script || s.DataType != "text" {
			t.Errorf("%s: sampler data %q, type %q", want.Script, s.SamplerData, s.DataType)
		}
	}
}
