package function_test

import "testing"

func TestAllocs(t *testing.T) {
	for _, c := range []struct {
		src  string
		most float64
	}{
		{"${__P(rate,1)}", 0}, {"${__P(nope,1)}", 0}, {"${__property(rate)}", 0},
		{"${__threadNum}", 0}, {"${__threadGroupName}", 0}, {"${__TestPlanName}", 0},
		{"${__time}", 0}, {"${__time(/1000)}", 0}, {"${__time(yyyy-MM-dd HH:mm:ss)}", 2},
		{"${__Random(1,1000)}", 0}, {"${__Random(${low},${high})}", 0}, {"${__Random(1,1000,n)}", 1},
		{"${__RandomString(20,abcdef)}", 0},
		{"${__counter(TRUE)}", 0}, {"${__counter(FALSE)}", 0}, {"${__counter(FALSE,c)}", 1},
		{"${__UUID}", 0},
		{"${__V(item)}", 0}, {"${__V(item_${low})}", 2},
		{"${__evalVar(item)}", 0}, {"${__eval(plain)}", 0},
		{"${__intSum(${low},${high},7)}", 0}, {"${__isVarDefined(item)}", 0},
		{"${__urlencode(${item})}", 0}, {"${__logn(x,DEBUG)}", 12},
	} {
		b := newBench(t).set("low", "1", "high", "6", "item", "a value", "item_1", "first")
		b.run.Props.Set("rate", "20")
		b.allocs(c.src, c.most)
	}
}
