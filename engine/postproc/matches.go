package postproc

import (
	"strconv"

	"github.com/gojm/gojm/engine/vu"
)

// takeCount removes name_matchNr and returns what it held: how many numbered
// variables an earlier run may have left behind.
func takeCount(t *vu.Thread, name string) int {
	text, ok := t.Vars.Get(name + "_matchNr")
	if !ok {
		return 0
	}
	t.Vars.Remove(name + "_matchNr")
	n, ok := vu.ParseInt(text)
	if !ok {
		t.Log().Warn("Could not parse number: '" + text + "'")
		return 0
	}
	return int(n)
}

func numbered(name string, i int) string { return name + "_" + strconv.Itoa(i) }

// clearNumbered removes name_matchNr and name_1, name_2 and so on up to the first
// that is not set.
func clearNumbered(t *vu.Thread, name string) {
	t.Vars.Remove(name + "_matchNr")
	for i := 1; ; i++ {
		n := numbered(name, i)
		if t.Vars.Object(n) == nil {
			return
		}
		t.Vars.Remove(n)
	}
}
