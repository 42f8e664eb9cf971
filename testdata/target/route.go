package target

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// paths are the answers by whole path. A query named below changes the answer.
var paths = map[string]func(*Server, *request) *response{
	"/":            func(*Server, *request) *response { return text(200, "ok") },
	"/ok":          func(*Server, *request) *response { return text(200, "ok") },
	"/peer":        func(_ *Server, r *request) *response { return text(200, r.peer) },
	"/certificate": func(_ *Server, r *request) *response { return text(200, r.certificate) },
	"/conn": func(_ *Server, r *request) *response {
		return text(200, fmt.Sprintf("request %d on this connection", r.nth))
	},
	"/body":    body,
	"/form":    form,
	"/upload":  upload,
	"/respond": respond, // ?status= &reason= &proto= &body= and any number of &h=Name: value
	"/graphql": func(_ *Server, r *request) *response {
		return typed(200, "application/json", `{"data":`+strconv.Quote(string(r.body))+`}`)
	},

	"/redirect-loop":  func(*Server, *request) *response { return text(302, "loop", "Location: /redirect-loop") },
	"/redirect-noloc": func(*Server, *request) *response { return text(302, "no location") },

	"/cookies/set":     setCookies, // ?a=1&b=2 and &__attr=Path=/x
	"/login":           login,      // POST user= &pass=secret: a session cookie and a token
	"/private":         private,
	"/auth/basic":      basic,
	"/auth/digest":     digest,
	"/auth/digest-old": digestOld,
	"/auth/ask":        ask, // ?with=Negotiate&with=NTLM: never content
	"/auth/ask/b":      ask,
	"/auth/ask/d":      ask,
	"/auth/ask/q":      ask,
	"/auth/ask/r":      ask,
	"/auth/ask/x":      ask,

	"/json":    func(*Server, *request) *response { return typed(200, "application/json", jsonDoc) },
	"/xml":     func(*Server, *request) *response { return typed(200, "application/xml;charset=UTF-8", xmlDoc) },
	"/soap":    func(*Server, *request) *response { return typed(200, "text/xml;charset=UTF-8", soapDoc) },
	"/html":    func(*Server, *request) *response { return typed(200, "text/html;charset=UTF-8", htmlDoc) },
	"/page":    func(*Server, *request) *response { return typed(200, "text/html;charset=UTF-8", pageDoc) },
	"/badpage": func(*Server, *request) *response { return typed(200, "text/html;charset=UTF-8", badPageDoc) },
	"/gzip": func(*Server, *request) *response {
		return typed(200, "text/plain", gzipDoc, "Content-Encoding: gzip")
	},
	"/deflate": func(*Server, *request) *response {
		return typed(200, "text/plain", deflateDoc, "Content-Encoding: deflate")
	},
	"/utf8":      func(*Server, *request) *response { return text(200, "caf\u00e9 \u4f60\u597d \U0001F600") },
	"/latin1":    func(*Server, *request) *response { return typed(200, "text/plain;charset=ISO-8859-1", "caf\xe9") },
	"/nocharset": func(*Server, *request) *response { return typed(200, "text/plain", "caf\u00e9") },
	"/notype":    func(*Server, *request) *response { return &response{status: 200, body: []byte("no content type")} },

	"/slow": func(_ *Server, r *request) *response { // ?ms= before the answer
		resp := typed(200, "text/plain", "slow")
		resp.preWait = milliseconds(r)
		return resp
	},
	"/drip": func(_ *Server, r *request) *response { // ?ms= between head and body
		resp := typed(200, "text/plain", "drip")
		resp.midWait = milliseconds(r)
		return resp
	},
	"/chunked": func(*Server, *request) *response {
		resp := typed(200, "text/plain", "chunk one, chunk two, chunk three")
		resp.chunked = true
		return resp
	},
	"/nolength": func(*Server, *request) *response {
		resp := typed(200, "text/plain", "until close")
		resp.close = true
		return resp
	},
	"/truncated": func(*Server, *request) *response {
		resp := typed(200, "text/plain", "this body is cut short")
		resp.cut = 10
		return resp
	},
	"/drop":  func(*Server, *request) *response { return &response{drop: true} },
	"/reset": func(*Server, *request) *response { return &response{reset: true} },
	"/close": func(*Server, *request) *response { return text(200, "bye", "Connection: close") },
	"/reason": func(*Server, *request) *response {
		resp := typed(200, "text/plain", "x")
		resp.reason = `Totally Fine, "quoted"`
		return resp
	},
	"/headers": func(*Server, *request) *response {
		return text(200, "with headers", "X-One: 1", "x-lower: low", `ETag: "abc"`, "X-Multi: a", "X-Multi: b", "WWW-Thing: yes")
	},

	"/cache/etag": func(_ *Server, r *request) *response {
		if r.header("If-None-Match") == `"v1"` {
			return &response{status: 304, headers: []string{`ETag: "v1"`}}
		}
		return text(200, "etagged", `ETag: "v1"`)
	},
	"/cache/lastmod": func(_ *Server, r *request) *response {
		const date = "Tue, 15 Nov 2022 12:45:26 GMT"
		if r.header("If-Modified-Since") == date {
			return &response{status: 304, headers: []string{"Last-Modified: " + date}}
		}
		return text(200, "dated", "Last-Modified: "+date)
	},
	"/cache/maxage": func(*Server, *request) *response {
		return text(200, "fresh", "Cache-Control: max-age=600", "Date: "+time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"))
	},
	"/cache/version": func(s *Server, r *request) *response { // ?key= : a new ETag each time; says which one the client had
		n := s.count("version" + r.query.Get("key"))
		return text(200, fmt.Sprintf("version %d, you had %s", n, r.header("If-None-Match")), fmt.Sprintf(`ETag: "v%d"`, n))
	},
	"/counter": func(s *Server, r *request) *response { // ?key= : 1, 2, 3 ... for each key
		return text(200, strconv.Itoa(s.count(r.query.Get("key"))))
	},
	"/flaky": func(s *Server, r *request) *response { // ?key= &every=3 : each third request fails
		n := s.count("flaky" + r.query.Get("key"))
		if every, _ := strconv.Atoi(r.query.Get("every")); every > 0 && n%every == 0 {
			return text(500, "flaky failure")
		}
		return text(200, "flaky ok")
	},
	"/reset-counters": func(s *Server, _ *request) *response {
		s.ResetCounters()
		return text(200, "counters reset")
	},
}

// prefixes are the answers by the start of a path; rest is what follows it.
var prefixes = []struct {
	prefix string
	answer func(r *request, rest string) *response
}{
	{"/echo", func(r *request, _ string) *response { // ?__h=Name: value, each a header of the answer
		return text(200, r.head+string(r.body), r.query["__h"]...)
	}},
	{"/status/", func(_ *request, rest string) *response {
		n := number(rest, 200)
		return text(n, fmt.Sprintf("status %d", n))
	}},
	{"/redirect/", redirect}, // /redirect/3 -> /redirect/2 -> ... -> /ok ; ?code=301 &to= &abs=1
	{"/cookies/show", func(r *request, _ string) *response { return text(200, "Cookie: "+r.header("Cookie")) }},
	{"/img/", func(r *request, _ string) *response {
		return typed(200, "image/png", "\x89PNG\r\n\x1a\n"+r.path, "Cache-Control: max-age=3600")
	}},
	{"/css/", func(*request, string) *response { return typed(200, "text/css", cssDoc) }},
	{"/css2/", func(*request, string) *response { return typed(200, "text/css", "p{color:red}") }},
	{"/js/", func(*request, string) *response { return typed(200, "application/javascript", "var a=1;") }},
	{"/bytes/", func(_ *request, rest string) *response {
		return typed(200, "application/octet-stream", strings.Repeat("b", min(max(number(rest, 10), 0), maxBody)))
	}},
}

func (s *Server) route(r *request) *response {
	if answer := paths[r.path]; answer != nil {
		return answer(s, r)
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(r.path, p.prefix); ok {
			return p.answer(r, rest)
		}
	}
	return text(404, "not found: "+r.path)
}

func number(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return otherwise
	}
	return n
}

