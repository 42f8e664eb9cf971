package http

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[sampler](elem.Spec{
		Class: "HTTPSamplerProxy", Title: "HTTP Request", Kind: elem.KindSampler, Status: elem.Full,
		Merge: merged,
	})
}

// merged are the config elements that HTTP samplers take properties from.
var merged = []string{"HttpDefaultsGui", "LoginConfigGui"}

// sampler is an HTTP Request (JMeter manual, Component Reference).
type sampler struct {
	sh      *shared
	engine  *vu.Thread // evaluates what is constant
	text    [props]expr.Text
	args    []argument
	files   []fileArg
	slot    vu.Slot[state]
	needs   elem.Needs
	fixed   fixed
	headers headers
	cookies *cookieManager
	cache   *cacheManager
	auth    *authManager
	dns     *dnsCacheManager
}

// prop numbers the properties that hold one text.
type prop uint8

const (
	propDomain prop = iota
	propPort
	propProtocol
	propPath
	propMethod
	propEncoding
	propFollow
	propAuto
	propKeepAlive
	propMultipart
	propBrowser
	propRaw
	propImplementation
	propConnectTimeout
	propResponseTimeout
	propImages
	propConcurrent
	propPool
	propAllow
	propExclude
	propMD5
	propSource
	propSourceType
	propProxyScheme
	propProxyHost
	propProxyPort
	propProxyUser
	propProxyPass
	propOldFile
	propOldField
	propOldType
	props
)

// kinds of text
const (
	asText = iota
	asInt
	asBool
)

// properties are JMeter's names of them, see the manual's HTTP Request.
var properties = [props]struct {
	name, def, doc string
	kind           int
}{
	propDomain:          {"HTTPSampler.domain", "", "server name or IP", asText},
	propPort:            {"HTTPSampler.port", "", "port; empty or 0: the protocol's", asText},
	propProtocol:        {"HTTPSampler.protocol", "", "http (also when empty), https or file", asText},
	propPath:            {"HTTPSampler.path", "", "path, or a whole URL", asText},
	propMethod:          {"HTTPSampler.method", "GET", "method, sent as it stands", asText},
	propEncoding:        {"HTTPSampler.contentEncoding", "", "charset of bodies and query values; empty: UTF-8", asText},
	propFollow:          {"HTTPSampler.follow_redirects", "false", "follow redirects, each request a sub-sample", asBool},
	propAuto:            {"HTTPSampler.auto_redirects", "false", "follow redirects inside one sample", asBool},
	propKeepAlive:       {"HTTPSampler.use_keepalive", "false", "send Connection: keep-alive, else close", asBool},
	propMultipart:       {"HTTPSampler.DO_MULTIPART_POST", "false", "send multipart/form-data", asBool},
	propBrowser:         {"HTTPSampler.BROWSER_COMPATIBLE_MULTIPART", "false", "part headers as browsers write them", asBool},
	propRaw:             {"HTTPSampler.postBodyRaw", "false", "the arguments are the body", asBool},
	propImplementation:  {"HTTPSampler.implementation", "", "HttpClient4 or Java; empty: the property jmeter.httpsampler", asText},
	propConnectTimeout:  {"HTTPSampler.connect_timeout", "0", "ms to connect; 0 or less: none", asInt},
	propResponseTimeout: {"HTTPSampler.response_timeout", "0", "ms for each read; 0 or less: none", asInt},
	propImages:          {"HTTPSampler.image_parser", "false", "download embedded resources", asBool},
	propConcurrent:      {"HTTPSampler.concurrentDwn", "false", "download them in parallel", asBool},
	propPool:            {"HTTPSampler.concurrentPool", "6", "how many at once", asText},
	propAllow:           {"HTTPSampler.embedded_url_re", "", "only embedded URLs that match as a whole", asText},
	propExclude:         {"HTTPSampler.embedded_url_exclude_re", "", "no embedded URLs that match as a whole", asText},
	propMD5:             {"HTTPSampler.md5", "false", "store the MD5 of the body in its place", asBool},
	propSource:          {"HTTPSampler.ipSource", "", "local address or network interface", asText},
	propSourceType:      {"HTTPSampler.ipSourceType", "0", "0 address, 1 interface, 2 its IPv4 and 3 its IPv6 address", asInt},
	propProxyScheme:     {"HTTPSampler.proxyScheme", "http", "scheme of the proxy", asText},
	propProxyHost:       {"HTTPSampler.proxyHost", "", "proxy, used with a port", asText},
	propProxyPort:       {"HTTPSampler.proxyPort", "0", "port of the proxy", asInt},
	propProxyUser:       {"HTTPSampler.proxyUser", "", "user of the proxy", asText},
	propProxyPass:       {"HTTPSampler.proxyPass", "", "password of the proxy", asText},
	propOldFile:         {"HTTPSampler.FILE_NAME", "", "file to send, in plans of JMeter 2.3 and before", asText},
	propOldField:        {"HTTPSampler.FILE_FIELD", "", "its parameter name", asText},
	propOldType:         {"HTTPSampler.mimetype", "", "its MIME type", asText},
}

