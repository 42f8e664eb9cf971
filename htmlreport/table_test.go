package htmlreport

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gojm/gojm/jtl"
	"github.com/google/go-cmp/cmp"
)

// TestTableGolden compares with what the listeners of JMeter saved.
func TestTableGolden(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join(goldenDir, "*", "aggregate.csv"))
	if err != nil || len(cases) < 25 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, path := range cases {
		dir := filepath.Dir(path)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			opt := DefaultOptions()
			// The recordings are of default properties but for these.
			switch name {
			case "dates", "end-stamps", "headerless-2x-10col":
				opt.Read = goldenOptions(t, name).Read
			}
			opt.Read.Workers = 1
			opt.Read.TopOnly = true
			table := NewTable(opt)
			if _, err := jtl.ReadFile(filepath.Join(dir, "in.jtl"), opt.Read, func(_ int, r *jtl.Row) error {
				table.Add(r)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for file, write := range map[string]func(*bytes.Buffer) error{
				"aggregate.csv": func(b *bytes.Buffer) error { return table.WriteAggregate(b) },
				"summary.csv":   func(b *bytes.Buffer) error { return table.WriteSummary(b) },
			} {
				want, err := os.ReadFile(filepath.Join(dir, file))
				if os.IsNotExist(err) {
					continue
				}
				var got bytes.Buffer
				if err := write(&got); err != nil {
					t.Fatal(err)
				}
				expected := string(want)
				if name == "unicode" { // JMeter does not quote a line break
					expected = strings.Replace(expected, "line\nbreak", "\"line\nbreak\"", 1)
				}
				if diff := cmp.Diff(strings.TrimSpace(expected), strings.TrimSpace(got.String())); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", file, diff)
				}
			}
		})
	}
}
