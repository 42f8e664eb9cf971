package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func run(args []string, std stdio) int {
	opts, err := canonical(args)
	if err != nil {
		fmt.Fprintln(std.err, "Error:", err)
		return 1
	}
	props := vu.NewProperties()
	props.Set("sampleresult.timestamp.start", "true")
	props.Set("summariser.name", "summary")
	var plan, results string
	for _, o := range opts {
		switch o.long {
		case "testfile":
			plan = o.value
		case "logfile":
			results = o.value
		case "jmeterproperty":
			if o.value == "" {
				props.Remove(o.name)
			} else {
				props.Set(o.name, o.value)
			}
		}
	}
	tree, err := jmx.Read(plan)
	if err != nil {
		fmt.Fprintln(std.out, "An error occurred:", err)
		return 1
	}
	for _, r := range tree.Roots {
		if r.Class == "TestPlan" && r.Enabled {
			name := props.Get("summariser.name", "")
			if name != "" {
				fmt.Fprintln(std.out, "Creating summariser <"+name+">")
				r.Append(&jmx.Node{Class: "Summariser", GUI: "SummariserGui", Name: name, Enabled: true})
			}
			if results != "" {
				r.Append(&jmx.Node{Class: "ResultCollector", Name: "-l", Enabled: true, Props: []*jmx.Prop{{Name: "filename", Value: results}}})
			}
		}
	}
	abs, _ := filepath.Abs(plan)
	p, problems, err := engine.Compile(tree, engine.Options{Props: props, Out: std.out, Err: std.err, PlanFile: filepath.Base(plan), BaseDir: filepath.Dir(abs)})
	for _, x := range problems {
		if x.Level != elem.Note {
			fmt.Fprintln(std.err, x.Error())
		}
	}
	if err != nil {
		return 1
	}
	fmt.Fprintln(std.out, "Created the tree successfully using "+plan)
	fmt.Fprintf(std.out, "Starting standalone test @ %s\n", time.Now())
	err = p.Start().Run()
	fmt.Fprintln(std.out, "Tidying up ...")
	if err != nil {
		fmt.Fprintln(std.err, err)
	}
	fmt.Fprintln(std.out, "... end of run")
	if err != nil {
		return 1
	}
	return 0
}
