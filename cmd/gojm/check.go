package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/jmx"
)

// checkCommand is `gojm check`: what a plan uses and gojm does not support.
func checkCommand(std stdio) *cobra.Command {
	var asJSON, notes bool
	var properties, files []string
	cmd := &cobra.Command{
		Use:   "check plan.jmx ...",
		Short: "List what plans use and gojm does not support",
		Long: `List every element, function, property and option that the plans use and gojm
does not support, with its place in the tree. The exit status is 0 when all plans
run wholly, else 1. Nothing is run.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, plans []string) error {
			opts, err := propertyOptions(properties, files)
			if err != nil {
				return err
			}
			all := []checked{}
			bad := 0
			for _, p := range plans {
				c, err := checkPlan(p, opts)
				if err != nil {
					return err
				}
				if !c.Runs {
					bad++
				}
				all = append(all, c)
				if !asJSON {
					c.print(std.out, notes)
				}
			}
			if asJSON {
				enc := json.NewEncoder(std.out)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				if err := enc.Encode(all); err != nil {
					return err
				}
			}
			if bad > 0 {
				return said{fmt.Errorf("%d of %d plans do not run wholly", bad, len(plans))}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&notes, "notes", false, "also list what does not keep a plan from running")
	cmd.Flags().StringArrayVarP(&properties, "jmeterproperty", "J", nil, "define a JMeter property: -Jname=value")
	cmd.Flags().StringArrayVarP(&files, "addprop", "q", nil, "additional JMeter property file(s)")
	return cmd
}

// propertyOptions are -J and -q as a run has them.
func propertyOptions(properties, files []string) ([]given, error) {
	var args []string
	for _, f := range files {
		args = append(args, "-q", f)
	}
	for _, p := range properties {
		args = append(args, "-J"+p)
	}
	return parse(args)
}

// checked is what check has to say of one plan.
type checked struct {
	Plan     string         `json:"plan"`
	Runs     bool           `json:"runs"`
	Error    string         `json:"error,omitempty"` // the plan cannot be read
	Problems []elem.Problem `json:"problems"`
	Notes    []elem.Problem `json:"notes"`
	warnings []string       // about properties
}

// checkPlan compiles a plan and runs nothing. Each plan has its own properties,
// since plans may set them.
func checkPlan(file string, opts []given) (checked, error) {
	c := checked{Plan: file, Problems: []elem.Problem{}, Notes: []elem.Problem{}}
	s, err := load(opts)
	if err != nil {
		return c, err
	}
	tree, err := jmx.Read(file)
	if err != nil {
		c.Error = err.Error()
		return c, nil
	}
	opt, err := compileOptions(file)
	if err != nil {
		return c, err
	}
	opt.Props = s.props
	_, problems, err := engine.Compile(tree, opt)
	if err != nil && !errors.Is(err, engine.ErrNotRunnable) {
		return c, err
	}
	c.Runs = err == nil
	c.warnings = append(s.warnings, s.unheard()...)
	seen := map[elem.Problem]bool{}
	for _, p := range problems {
		switch {
		case seen[p]:
		case p.Level == elem.Note:
			c.Notes = append(c.Notes, p)
		default:
			c.Problems = append(c.Problems, p)
		}
		seen[p] = true
	}
	return c, nil
}

// print writes what people read: a line a problem, and one on the whole.
func (c checked) print(w io.Writer, notes bool) {
	for _, p := range c.Problems {
		fmt.Fprintln(w, p.Error())
	}
	if notes {
		for _, p := range c.Notes {
			fmt.Fprintln(w, p.Error()+" (note)")
		}
	}
	for _, line := range c.warnings {
		fmt.Fprintln(w, line+" (note)")
	}
	switch {
	case c.Error != "":
		fmt.Fprintln(w, c.Error)
		fmt.Fprintf(w, "%s: cannot be read\n", c.Plan)
	case c.Runs:
		fmt.Fprintf(w, "%s: runs wholly\n", c.Plan)
	default:
		fmt.Fprintf(w, "%s: does not run: %s\n", c.Plan, count(len(c.Problems), "problem"))
	}
}
