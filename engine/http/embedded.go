package http

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// resources downloads what the page r embeds. r becomes the container of the
// page and of its resources as soon as the page names one.
func (x *exchange) resources(w *worker, r *jtl.Sample, page *address, depth int) {
	if len(r.Body) == 0 {
		return
	}
	links, err := x.links(mediaType(w.res.ContentType()), r, page)
	if err != nil {
		sub := x.copyOf(r)
		failed(sub, err)
		x.addPart(r, sub)
		x.judge(r, false)
		return
	}
	if len(links) == 0 {
		return
	}
	if x.s.sh.container {
		x.contain(r)
	}
	allow, exclude := x.pattern(x.c.allow, "allow"), x.pattern(x.c.exclude, "exclude")
	var wanted []*address
	for _, link := range links {
		to, err := sanitize(link, true)
		if err != nil {
			to = link
		}
		if allow != nil && !allow.MatchesString(to.text) || exclude != nil && exclude.MatchesString(to.text) {
			continue
		}
		if to, err = to.normalized(); err != nil || to.syntax {
			sub := x.copyOf(r)
			failed(sub, javaException(link.text+" URI can not be normalized"))
			x.addPart(r, sub)
			x.judge(r, false)
			continue
		}
		wanted = append(wanted, to)
	}
	if x.c.pool > 1 && !x.parallel && len(wanted) > 0 {
		x.together(r, wanted, depth)
		return
	}
	for _, to := range wanted {
		sub := x.newResult()
		x.addResource(r, sub, x.request(w, sub, to, "GET", first, depth+1))
	}
}

// links reads the page r. JMeter's parsers fail over a charset that does not exist.
func (x *exchange) links(media string, r *jtl.Sample, page *address) ([]*address, error) {
	if r.Encoding != "" && charsetOf(r.Encoding) == nil {
		message := "java.io.UnsupportedEncodingException: " + r.Encoding
		switch {
		case isPage(media):
			return nil, parseError(message)
		case isStyle(media):
			return nil, &wire.Error{Class: "org.apache.jmeter.protocol.http.parser.LinkExtractorParseException", Message: message}
		}
	}
	return linksOf(media, bodyText(x.s.sh, r), page, x.userAgent())
}

// addResource adds a downloaded resource, unless the cache had it.
func (x *exchange) addResource(r, sub *jtl.Sample, ok bool) {
	if ok {
		x.addPart(r, sub)
	}
	x.judge(r, r.Success && (!ok || sub.Success))
}

// judge sets a container's success, and in its message the parts that failed.
func (x *exchange) judge(r *jtl.Sample, success bool) {
	if x.s.sh.ignoreEmbedded {
		return
	}
	r.Success = success
	if success {
		return
	}
	var b strings.Builder
	b.WriteString("Embedded resource download error:")
	for _, sub := range r.Subs {
		if !sub.Success {
			b.WriteString(sub.URL + " code:" + sub.Code + " message:" + sub.Message + ", ")
		}
	}
	r.Message = b.String()
}

// together downloads with as many workers as the sampler's pool has; results
// keep the order of the page.
func (x *exchange) together(r *jtl.Sample, wanted []*address, depth int) {
	if x.c.hasBody("GET", first) {
		if err := x.content(); err != nil {
			return
		}
	}
	type download struct {
		r  *jtl.Sample
		ok bool
	}
	done := make([]download, len(wanted))
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var thrown error
	x.parallel = true
	for _, w := range x.u.workers(min(x.c.pool, len(wanted)), x.s.sh, x.t) {
		wg.Go(func() {
			err := vu.Try(func() {
				for i := next.Add(1) - 1; i < int64(len(wanted)); i = next.Add(1) - 1 {
					d := &done[i]
					d.r = x.newResult()
					d.ok = x.request(w, d.r, wanted[i], "GET", first, depth+1)
				}
			})
			if err != nil {
				once.Do(func() { thrown = err })
			}
		})
	}
	wg.Wait()
	x.parallel = false
	if thrown != nil {
		vu.Throw(thrown)
	}
	for _, d := range done {
		if d.r != nil {
			x.addResource(r, d.r, d.ok)
		}
	}
}

// pattern compiles a filter; one that is no pattern is as if it were not there.
func (x *exchange) pattern(text, what string) *regex.Regexp {
	if text == "" {
		return nil
	}
	re, err := x.s.sh.patterns.Get(text)
	if err != nil {
		x.t.Log().Warn("Ignoring embedded URL "+what+" string: "+err.Error(), "logger", logSampler)
		return nil
	}
	return re
}

// userAgent is the one the call sends.
func (x *exchange) userAgent() string {
	if i := x.c.lines.find("User-Agent", 0); i >= 0 {
		return string(x.c.lines.value(i))
	}
	return x.s.sh.userAgent
}
