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
		x.explain(r)
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
	bad := false
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
			bad = true
			continue
		}
		wanted = append(wanted, to)
	}
	if x.c.pool > 1 {
		x.together(w, r, wanted, depth)
	} else {
		for _, to := range wanted {
			sub := x.newResult()
			x.addResource(r, sub, x.request(w, sub, to, "GET", first, depth+1))
		}
	}
	if bad || len(wanted) > 0 {
		x.explain(r)
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
	x.judge(r, !ok || sub.Success)
}

// judge notes in a container whether one of its parts succeeded.
func (x *exchange) judge(r *jtl.Sample, success bool) {
	if !x.s.sh.ignoreEmbedded {
		r.Success = r.Success && success
	}
}

// explain says in the message of a container which of its parts failed, once all
// are there.
func (x *exchange) explain(r *jtl.Sample) {
	if x.s.sh.ignoreEmbedded || r.Success {
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

// download is one of several at a time. It has the cookies as they were when
// the page was there.
type download struct {
	x  exchange
	r  *jtl.Sample
	ok bool
}

// together downloads with as many workers as the sampler's pool has, w among
// them; results keep the order of the page. A frame among the resources has as
// many of its own.
func (x *exchange) together(w *worker, r *jtl.Sample, wanted []*address, depth int) {
	if len(wanted) == 0 {
		return
	}
	if x.c.hasBody("GET", first) {
		if err := x.content(); err != nil {
			return
		}
	}
	all := make([]download, len(wanted))
	for i := range all {
		d := &all[i]
		if d.x = *x; x.jar != nil {
			d.x.jar = x.jar.clone()
		}
		d.x.parallel = true
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var thrown error
	hired := x.u.hire(min(x.c.pool, len(wanted)) - 1)
	for _, w := range append(hired, w) {
		wg.Go(func() {
			err := vu.Try(func() {
				for i := next.Add(1) - 1; i < int64(len(wanted)); i = next.Add(1) - 1 {
					d := &all[i]
					d.r = x.newResult()
					d.ok = d.x.request(w, d.r, wanted[i], "GET", first, depth+1)
				}
			})
			if err != nil {
				once.Do(func() { thrown = err })
			}
		})
	}
	wg.Wait()
	x.u.release(hired)
	if thrown != nil {
		vu.Throw(thrown)
	}
	for i := range all {
		if d := &all[i]; d.r != nil {
			x.merge(d.x.jar)
			x.addResource(r, d.r, d.ok)
		}
	}
}

// merge adds the cookies of a download to those of the page. What a resource
// has deleted stays, as in JMeter.
func (x *exchange) merge(from *jar) {
	if from == nil {
		return
	}
	x.lock()
	defer x.unlock()
	for _, c := range from.cookies {
		x.jar.add(c)
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
