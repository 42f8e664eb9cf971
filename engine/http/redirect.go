package http

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/jtl"
)

// more follows redirects and downloads embedded resources. r, which is the
// result of one request, becomes the container of all.
func (x *exchange) more(w *worker, r *jtl.Sample, to *address, method string, h hop, depth int) {
	redirected := false
	if h == first && x.c.follow && r.Redirect && r.Success {
		x.follow(w, r, to, method, depth)
		redirected = true
	}
	switch {
	case !r.Success || r.DataType != "text" || !x.c.images:
	case depth > x.s.sh.maxDepth:
		sub := x.copyOf(r)
		sub.Subs = nil
		failed(sub, javaException("Maximum frame/iframe nesting depth exceeded."))
		x.addPart(r, sub)
	case !redirected:
		x.resources(w, r, to, depth)
	}
}

func javaException(text string) error {
	return &wire.Error{Class: "java.lang.Exception", Message: text}
}

// follow asks for the targets of redirects, one after the other. The requests
// become parts of r, which takes most of what it says from the last one, but
// times to connect and to the first byte, cookies and location from the first.
//
// After 307 and 308 method and body are kept (RFC 9110, sections 15.4.8 and
// 15.4.9); JMeter 5.6.3 asks with GET or not at all.
func (x *exchange) follow(w *worker, r *jtl.Sample, to *address, method string, depth int) {
	x.contain(r)
	last := r.Subs[0]
	n := 0
	for ; n < x.s.sh.maxRedirects; n++ {
		next, err := x.target(to, last.RedirectLocation)
		if err != nil {
			failed(last, err)
			sizes(last, 0)
			break
		}
		h := redirect
		if method != "HEAD" {
			if last.Code == "307" || last.Code == "308" {
				h = resend
			} else {
				method = "GET"
			}
		}
		hop := x.newResult()
		if !x.request(w, hop, next, method, h, depth) {
			break // the cache has it
		}
		to, last = next, hop
		if len(hop.Subs) > 0 {
			for _, sub := range hop.Subs {
				x.addPart(r, sub)
			}
		} else {
			x.addPart(r, hop)
		}
		if !redirects(hop) {
			break
		}
	}
	if n >= x.s.sh.maxRedirects {
		sub := x.copyOf(last)
		failed(sub, &wire.Error{Class: "java.io.IOException", Message: "Exceeded maximum number of redirects: " + strconv.Itoa(n)})
		x.addPart(r, sub)
		last = sub
	}
	r.Label += "->" + last.Label
	r.URL, r.Method, r.QueryString, r.RequestHeaders = last.URL, last.Method, last.QueryString, last.RequestHeaders
	r.Body = append(r.Body[:0], last.Body...)
	r.Code, r.Success, r.Message = last.Code, last.Success, last.Message
	r.DataType, r.Encoding, r.ResponseHeaders = last.DataType, last.Encoding, last.ResponseHeaders
	sizes(r, int64(len(r.Body)))
}

// redirects says whether a result names a place to go on to.
func redirects(r *jtl.Sample) bool {
	return r.Redirect && r.Success && r.Code >= "301" && r.Code <= "308"
}

// target is where a Location leads from a page.
func (x *exchange) target(from *address, location string) (*address, error) {
	if x.s.sh.slashDotDot {
		location = withoutSlashDotDot(location)
	}
	location = strings.ReplaceAll(location, " ", "%20")
	to, err := relative(from, location, false)
	if err != nil {
		return nil, err
	}
	return sanitize(to, false)
}

// relative resolves a URL; leading ../ that lead above the root are dropped.
func relative(from *address, url string, squeeze bool) (*address, error) {
	to, err := resolveAddress(from, url, squeeze)
	if err != nil || !strings.HasPrefix(url, "../") {
		return to, err
	}
	path, up := to.path(), "/"
	for strings.HasPrefix(path[len(up):], "../") {
		up += "../"
	}
	if up = up[1:]; up != "" && strings.HasPrefix(path, "/") && strings.HasPrefix(url, up) {
		return resolveAddress(from, url[len(up):], squeeze)
	}
	return to, nil
}

// newResult is an empty result of this call.
func (x *exchange) newResult() *jtl.Sample {
	r := new(jtl.Sample)
	r.Reset()
	r.Label, r.HTTP = x.label, true
	return r
}

// copyOf is a result that says what r says, without r's parts.
func (x *exchange) copyOf(r *jtl.Sample) *jtl.Sample {
	subs := r.Subs
	r.Subs = nil
	c := r.Clone()
	r.Subs = subs
	return c
}

// contain makes r the container of a copy of itself.
func (x *exchange) contain(r *jtl.Sample) {
	c := x.copyOf(r)
	c.ThreadName = "" // which the whole is given later, and not this part
	r.Subs = append(r.Subs[:0], x.named(r, c, 0))
}

// named labels a part by its number.
func (x *exchange) named(r, sub *jtl.Sample, n int) *jtl.Sample {
	if x.renames() {
		sub.Label = r.Label + "-" + strconv.Itoa(n)
	}
	return sub
}

// renames says whether parts are named after the whole.
func (x *exchange) renames() bool { return x.s.sh.rename && !x.t.Run.Functional }

// addPart makes sub a part of r: times and sizes on the wire add up. What JMeter
// counts for a failed request, the length of its stack trace, does not.
func (x *exchange) addPart(r, sub *jtl.Sample) {
	sub.ThreadName = x.t.Name
	r.End = max(r.End, sub.End)
	r.Elapsed = r.End - r.Start
	r.HeaderSize += sub.HeaderSize
	r.BodySize += sub.BodySize
	if sub.BodySize == 0 && !strings.HasPrefix(sub.Code, "Non HTTP") { // then the body counts as it is stored
		r.BodySize += sub.Bytes - sub.HeaderSize
	}
	r.SentBytes += sub.SentBytes
	sizes(r, int64(len(r.Body)))
	r.Subs = append(r.Subs, x.named(r, sub, len(r.Subs)))
}
