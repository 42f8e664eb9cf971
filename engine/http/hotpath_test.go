package http_test

import (
	"net"
	"runtime"
	"sync/atomic"
	"testing"
)

// constantServer answers every read with the same response and allocates
// nothing.
func constantServer(tb testing.TB) string {
	url, _ := countingServer(tb)
	return url
}

// countingServer is constantServer, and tells how often it has answered.
func countingServer(tb testing.TB) (url string, answers *atomic.Int64) {
	answers = new(atomic.Int64)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\nServer: t\r\nContent-Length: 11\r\n\r\nHello world")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buf := make([]byte, 4096)
				for {
					if _, err := c.Read(buf); err != nil {
						return
					}
					if _, err := c.Write(answer); err != nil {
						return
					}
					answers.Add(1)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String(), answers
}

// mallocs runs a plan and returns how often it allocated memory.
func mallocs(tb testing.TB, p plan) int64 {
	compiled, _ := p.compile(tb)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := compiled.Start().Run(); err != nil {
		tb.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs)
}

// perSample is the cost of one more loop, so that what a run costs at its
// beginning does not count.
func perSample(tb testing.TB, body string) float64 {
	const few, many = 500, 2500
	a := mallocs(tb, plan{loops: few, body: body})
	b := mallocs(tb, plan{loops: many, body: body})
	return float64(b-a) / (many - few)
}

// A request on a kept connection, with constant headers, and its CSV row: no
// allocation at all when nothing varies, and few when something does.
func TestHotPathAllocations(t *testing.T) {
	base := constantServer(t)
	headers := headerManager("Accept", "text/html", "X-Trace", "gojm")
	cookies := element("CookieManager", "CookiePanel", "c", `<collectionProp name="CookieManager.cookies"><elementProp name="k" elementType="Cookie" testname="k">`+
		str("Cookie.value", "v")+str("Cookie.domain", "127.0.0.1")+str("Cookie.path", "/")+`</elementProp></collectionProp>`)
	auth := element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list"><elementProp name="" elementType="Authorization">`+
		str("Authorization.url", base)+str("Authorization.username", "u")+str("Authorization.password", "p")+`</elementProp></collectionProp>`)
	for _, c := range []struct {
		name, body string
		most       float64
	}{
		{"constant GET", request("home", "GET", base+"/index.html") + headers, 0.1},
		{"GET by properties", request("home", "GET", base+"/${__P(page,index.html)}") + headerManager("X-Run", "${__P(run,1)}"), 0.1},
		{"constant POST", request("post", "POST", base+"/api", boolean("HTTPSampler.postBodyRaw", true), arguments(false, argument{"", `{"a":1}`})) + headers, 0.1},
		{"with a cookie", request("home", "GET", base+"/index.html") + headers + cookies, 0.1},
		{"with a cache", request("home", "GET", base+"/index.html") + headers + element("CacheManager", "CacheManagerGui", "c", ""), 0.1},
		{"with a password", request("home", "GET", base+"/index.html") + headers + auth, 0.1},
		{"varying body", request("post", "POST", base+"/api", boolean("HTTPSampler.postBodyRaw", true), arguments(false, argument{"", `{"a":${__counter(TRUE)}}`})) + headers, 2.1},
		{"varying path", request("home", "GET", base+"/item/${__counter(TRUE)}") + headers, 5.1},
	} {
		if raceDetector {
			c.most += 8 // it makes pools forget
		}
		if n := perSample(t, c.body); n > c.most {
			t.Errorf("%s: %.2f allocations a sample, want at most %v", c.name, n, c.most)
		} else {
			t.Logf("%s: %.2f allocations a sample", c.name, n)
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	base := constantServer(b)
	p := plan{loops: b.N, body: request("home", "GET", base+"/index.html") + headerManager("Accept", "text/html", "X-Trace", "gojm")}
	compiled, _ := p.compile(b)
	b.ReportAllocs()
	b.ResetTimer()
	if err := compiled.Start().Run(); err != nil {
		b.Fatal(err)
	}
}
