package htmlreport

import (
	"strings"
	"testing"
)

// A page passes the chart library on, so it passes on what its licence asks for.
func TestChartScriptHasItsNotice(t *testing.T) {
	script, err := chartScript()
	if err != nil || script == nil {
		t.Fatalf("the chart library is not built in: run make (%v)", err)
	}
	start := string(script[:min(len(script), 2000)])
	for _, want := range []string{"Copyright", "The Apache Software Foundation", "www.apache.org/licenses/LICENSE-2.0"} {
		if !strings.Contains(start, want) {
			t.Errorf("the chart library begins without %q:\n%s", want, start)
		}
	}
}
