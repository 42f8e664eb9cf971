package script

import (
	"strconv"
	"strings"
)

// java.net.URL and URI: taking an address apart and putting one together. Nothing is opened by them.

var (
	urlClass = NewClass("java.net.URL", objectClass)
	uriClass = NewClass("java.net.URI", objectClass, "java.lang.Comparable")
)

// address is a URL or URI.
type address struct {
	class *Class
	text  string

	scheme, authority, user, host string
	port                          int // -1 when not given
	path, query, fragment         string
	hasQuery, hasFragment         bool
	hasAuthority                  bool
}

func (a *address) JavaClass() *Class { return a.class }
func (a *address) String() string    { return a.text }

// Equal compares the texts.
func (a *address) Equal(v Value) bool {
	o, ok := v.(*address)
	return ok && o.class == a.class && o.text == a.text
}

// NewURL is a java.net.URL of an address that is known to be one.
func NewURL(text string) Value {
	a, err := parseURL(text)
	if err != nil {
		return nil
	}
	return a
}

// parse takes the text apart; everything but its colon may be missing.
func (a *address) parse(text string) {
	a.text, a.port = text, -1
	rest := text
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, a.fragment, a.hasFragment = rest[:i], rest[i+1:], true
	}
	if i := strings.IndexByte(rest, ':'); i > 0 && !strings.ContainsAny(rest[:i], "/?") {
		a.scheme, rest = rest[:i], rest[i+1:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, a.query, a.hasQuery = rest[:i], rest[i+1:], true
	}
	if r, ok := strings.CutPrefix(rest, "//"); ok {
		a.hasAuthority = true
		a.authority, rest = r, ""
		if i := strings.IndexByte(r, '/'); i >= 0 {
			a.authority, rest = r[:i], r[i:]
		}
		a.host = a.authority
		if i := strings.LastIndexByte(a.host, '@'); i >= 0 {
			a.user, a.host = a.host[:i], a.host[i+1:]
		}
		if i := strings.LastIndexByte(a.host, ':'); i >= 0 && !strings.Contains(a.host[i:], "]") {
			if n, err := strconv.Atoi(a.host[i+1:]); err == nil {
				a.port = n
			}
			a.host = a.host[:i]
		}
	}
	a.path = rest
}

var defaultPorts = map[string]int{"http": 80, "https": 443, "ftp": 21}

func parseURL(text string) (*address, error) {
	a := &address{class: urlClass}
	a.parse(strings.TrimSpace(text))
	a.scheme = strings.ToLower(a.scheme)
	switch a.scheme {
	case "":
		return nil, throw("java.net.MalformedURLException", "no protocol: %s", text)
	case "http", "https", "ftp", "file", "jar", "mailto":
		return a, nil
	}
	return nil, throw("java.net.MalformedURLException", "unknown protocol: %s", a.scheme)
}

func parseURI(text string) (*address, error) {
	a := &address{class: uriClass}
	for i, r := range text {
		if r <= ' ' || strings.ContainsRune("\"<>\\^`{|}", r) {
			return nil, throw("java.net.URISyntaxException", "Illegal character in %s at index %d: %s", uriPart(text[:i]), len([]rune(text[:i])), text)
		}
	}
	a.parse(text)
	return a, nil
}

// uriPart names where an index lies.
func uriPart(before string) string {
	switch {
	case strings.Contains(before, "#"):
		return "fragment"
	case strings.Contains(before, "?"):
		return "query"
	}
	return "path"
}

// newURL is new URL in its forms.
func newURL(c *Call) (Value, error) {
	if c.N() == 1 {
		s := c.Str(0)
		if c.err != nil {
			return nil, c.err
		}
		return parseURL(s)
	}
	if base, ok := c.Args[0].(*address); ok && c.N() == 2 {
		return base.resolve(c.Str(1))
	}
	if c.N() < 3 {
		return nil, throw("groovy.lang.GroovyRuntimeException", "Could not find matching constructor for: java.net.URL(%s)", argTypes(c.Args))
	}
	text := c.Str(0) + "://" + c.Str(1)
	if c.N() == 4 {
		if port := c.Int(2); port >= 0 {
			text += ":" + strconv.Itoa(port)
		}
	}
	text += c.Str(c.N() - 1)
	if c.err != nil {
		return nil, c.err
	}
	return parseURL(text)
}

