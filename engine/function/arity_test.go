package function_test

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/expr"
)

// arity is how many arguments JMeter 5.6.3 takes, asked of its own classes; -1 is
// any number.
var arity = map[string][2]int{
	"__BeanShell": {1, 2}, "__CSVRead": {2, 2}, "__FileToString": {1, 3}, "__P": {1, 2}, "__Random": {2, 3},
	"__RandomDate": {3, 5}, "__RandomFromMultipleVars": {1, 2}, "__RandomString": {1, 3}, "__StringFromFile": {1, 4},
	"__StringToFile": {2, 4}, "__TestPlanName": {0, 0}, "__UUID": {0, 0}, "__V": {1, 2}, "__XPath": {2, 2},
	"__changeCase": {1, 3}, "__char": {1, -1}, "__counter": {1, 2}, "__dateTimeConvert": {3, 4}, "__digest": {2, 5},
	"__escapeHtml": {1, 1}, "__escapeOroRegexpChars": {1, 2}, "__escapeXml": {1, 1}, "__eval": {1, 1}, "__evalVar": {1, 1},
	"__groovy": {1, 2}, "__intSum": {2, -1}, "__isPropDefined": {1, 1}, "__isVarDefined": {1, 1}, "__javaScript": {1, 2},
	"__jexl2": {1, 2}, "__jexl3": {1, 2}, "__log": {1, 4}, "__logn": {1, 3}, "__longSum": {2, -1}, "__machineIP": {0, 1},
	"__machineName": {0, 1}, "__property": {1, 3}, "__regexFunction": {2, 7}, "__samplerName": {0, 1}, "__setProperty": {2, 3},
	"__split": {2, 3}, "__threadGroupName": {0, 0}, "__threadNum": {0, 0}, "__time": {0, 2}, "__timeShift": {4, 5},
	"__unescape": {1, 1}, "__unescapeHtml": {1, 1}, "__urldecode": {1, 1}, "__urlencode": {1, 1},
}

func TestArity(t *testing.T) {
	for name, want := range arity {
		f := expr.Lookup(name)
		if f == nil {
			t.Errorf("%s is missing", name)
		} else if got := [2]int{f.Min, f.Max}; got != want || f.Plugin {
			t.Errorf("%s takes %v arguments, want %v", name, got, want)
		}
	}
	if len(arity) != 49 {
		t.Errorf("%d functions, JMeter has 49", len(arity))
	}
}

// What is not JMeter's own is marked, and is text where it is called wrongly.
func TestPlugins(t *testing.T) {
	b := newBench(t)
	for _, f := range expr.Functions() {
		if _, own := arity[f.Name]; own {
			continue
		}
		if !f.Plugin {
			t.Errorf("%s is not JMeter's and not marked as a plugin's", f.Name)
		}
		src := "${" + f.Name + "(" + strings.Repeat(",", max(f.Min-2, 0)) + ")}"
		if f.Min > 0 {
			b.check(row{src, src})
		}
	}
	b.check(row{"${__changeCase(${__substring})}", "${__SUBSTRING}"}) // as recorded
}
