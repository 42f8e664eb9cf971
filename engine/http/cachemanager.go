package http

import (
	"container/list"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[cacheManager](elem.Spec{Class: "CacheManager", Title: "HTTP Cache Manager", Kind: elem.KindConfig, Status: elem.Full})
}

// cacheManager keeps for each thread what a browser would know of responses it
// has seen (JMeter manual, HTTP Cache Manager).
type cacheManager struct {
	clear      expr.Bool
	byGroup    expr.Bool
	useExpires expr.Bool
	size       expr.Int
	slot       vu.Slot[cacheStore]

	methods       []string // cacheable_methods
	mode          cacheMode
	code, message string // of a result that stands for a cached response
}

// cacheMode is what becomes of a request for something fresh in the cache.
type cacheMode uint8

const (
	noSample cacheMode = iota
	fromCache
)

func (m *cacheManager) Props(p *elem.Props) {
	p.Bool(&m.clear, "clearEachIteration", false, "start each iteration with an empty cache")
	p.Bool(&m.byGroup, "CacheManager.controlledByThread", false, "do so when the thread group makes each iteration a new user")
	p.Bool(&m.useExpires, "useExpires", false, "heed Cache-Control and Expires")
	p.Int(&m.size, "maxSize", "5000", "number of entries")
	m.slot = elem.SlotOf[cacheStore](p)
	m.methods = strings.FieldsFunc(p.Property("cacheable_methods", "GET"), func(r rune) bool { return r == ' ' || r == ',' })
	switch p.Property("cache_manager.cached_resource_mode", "RETURN_NO_SAMPLE") {
	case "RETURN_200_CACHE":
		m.mode, m.code, m.message = fromCache, "200", p.Property("RETURN_200_CACHE.message", "(ex cache)")
	case "RETURN_CUSTOM_STATUS":
		m.mode, m.code, m.message = fromCache, p.Property("RETURN_CUSTOM_STATUS.code", ""), p.Property("RETURN_CUSTOM_STATUS.message", "")
	}
}

// IterationStart empties the cache where that is asked for.
func (m *cacheManager) IterationStart(t *vu.Thread) {
	s := m.slot.Of(t)
	if byGroup := m.byGroup.Eval(t); byGroup && !t.SameUser || !byGroup && m.clear.Eval(t) {
		s.entries = nil
		s.order.Init()
	}
	s.useExpires = m.useExpires.Eval(t)
}

func (m *cacheManager) store(t *vu.Thread) *cacheStore {
	s := m.slot.Of(t)
	s.m, s.t = m, t
	return s
}

var _ elem.IterationStarter = (*cacheManager)(nil)

// cacheStore is a thread's cache: no bodies, only what decides about requests.
type cacheStore struct {
	m          *cacheManager
	t          *vu.Thread
	useExpires bool
	entries    map[string]*list.Element
	order      list.List // of *cached, the last used first
}

type cached struct {
	key     string
	ask     conditional
	expires time.Time // zero asks the server each time
	varies  bool      // vary leads to the real entry
	vary    string    // names of request headers
}

func (s *cacheStore) get(key string) *cached {
	e := s.entries[key]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*cached)
}

func (s *cacheStore) put(c *cached) {
	if s.entries == nil {
		s.entries = map[string]*list.Element{}
	}
	if e := s.entries[c.key]; e != nil {
		s.order.Remove(e)
	}
	s.entries[c.key] = s.order.PushFront(c)
	for limit := s.m.size.Eval(s.t); s.order.Len() > max(limit, 0); {
		last := s.order.Back()
		delete(s.entries, last.Value.(*cached).key)
		s.order.Remove(last)
	}
}

// find returns the entry for what p asks. A response that varies is found by the
// values of the request headers it varies with.
func (s *cacheStore) find(p *headParts, c *call) *cached {
	e := s.get(p.to.text)
	if e == nil || !e.varies {
		return e
	}
	value := func(name string) []string { return c.header(p, name) }
	if e = s.get(varyKey(e.vary, value) + p.to.text); e == nil || e.varies {
		return nil
	}
	return e
}

