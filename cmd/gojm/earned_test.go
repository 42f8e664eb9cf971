package main

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/jmx"
)

// The status "full" is earned: a recorded plan uses the element.
func TestFullIsEarned(t *testing.T) {
	type class struct{ class, gui string }
	used := map[class]bool{}
	var walk func(n *jmx.Node)
	walk = func(n *jmx.Node) {
		if !n.Enabled {
			return
		}
		used[class{n.Class, n.GUI}] = true
		used[class{n.Class, ""}] = true
		for _, k := range n.Children {
			walk(k)
		}
	}
	var inProps func(ps []*jmx.Prop) // a thread group's main controller stands in a property
	inProps = func(ps []*jmx.Prop) {
		for _, p := range ps {
			if p.Class != "" {
				used[class{p.Class, ""}] = true
			}
			inProps(p.Props)
		}
	}
	plans := 0
	err := filepath.WalkDir("../../testdata/conformance", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jmx" {
			return err
		}
		tree, err := jmx.Read(path)
		if err != nil {
			return nil // a case of a plan that does not load
		}
		plans++
		for _, r := range tree.Roots {
			walk(r)
			var props func(n *jmx.Node)
			props = func(n *jmx.Node) {
				inProps(n.Props)
				for _, k := range n.Children {
					props(k)
				}
			}
			props(r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if plans < 200 {
		t.Errorf("only %d plans were read", plans)
	}
	for _, s := range elem.Specs() {
		if s.Status == elem.Full && !used[class{s.Class, s.GUI}] {
			t.Errorf("%s (%s %s) says full, and no conformance case uses it", s.Title, s.Class, s.GUI)
		}
	}
}