func milliseconds(r *request) time.Duration {
	return time.Duration(number(r.query.Get("ms"), 0)) * time.Millisecond
}

func redirect(r *request, rest string) *response {
	n, code := number(rest, 1), number(r.query.Get("code"), 302)
	to := "/ok"
	if n > 1 {
		to = fmt.Sprintf("/redirect/%d?code=%d", n-1, code)
	} else if q := r.query.Get("to"); q != "" {
		to = q
	}
	if r.query.Get("abs") != "" {
		to = "http://" + r.header("Host") + to
	}
	return text(code, "moved", "Location: "+to)
}

func body(_ *Server, r *request) *response {
	contentType := r.header("Content-Type")
	if contentType == "" {
		contentType = "text/plain"
	}
	return typed(200, contentType, string(r.body))
}

func form(_ *Server, r *request) *response {
	fields, _ := url.ParseQuery(string(r.body))
	for k, v := range r.query {
		fields[k] = append(fields[k], v...)
	}
	var b strings.Builder
	for _, k := range sortedKeys(fields) {
		fmt.Fprintf(&b, "%s=%s\n", k, strings.Join(fields[k], "|"))
	}
	return text(200, b.String())
}

func respond(_ *Server, r *request) *response {
	q := r.query
	return &response{status: number(q.Get("status"), 200), reason: q.Get("reason"), bare: q.Has("reason") && q.Get("reason") == "",
		proto: q.Get("proto"), headers: q["h"], body: []byte(q.Get("body"))}
}

