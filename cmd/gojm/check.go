package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// checkCommand is `gojm check`: what a plan uses and gojm does not support.
func checkCommand(std stdio) *cobra.Command {
	var asJSON, notes bool
	cmd := &cobra.Command{
		Use:   "check plan.jmx ...",
		Short: "List what the plans use and gojm does not support",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, plans []string) error {
			var all []checked
			bad := false
			for _, p := range plans {
				c := checkPlan(p)
				bad = bad || !c.Runs
				all = append(all, c)
				if !asJSON {
					c.print(std, notes)
				}
			}
			if asJSON {
				enc := json.NewEncoder(std.out)
				enc.SetIndent("", "  ")
				if err := enc.Encode(all); err != nil {
					return err
				}
			}
			if bad {
				return said{errors.New("not every plan runs wholly")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&notes, "notes", false, "also list what does not keep a plan from running")
	return cmd
}

// checked is what check has to say of one plan.
type checked struct {
	Plan     string         `json:"plan"`
	Runs     bool           `json:"runs"`
	Error    string         `json:"error,omitempty"` // the plan cannot be read
	Problems []elem.Problem `json:"problems"`
	Notes    []elem.Problem `json:"notes,omitempty"`
}

func checkPlan(file string) checked {
	c := checked{Plan: file, Problems: []elem.Problem{}}
	tree, err := jmx.Read(file)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	dir, err := os.Getwd()
	if err != nil {
		c.Error = err.Error()
		return c
	}
	props := vu.NewProperties()
	setDefaults(props)
	_, problems, err := engine.Compile(tree, engine.Options{Props: props, PlanFile: filepath.Base(file), BaseDir: filepath.Dir(abs), WorkDir: dir})
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
	c.Runs = err == nil
	return c
}

func (c checked) print(std stdio, notes bool) {
	if c.Error != "" {
		fmt.Fprintln(std.out, c.Error)
		return
	}
	for _, p := range c.Problems {
		fmt.Fprintln(std.out, p.Error())
	}
	if notes {
		for _, p := range c.Notes {
			fmt.Fprintln(std.out, p.Error()+" (note)")
		}
	}
	if c.Runs {
		fmt.Fprintf(std.out, "%s: runs wholly\n", c.Plan)
	} else {
		fmt.Fprintf(std.out, "%s: does not run: %d problem(s)\n", c.Plan, len(c.Problems))
	}
}