func (s *sampler) Props(p *elem.Props) {
	s.sh = sharedOf(p)
	s.slot = elem.SlotOf[state](p)
	if c := p.Compiler(); c != nil {
		s.engine = c.Engine
	}
	s.declare(p)
}

// TestStart reads the keys of client certificates.
func (s *sampler) TestStart(r *vu.Run) error { return s.sh.certificates.load(r.Log) }

// declare reads what a sampler and its defaults have in common.
func (s *sampler) declare(p *elem.Props) {
	for i := range properties {
		d := &properties[i]
		switch d.kind {
		case asBool:
			var b expr.Bool
			p.Bool(&b, d.name, d.def == "true", d.doc)
			s.text[i] = b.Text
		case asInt:
			var n expr.Int
			p.Int(&n, d.name, d.def, d.doc)
			s.text[i] = n.Text
		default:
			p.Text(&s.text[i], d.name, d.def, d.doc)
		}
	}
	readArguments(p, &s.args)
	readFiles(p, &s.files)
	p.Ignore("HTTPSampler.monitor", "HTTPSampler.sample_timeout", "HTTPSampler.FILE_DATA",
		"GraphQLHTTPSampler.operationName", "GraphQLHTTPSampler.query", "GraphQLHTTPSampler.variables")
}

// Bind finds the managers in scope. Header managers join, of the others the
// outermost counts (JMeter manual, Test Plan, Scoping Rules).
func (s *sampler) Bind(sc *elem.Scope) {
	s.needs = sc.Needs
	for _, e := range sc.Configs {
		switch m := e.(type) {
		case *headerManager:
			s.headers.add(m)
		case *cookieManager:
			s.cookies = m
		case *cacheManager:
			s.cache = m
		case *authManager:
			s.auth = m
		case *dnsCacheManager:
			s.dns = m
		}
	}
	s.fixed.bind(s)
}

func isTrue(s string) bool { return strings.EqualFold(s, "true") }

// state is what a thread knows of one sampler.
type state struct {
	edits *edits   // made by pre-processors, see current
	last  *address // of a sampler whose address varies
	whole string   // the path it was made of, where that is a whole URL
	ran   bool
}

// Sample makes the request and all that follows from it.
func (s *sampler) Sample(t *vu.Thread, r *jtl.Sample) bool {
	st := s.slot.Of(t)
	u := s.sh.users.Of(t)
	u.begin(s.sh, t)
	defer u.end()
	st.ran = true
	c, e := s.fixed.call(s, t), st.current(t)
	if c == nil || e != nil || s.headers.edited(t) {
		c = &u.own.call
		c.fill(s, t, e, st)
	}
	r.HTTP = true
	t.OnInterrupt(u.interrupt)
	defer t.OnInterrupt(nil)
	if c.err != nil && c.to == nil {
		// JMeter has no result yet to which a name and an address could be given.
		if !c.named {
			r.Label = ""
		}
		failed(r, c.err)
		return true
	}
	if c.to != nil && c.to.scheme == "file" {
		return c.readFile(t, r)
	}
	label := r.Label
	x := &u.own.exchange
	x.s, x.c, x.t, x.u, x.label = s, c, t, u, label
	x.varies, x.edits = c == &u.own.call, e
	if x.jar = u.jar; u.jar != nil {
		u.jar = nil
	} else if s.cookies != nil {
		x.jar = s.cookies.jar(t)
	}
	if s.cache != nil {
		x.store = s.cache.store(t)
	}
	if s.dns != nil && !c.java {
		x.dns = s.dns.resolver(t)
	}
	ok := x.request(&u.own, r, c.to, c.method, first, 0)
	r.Label = label
	if !u.noted && !c.java && r.HeaderSize != 0 {
		u.noted = true
		t.Vars.PutRef(s.sh.userToken, t.Name)
	}
	return ok
}

// IterationStart makes the next sample that of a new user, where the thread
// group says that each iteration is one.
func (s *sampler) IterationStart(t *vu.Thread) {
	if !t.SameUser && s.sh.resetState && s.slot.Of(t).ran {
		s.sh.users.Of(t).renew = true
	}
}

// ThreadEnd closes the thread's connections.
func (s *sampler) ThreadEnd(t *vu.Thread) { s.sh.users.Of(t).close() }

var (
	_ elem.Sampler          = (*sampler)(nil)
	_ elem.Binder           = (*sampler)(nil)
	_ elem.TestStarter      = (*sampler)(nil)
	_ elem.IterationStarter = (*sampler)(nil)
	_ elem.ThreadEnder      = (*sampler)(nil)
)
