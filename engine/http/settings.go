package http

import (
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
)

// userAgent is what JMeter 5.6.3 sends by default, with its HttpClient 4.5.14 on
// a Java 17.
const userAgent = "Apache-HttpClient/4.5.14 (Java/17.0.15)"

// settings are the properties that JMeter's HTTP elements read when they are
// loaded, with their defaults (JMeter manual, Properties Reference).
type settings struct {
	wire           wire.Options
	version        wire.Version
	implementation string // jmeter.httpsampler
	userAgent      string // "" sends none
	preemptive     bool   // httpclient4.auth.preemptive
	resetState     bool   // httpclient.reset_state_on_thread_group_iteration
	addType        bool   // http.post_add_content_type_if_missing
	localAddress   string // httpclient.localaddress

	maxRedirects   int
	slashDotDot    bool // httpsampler.redirect.removeslashdotdot
	maxStored      int  // httpsampler.max_bytes_to_store_per_request
	maxDepth       int  // httpsampler.max_frame_depth
	ignoreEmbedded bool // httpsampler.ignore_failed_embedded_resources
	embeddedMD5    bool // httpsampler.embedded_resources_use_md5
	container      bool // httpsampler.separate.container
	rename         bool // sub-samples are labelled after their parent
	charset        string

	tls   *wire.TLS // nil is JMeter's default
	proxy proxySettings

	kerberos kerberosSettings

	staticProxy *wire.Proxy
	javaProxies map[string]*proxySettings
	patterns    *regex.Cache
}

func readSettings(r *vu.Run) settings {
	p := r.Props
	ms := func(name string, def int64) time.Duration { return time.Duration(p.Int(name, def)) * time.Millisecond }
	s := settings{
		wire: wire.Options{
			TimeToLive:    ms("httpclient4.time_to_live", 60000),
			ValidateAfter: ms("httpclient4.validate_after_inactivity", 4900),
			IdleTimeout:   ms("httpclient4.idletimeout", 0),
			Retries:       int(p.Int("httpclient4.retrycount", 0)),
			RetrySent:     p.Bool("httpclient4.request_sent_retry_enabled", false),
			RelaxGzip:     p.Bool("httpclient4.gzip_relax_mode", false),
			RelaxDeflate:  p.Bool("httpclient4.deflate_relax_mode", false),
			HTTPRate:      int(p.Int("httpclient.socket.http.cps", 0)),
			HTTPSRate:     int(p.Int("httpclient.socket.https.cps", 0)),
			Resolver:      &wire.SystemResolver{TTL: 30 * time.Second, NegativeTTL: 10 * time.Second},
		},
		implementation: p.Get("jmeter.httpsampler", "HttpClient4"),
		userAgent:      userAgent,
		preemptive:     p.Bool("httpclient4.auth.preemptive", true),
		resetState:     p.Bool("httpclient.reset_state_on_thread_group_iteration", true),
		addType:        p.Bool("http.post_add_content_type_if_missing", false),
		localAddress:   p.Get("httpclient.localaddress", ""),
		maxRedirects:   int(p.Int("httpsampler.max_redirects", 20)),
		slashDotDot:    p.Bool("httpsampler.redirect.removeslashdotdot", true),
		maxStored:      int(p.Int("httpsampler.max_bytes_to_store_per_request", 0)),
		maxDepth:       int(p.Int("httpsampler.max_frame_depth", 5)),
		ignoreEmbedded: p.Bool("httpsampler.ignore_failed_embedded_resources", false),
		embeddedMD5:    p.Bool("httpsampler.embedded_resources_use_md5", false),
		container:      p.Bool("httpsampler.separate.container", true),
		rename:         !p.Bool("subresults.disable_renaming", false),
		charset:        p.Get("sampleresult.default.encoding", "UTF-8"),
		proxy:          readProxySettings(p),
		kerberos:       readKerberos(p),
		patterns:       regex.NewCache(dialect(p), 1000),
	}
	if p.Bool("httpclient4.default_user_agent_disabled", false) {
		s.userAgent = ""
	}
	s.staticProxy, s.javaProxies = s.static(), readJavaProxies(p)
	return s
}

func dialect(p *vu.Properties) regex.Dialect {
	if strings.EqualFold(p.Get("jmeter.regex.engine", "oro"), "java") {
		return regex.Java
	}
	return regex.ORO
}

// unsupported are properties that change what is measured, with the values that
// switch them off.
var unsupported = []struct{ name, off, what string }{
	{"HTTPResponse.parsers", "htmlParser wmlParser cssParser", "parsers of embedded resources"},
}

// refuseUnsupported reports properties that gojm does not heed.
func refuseUnsupported(p *elem.Props) {
	for _, u := range unsupported {
		if v := p.Property(u.name, u.off); v != "" && !strings.EqualFold(v, u.off) {
			p.Refuse("property", u.name, "%s: not supported (here %q)", u.what, v)
		}
	}
}

// shared is what all HTTP elements of a run have in common.
type shared struct {
	settings
	java         wire.Options // of the Java implementation
	users        vu.Slot[user]
	userToken    vu.Ref // the variable in which JMeter's client keeps for whom it has its connections
	certificates *certificates
}

type sharedKey struct{}

// sharedOf returns what the elements of p's run share; while declarations are
// collected there is no run, and what it returns is used for nothing.
func sharedOf(p *elem.Props) *shared {
	if p.Run() == nil {
		return &shared{certificates: new(certificates)}
	}
	return vu.Shared(p.Run(), sharedKey{}, func() *shared {
		refuseUnsupported(p)
		sh := &shared{settings: readSettings(p.Run()), users: elem.SlotOf[user](p), certificates: readCertificates(p),
			userToken: p.Compiler().Names.Ref("__jmeter.U_T__")}
		sh.version = readVersion(p, &sh.wire)
		sh.tls = readTLS(p)
		sh.java = javaOptions(sh.wire)
		return sh
	})
}