// varyKey is the key prefix for a Vary header and the values of a request.
func varyKey(vary string, value func(name string) []string) string {
	names := strings.Split(vary, ",")
	for i := range names[1:] {
		names[i+1] = strings.TrimLeft(names[i+1], " \t")
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("vary-" + vary)
	for _, n := range slices.Compact(names) {
		b.WriteString("-" + n + strconv.Quote(strings.Join(value(n), ", ")))
	}
	return b.String() + "-"
}

// conditional are the headers that ask whether the entry still holds.
func (s *cacheStore) conditional(p *headParts, c *call) conditional {
	if e := s.find(p, c); e != nil {
		return e.ask
	}
	return conditional{}
}

// fresh says whether the cache has the answer to what p asks, and whether there
// is to be a result that says so.
func (s *cacheStore) fresh(r *jtl.Sample, p *headParts, c *call) (fresh, sample bool) {
	e := s.find(p, c)
	if e == nil || !e.expires.After(time.Now()) {
		return false, false
	}
	if s.m.mode == noSample {
		return true, false
	}
	r.End = time.Now().UnixMilli()
	r.Elapsed = r.End - r.Start
	r.Code, r.Message, r.Success = s.m.code, s.m.message, true
	return true, true
}

// save remembers a response.
func (s *cacheStore) save(w *worker, url, method string) error {
	status := w.res.Status
	if status < 200 || status > 299 && status != 304 || !slices.ContainsFunc(s.m.methods, func(m string) bool { return strings.EqualFold(m, method) }) {
		return nil
	}
	vary, varies := w.told("Vary")
	if vary == "*" {
		return nil
	}
	var ask conditional
	ask.modified, ask.isModified = w.told("Last-Modified")
	ask.etag, ask.isEtag = w.told("ETag")
	expires, dated := w.told("Expires")
	control, _ := w.told("Cache-Control")
	if blank(ask.modified) && blank(ask.etag) && blank(expires) && blank(control) {
		return nil
	}
	c := &cached{key: url, ask: ask, varies: varies, vary: vary}
	if s.useExpires {
		if strings.Contains(control, "no-store") {
			return nil
		}
		if t, ok := httpDate(expires, httpDates...); ok { // what is no date has expired
			c.expires = t
		}
		if !strings.Contains(control, "no-cache") {
			date, _ := w.told("Date")
			if err := s.lifetime(c, control, dated, date); err != nil {
				return err
			}
		}
	}
	if !varies {
		if s.get(url) == nil { // an entry is never overwritten, as in JMeter
			s.put(c)
		}
		return nil
	}
	s.put(c)
	s.put(&cached{key: varyKey(vary, w.requestHeader) + url, ask: ask, expires: c.expires})
	return nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// told is the text of a response header, and whether it is there.
func (w *worker) told(name string) (string, bool) {
	v := w.header(name)
	return latin1(v), v != nil
}

// lifetime sets when an entry expires: by max-age, else by Expires, else a tenth
// of its age, else in a year. A max-age that is no number fails the sample.
func (s *cacheStore) lifetime(c *cached, control string, dated bool, date string) error {
	now := time.Now()
	if _, rest, ok := strings.Cut(control, "max-age="); ok {
		if i := strings.IndexAny(rest, ", "); i >= 0 {
			rest = rest[:i]
		}
		n, err := strconv.ParseInt(rest, 10, 64)
		if err != nil && rest == "" && strings.Trim(control[strings.Index(control, "max-age=")+len("max-age="):], ", ") == "" && !strings.HasSuffix(control, "=") {
			return &wire.Error{Class: "java.lang.ArrayIndexOutOfBoundsException", Message: "Index 0 out of bounds for length 0"}
		}
		if err != nil {
			return &wire.Error{Class: "java.lang.NumberFormatException", Message: `For input string: "` + rest + `"`, Cause: err}
		}
		c.expires = now.Add(time.Duration(min(max(n, -math.MaxInt32), math.MaxInt32)) * time.Second)
		return nil
	}
	if dated {
		return nil
	}
	c.expires = now.AddDate(0, 0, 365)
	if c.ask.modified == "" || date == "" {
		return nil
	}
	sent, ok := httpDate(date, httpDates...)
	if !ok {
		return noDate("responseDate")
	}
	modified, ok := httpDate(c.ask.modified, httpDates...)
	if !ok {
		return noDate("lastModifiedAsDate")
	}
	c.expires = now.Add(sent.Sub(modified) / 10)
	return nil
}

// noDate is what a sample fails with where JMeter reckons with a date that is none.
func noDate(variable string) error {
	return &wire.Error{Class: "java.lang.NullPointerException", Message: `Cannot invoke "java.util.Date.getTime()" because "` + variable + `" is null`}
}

// header are the values of a header of the request, by exact name, as far as p
// has it by then.
func (c *call) header(p *headParts, name string) (values []string) {
	switch {
	case c.java: // only those of header managers count
	case name == "If-Modified-Since" && p.conditional.isModified:
		return []string{p.conditional.modified}
	case name == "If-None-Match" && p.conditional.isEtag:
		return []string{p.conditional.etag}
	case name == "Cookie" && p.cookie != "":
		return []string{p.cookie}
	case name == "Connection":
		if values = []string{"close"}; c.keepAlive {
			values[0] = "keep-alive"
		}
	}
	for i := range c.lines.list {
		if string(c.lines.name(i)) == name {
			values = append(values, string(c.lines.value(i)))
		}
	}
	return values
}

// requestHeader are the values of a header as it was sent, by exact name.
func (w *worker) requestHeader(name string) (values []string) {
	for line := range strings.SplitSeq(latin1(w.req.Header), "\r\n") {
		if n, v, ok := strings.Cut(line, ": "); ok && n == name && n != "Cookie" {
			values = append(values, v)
		}
	}
	return values
}
