package java

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSimpleDateFormat(t *testing.T) {
	for _, r := range rows(t, "simpledate.tsv", 6) {
		p, err := ParseSimplePattern(r[1])
		got := ""
		switch {
		case err != nil:
			got = "!" + err.Error()
		case r[0] == "f":
			ms, _ := strconv.ParseInt(r[4], 10, 64)
			got = string(p.Append(nil, time.UnixMilli(ms).In(zone(t, r[3])), locale(t, r[2])))
		default:
			tm, err := p.Parse(r[4], locale(t, r[2]), zone(t, r[3]))
			if got = strconv.FormatInt(tm.UnixMilli(), 10); err != nil {
				got = "!" + err.Error()
			}
		}
		if got != r[5] {
			t.Errorf("%s\n got %q", strings.Join(r, " | "), got)
		}
	}
}
