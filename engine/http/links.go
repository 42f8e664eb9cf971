package http

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/gojm/gojm/engine/http/wire"
)

// linksOf returns the resources that a page embeds, in the order of the page,
// each once. Which parser looks at it depends on the media type; of others
// there are none.
func linksOf(media, page string, base *address, userAgent string) ([]*address, error) {
	switch {
	case isPage(media):
		p := pageLinks{base: base, seen: map[string]bool{}, explorer: explorerVersion(userAgent)}
		err := p.read(page)
		return p.found, err
	case isStyle(media):
		return importsOf(page, base), nil
	}
	return nil, nil
}

func isStyle(media string) bool { return media == "text/css" }

func parseError(message string) error {
	return &wire.Error{Class: "org.apache.jmeter.protocol.http.parser.HTMLParseException", Message: message}
}

// isPage says whether a media type is read as HTML.
func isPage(media string) bool {
	switch media {
	case "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/vnd.wap.wml":
		return true
	}
	return false
}

// pageLinks collects the links of an HTML page.
type pageLinks struct {
	base     *address
	found    []*address
	seen     map[string]bool
	explorer float64 // version of the Internet Explorer to be, 0 for none
}

func (p *pageLinks) read(text string) error {
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(0)
	noscript := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.CommentToken:
			if p.explorer > 0 {
				if inner, ok := conditionalComment(string(z.Text()), p.explorer); ok {
					if err := p.read(inner); err != nil {
						return err
					}
				}
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "noscript" {
				noscript = false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			if tag == "noscript" {
				noscript = true
			}
			var attrs map[string]string
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				if attrs == nil {
					attrs = map[string]string{}
				}
				if _, twice := attrs[string(k)]; !twice {
					attrs[string(k)] = string(v)
				}
			}
			if attrs == nil || noscript {
				continue
			}
			if err := p.tag(tag, attrs); err != nil {
				return err
			}
		}
	}
}

// linkRelations are the whole values of rel that lead to a download.
var linkRelations = []string{"stylesheet", "icon", "shortcut icon", "preload"}

func (p *pageLinks) tag(tag string, attrs map[string]string) error {
	switch tag {
	case "base":
		if href := attrs["href"]; href != "" {
			base, err := relative(p.base, href, true)
			if err != nil {
				return parseError(classArgument + ": Error creating relative url from " + href)
			}
			p.base = base
		}
	case "img", "script", "frame", "iframe", "embed", "bgsound":
		p.add(attrs["src"])
	case "applet":
		if codebase := attrs["codebase"]; strings.TrimSpace(codebase) != "" {
			what := attrs["archive"]
			if strings.TrimSpace(what) == "" {
				what = attrs["code"]
			}
			p.add(codebase + "/" + what)
		} else {
			p.add(attrs["code"])
		}
	case "object":
		p.add(attrs["codebase"])
		p.add(attrs["data"])
	case "input":
		if strings.EqualFold(attrs["type"], "image") {
			p.add(attrs["src"])
		}
	case "link":
		for _, rel := range linkRelations {
			if strings.EqualFold(attrs["rel"], rel) {
				p.add(attrs["href"])
				break
			}
		}
	default:
		p.add(attrs["background"])
	}
	for _, m := range styleURL.FindAllStringSubmatch(attrs["style"], -1) {
		p.link(m[2])
	}
	return nil
}

// styleURL is JMeter's pattern: quotes are needed, and it is greedy.
var styleURL = regexp.MustCompile(`(?is)URL\(\s*('|")(.*)('|")\s*\)`)

var lineBreaks = strings.NewReplacer("\n", "", "\r", "", "\b", "", "\f", "")

func (p *pageLinks) add(url string) {
	if url = lineBreaks.Replace(trimControls(url)); url != "" {
		p.link(url)
	}
}

// link adds a URL; those that java.net.URL does not know, such as data:, are
// left out.
func (p *pageLinks) link(url string) {
	if url == "" {
		return
	}
	to, err := relative(p.base, html.UnescapeString(url), true)
	if err == nil && !p.seen[to.text] {
		p.seen[to.text] = true
		p.found = append(p.found, to)
	}
}

// importRule is an @import rule.
var importRule = regexp.MustCompile(`(?is)^@import\s+(?:url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)|"([^"]*)"|'([^']*)')[^;{}]*(?:;|$)`)

// importsOf returns the style sheets that a style sheet imports, wherever the
// rules stand outside of blocks; its other URLs are only fetched by browsers
// when a rule applies.
func importsOf(css string, base *address) []*address {
	var found []*address
	depth := 0
	for {
		if css = skipBlanks(css); css == "" {
			return found
		}
		if depth == 0 && css[0] == '@' {
			if m := importRule.FindStringSubmatch(css); m != nil {
				css = css[len(m[0]):]
				if url := strings.Join(m[1:], ""); url != "" {
					if to, err := relative(base, html.UnescapeString(url), true); err == nil {
						found = append(found, to)
					}
				}
				continue
			}
		}
		n := 1
		switch css[0] {
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case '"', '\'':
			n = quotedLength(css)
		}
		css = css[n:]
	}
}

// quotedLength is the length of the string that css begins with.
func quotedLength(css string) int {
	for i := 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[0], '\n':
			return i + 1
		}
	}
	return len(css)
}

// skipBlanks leaves out white space, comments and the brackets of HTML comments.
func skipBlanks(css string) string {
	for {
		css = strings.TrimLeft(css, " \t\r\n\f\ufeff")
		switch {
		case strings.HasPrefix(css, "/*"):
			_, rest, ok := strings.Cut(css[2:], "*/")
			if !ok {
				return ""
			}
			css = rest
		case strings.HasPrefix(css, "<!--"):
			css = css[4:]
		case strings.HasPrefix(css, "-->"):
			css = css[3:]
		default:
			return css
		}
	}
}

var explorerPattern = regexp.MustCompile(`MSIE ([0-9]+.[0-9]+)`)

// explorerVersion is the version of an Internet Explorer that heeds conditional
// comments, 0 for other browsers.
func explorerVersion(userAgent string) float64 {
	m := explorerPattern.FindStringSubmatch(userAgent)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil || v >= 10 {
		return 0
	}
	return v
}

var conditionalPattern = regexp.MustCompile(`(?is)^\[if\s+([^\]]*)\]>(.*)<!\[endif\]$`)

// conditionalComment returns what a comment holds for that version of Internet
// Explorer.
func conditionalComment(text string, version float64) (inner string, ok bool) {
	m := conditionalPattern.FindStringSubmatch(text)
	if m == nil || !explorerMeant(strings.Trim(m[1], " ()"), version) {
		return "", false
	}
	return m[2], true
}

func explorerMeant(condition string, version float64) bool {
	words := strings.Fields(condition)
	op := ""
	if len(words) > 0 && !strings.EqualFold(words[0], "IE") && words[0] != "!IE" {
		op, words = strings.ToLower(words[0]), words[1:]
	}
	if len(words) == 0 || !strings.EqualFold(words[0], "IE") {
		return false
	}
	if len(words) == 1 {
		return op == ""
	}
	n, err := strconv.ParseFloat(words[1], 64)
	if err != nil {
		return false
	}
	switch op {
	case "lt":
		return version < n
	case "lte":
		return version <= n
	case "gt":
		return version > n
	case "gte":
		return version >= n
	case "!":
		return version != n
	}
	return version == n || float64(int(version)) == n
}