func setCookies(_ *Server, r *request) *response {
	attributes := r.query.Get("__attr")
	var headers []string
	for _, k := range sortedKeys(r.query) {
		if k == "__attr" {
			continue
		}
		h := "Set-Cookie: " + k + "=" + r.query.Get(k)
		if attributes != "" {
			h += "; " + attributes
		}
		headers = append(headers, h)
	}
	return text(200, "cookies set", headers...)
}

func login(_ *Server, r *request) *response {
	fields, _ := url.ParseQuery(string(r.body))
	if fields.Get("pass") != "secret" {
		return typed(401, "application/json", `{"error":"bad credentials"}`)
	}
	u := fields.Get("user")
	return typed(200, "application/json;charset=UTF-8",
		fmt.Sprintf(`{"user":%q,"token":"tok-%s","roles":["reader","writer"],"profile":{"id":%d,"name":"User %s"}}`, u, u, len(u), u),
		"Set-Cookie: SESSION=s-"+u+"; Path=/")
}

func private(_ *Server, r *request) *response {
	cookie, authorization := r.header("Cookie"), r.header("Authorization")
	if !strings.Contains(cookie, "SESSION=s-") && !strings.HasPrefix(authorization, "Bearer tok-") {
		return text(403, "forbidden")
	}
	return text(200, "welcome "+cookie+authorization)
}

func basic(_ *Server, r *request) *response {
	if r.header("Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("user:pass")) {
		return text(401, "basic auth required", `WWW-Authenticate: Basic realm="target"`)
	}
	return text(200, "basic ok")
}

// ask asks for credentials in the ways of the query, whatever it is told, and
// says what that was.
func ask(_ *Server, r *request) *response {
	var headers []string
	for _, v := range r.query["with"] {
		headers = append(headers, "WWW-Authenticate: "+v)
	}
	return text(401, "told "+r.header("Authorization"), headers...)
}

func sortedKeys(v url.Values) []string {
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
