package http_test

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// Frames download their own resources in parallel too: the server answers when
// the images of both frames are asked for at once. Each download has the cookies
// of the page, and what they bring comes together in the order of the page, where
// nothing can be deleted - as JMeter does, which ends with the same Cookie header.
func TestParallelFrames(t *testing.T) {
	pages := map[string]string{
		"/page": `<iframe src="/f1"></iframe><iframe src="/f2"></iframe><img src="/i?P">`,
		"/f1":   `<img src="/i?A"><img src="/i?2"><img src="/i?3">`,
		"/f2":   `<img src="/i?B"><img src="/i?del"><img src="/i?6">`,
	}
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	cookies := map[string]string{}
	p := serve(t, func(head string, _ []byte) string {
		path := strings.Fields(head)[1]
		mu.Lock()
		cookies[path] = value(head, "Cookie")
		mu.Unlock()
		if page, ok := pages[path]; ok {
			set := "X-None: 1"
			if path == "/page" {
				set = "Set-Cookie: S=s; Path=/"
			}
			return reply("200 OK", page, "Content-Type: text/html", set)
		}
		name := strings.TrimPrefix(path, "/i?")
		if name == "after" {
			return reply("200 OK", "")
		}
		if name != "P" {
			mu.Lock()
			if waiting++; waiting == 6 {
				close(all)
			}
			mu.Unlock()
			select {
			case <-all:
			case <-time.After(10 * time.Second):
				return reply("500 Alone", "")
			}
		}
		switch name {
		case "A", "B", "P":
			return reply("200 OK", "", "Set-Cookie: "+name+"=1; Path=/")
		case "del":
			return reply("200 OK", "", "Set-Cookie: S=x; Path=/; Max-Age=0")
		}
		return reply("200 OK", "")
	})
	jar := element("CookieManager", "CookiePanel", "c", `<collectionProp name="CookieManager.cookies"/>`)
	for _, row := range (plan{body: jar +
		request("r", "GET", p.url("/page"), boolean("HTTPSampler.image_parser", true), boolean("HTTPSampler.concurrentDwn", true), str("HTTPSampler.concurrentPool", "3")) +
		request("after", "GET", p.url("/i?after"))}).run(t) {
		if row["responseCode"] != "200" || row["success"] != "true" {
			t.Error(row)
		}
	}
	for path, got := range cookies {
		want := "S=s"
		switch path {
		case "/page":
			want = ""
		case "/i?after":
			want = "A=1; B=1; S=s; P=1"
		}
		if got != want {
			t.Errorf("%s: cookies %q, want %q", path, got, want)
		}
	}
	if len(cookies) != 11 {
		t.Errorf("%d requests", len(cookies))
	}
}

// A max-age that is no number fails the sample, as it does in JMeter; without
// heed of expiry nobody looks.
func TestMaxAgeThatIsNoNumber(t *testing.T) {
	p := serve(t, func(string, []byte) string { return reply("200 OK", "ok", `Cache-Control: max-age="100"`) })
	for heed, want := range map[bool]string{
		true:  `Non HTTP response code: java.lang.NumberFormatException Non HTTP response message: For input string: ""100""`,
		false: "200 OK",
	} {
		rows := plan{body: element("CacheManager", "CacheManagerGui", "c", boolean("useExpires", heed)) + request("r", "GET", p.url("/"))}.run(t)
		if got := rows[0]["responseCode"] + " " + rows[0]["responseMessage"]; got != want || rows[0]["bytes"] != "70" {
			t.Errorf("%s, want %s: %v", got, want, rows[0])
		}
	}
}
