package http_test

import (
	"fmt"
	"strings"
	"testing"
)

// A sampler that asks for properties follows them, however often they change.
func TestChangedPropertyIsHeeded(t *testing.T) {
	var got []string
	p := serve(t, func(head string, body []byte) string {
		got = append(got, strings.Fields(line(head))[1]+" "+value(head, "X-Rate")+" "+string(body))
		return reply("200 OK", "")
	})
	const loops = 250 // more than a sampler makes anew
	plan{
		loops: loops,
		props: map[string]string{"at": "0"},
		body: request("first", "GET", p.url("/${__P(at)}")) + headerManager("X-Rate", "${__P(at)}") +
			request("second ${__setProperty(at,${__counter(TRUE)},)}", "POST", p.url("/b"), boolean("HTTPSampler.postBodyRaw", true),
				arguments(false, argument{"", "at ${__property(at)}"})),
	}.run(t)
	if len(got) != 2*loops {
		t.Fatalf("%d requests", len(got))
	}
	for i := range loops {
		if want := fmt.Sprintf("/%d %d ", i, i); got[2*i] != want {
			t.Fatalf("loop %d: %q, want %q", i, got[2*i], want)
		}
		if want := fmt.Sprintf("/b %d at %d", i+1, i+1); got[2*i+1] != want {
			t.Fatalf("loop %d: %q, want %q", i, got[2*i+1], want)
		}
	}
}