// resolve is a link on the page a.
func (a *address) resolve(link string) (Value, error) {
	root := a.scheme + "://" + a.authority
	switch {
	case link == "":
		return a, nil
	case strings.Contains(link, "://"):
		root = ""
	case strings.HasPrefix(link, "//"):
		root = a.scheme + ":"
	case strings.HasPrefix(link, "/"):
	case strings.HasPrefix(link, "?"):
		root += a.path
	default:
		root += a.path[:strings.LastIndexByte(a.path, '/')+1]
		if !strings.HasSuffix(root, "/") {
			root += "/"
		}
	}
	if a.class == uriClass {
		return parseURI(root + link)
	}
	return parseURL(root + link)
}

// optional is a part of an address, null when it is not there.
func optional(s string, there bool) Value {
	if !there {
		return nil
	}
	return s
}

func init() {
	part := func(do func(a *address) Value) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return do(c.Self.(*address)), nil })
	}
	common := Methods{
		"getPort":      part(func(a *address) Value { return int32(a.port) }),
		"getPath":      part(func(a *address) Value { return a.path }),
		"getQuery":     part(func(a *address) Value { return optional(a.query, a.hasQuery) }),
		"getUserInfo":  part(func(a *address) Value { return optional(a.user, a.user != "") }),
		"getAuthority": part(func(a *address) Value { return optional(a.authority, a.hasAuthority) }),
		"toURI":        method(0, 0, func(c *Call) (Value, error) { return parseURI(c.Self.(*address).text) }),
		"toURL":        method(0, 0, func(c *Call) (Value, error) { return parseURL(c.Self.(*address).text) }),
	}
	urlClass.New = method(1, 4, newURL)
	urlClass.Methods = Methods{
		"getProtocol": part(func(a *address) Value { return a.scheme }),
		"getHost":     part(func(a *address) Value { return a.host }),
		"getRef":      part(func(a *address) Value { return optional(a.fragment, a.hasFragment) }),
		"getFile": part(func(a *address) Value {
			if a.hasQuery {
				return a.path + "?" + a.query
			}
			return a.path
		}),
		"getDefaultPort": part(func(a *address) Value {
			if n, ok := defaultPorts[a.scheme]; ok {
				return int32(n)
			}
			return int32(-1)
		}),
		"toExternalForm": part(func(a *address) Value { return a.text }),
	}
	create := method(1, 1, func(c *Call) (Value, error) {
		s := c.Str(0)
		if c.err != nil {
			return nil, c.err
		}
		return parseURI(s)
	})
	uriClass.New = create
	uriClass.Static = Methods{"create": create}
	uriClass.Methods = Methods{
		"getScheme":   part(func(a *address) Value { return optional(a.scheme, a.scheme != "") }),
		"getHost":     part(func(a *address) Value { return optional(a.host, a.host != "") }),
		"getFragment": part(func(a *address) Value { return optional(a.fragment, a.hasFragment) }),
		"getRawPath":  part(func(a *address) Value { return a.path }),
		"getRawQuery": part(func(a *address) Value { return optional(a.query, a.hasQuery) }),
		"isAbsolute":  part(func(a *address) Value { return a.scheme != "" }),
		"resolve":     method(1, 1, func(c *Call) (Value, error) { return c.Self.(*address).resolve(javaString(c.Args[0])) }),
	}
	for n, m := range common {
		switch n {
		case "toURI":
			urlClass.Methods[n] = m
		case "toURL":
			uriClass.Methods[n] = m
		default:
			urlClass.Methods[n], uriClass.Methods[n] = m, m
		}
	}
}
