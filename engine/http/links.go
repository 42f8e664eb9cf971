package http

import (
	"bytes"
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
		p := pageLinks{base: base, seen: map[string]bool{}}
		if v := explorerVersion(userAgent); v > 0 {
			page = forExplorer(page, v)
		}
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
	base  *address
	found []*address
	seen  map[string]bool
}

func (p *pageLinks) read(text string) error {
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(0)
	noscript := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "noscript" {
				noscript = false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := z.Raw()
			name, more := z.TagName()
			tag := string(name)
			switch tag {
			case "noscript":
				noscript = true
			case "plaintext":
				z.NextIsNotRawText()
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
			if bytes.Contains(raw, []byte("=&")) {
				keepEquals(raw[len(tag)+1:], attrs)
			}
			if err := p.tag(tag, attrs); err != nil {
				return err
			}
		}
	}
}

// keepEquals puts the equals sign into the values that begin with an escape
// and have no quotes: JMeter's parser takes it for a part of them.
func keepEquals(raw []byte, attrs map[string]string) {
	for len(raw) > 0 {
		raw = bytes.TrimLeft(raw, " \t\r\n\f/>")
		n := bytes.IndexAny(raw[min(1, len(raw)):], " \t\r\n\f/>=") + 1
		if n == 0 {
			return
		}
		name, rest := strings.ToLower(string(raw[:n])), bytes.TrimLeft(raw[n:], " \t\r\n\f")
		if raw = rest; len(rest) == 0 || rest[0] != '=' {
			continue
		}
		direct := len(rest) > 1 && rest[1] == '&'
		raw = bytes.TrimLeft(rest[1:], " \t\r\n\f")
		end := -1
		switch {
		case len(raw) > 0 && (raw[0] == '"' || raw[0] == '\''):
			end = bytes.IndexByte(raw[1:], raw[0]) + 2
		default:
			if end = bytes.IndexAny(raw, " \t\r\n\f>"); direct {
				attrs[name] = "=" + attrs[name]
			}
		}
		if end <= 0 || end > len(raw) {
			return
		}
		raw = raw[end:]
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
				var ok bool
				if what, ok = attrs["code"]; !ok {
					what = "null" // as in JMeter
				}
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
	to, err := relative(p.base, unescapeXML(url), true)
	if err == nil && !p.seen[to.text] {
		p.seen[to.text] = true
		p.found = append(p.found, to)
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

// xmlEntity is an escape that every XML has.
var xmlEntity = regexp.MustCompile(`&(?:amp|lt|gt|quot|apos|#[0-9]+|#[xX][0-9a-fA-F]+);`)

// unescapeXML resolves those: JMeter does so with whatever its parsers find.
func unescapeXML(url string) string {
	return xmlEntity.ReplaceAllStringFunc(url, html.UnescapeString)
}

// forExplorer is a page without what its conditional comments keep from a
// version of Internet Explorer.
func forExplorer(page string, version float64) string {
	var b strings.Builder
	shown := []bool{true}
	for page != "" {
		n := strings.Index(page, "<!")
		if n < 0 {
			n = len(page)
		}
		top := shown[len(shown)-1]
		if top {
			b.WriteString(page[:n])
		}
		if page = page[n:]; page == "" {
			break
		}
		if strings.HasPrefix(page, "<![endif]") {
			shown = shown[:max(1, len(shown)-1)]
			_, page, _ = strings.Cut(page, ">")
			continue
		}
		start, end, comment := "<![", "]>", false
		if strings.HasPrefix(page, "<!--") {
			start, end, comment = "<!--", "-->", true
			if strings.HasPrefix(page, "<!--[if ") {
				start, end = "<!--[", "]>"
			}
		}
		inner, rest, ok := strings.Cut(strings.TrimPrefix(page, start), end)
		switch {
		case !ok, !comment && !strings.HasPrefix(page, start):
			inner, rest = "", page[2:]
			if top {
				b.WriteString("<!")
			}
		case strings.HasPrefix(inner, "if "):
			shown = append(shown, explorerMeant(inner[len("if "):], version))
		case comment && strings.HasSuffix(inner, "<![endif]"):
			shown = shown[:max(1, len(shown)-1)]
		case top:
			b.WriteString(page[:len(page)-len(rest)])
		}
		page = rest
	}
	return b.String()
}

// explorerMeant says whether a condition, some of | and & between comparisons, is
// for a version. One that names no version never is.
func explorerMeant(condition string, version float64) bool {
	condition = strings.NewReplacer("(", "", ")", "").Replace(condition)
	for all := range strings.SplitSeq(condition, "&") {
		one := false
		for c := range strings.SplitSeq(all, "|") {
			op, text, ok := strings.Cut(strings.TrimSpace(c), "IE ")
			n, err := strconv.ParseFloat(text, 64)
			if !ok || err != nil {
				continue
			}
			v := version
			if n == float64(int(n)) && op != "lt " && op != "gte " {
				v = float64(int(version))
			}
			switch op {
			case "":
				one = one || v == n
			case "!":
				one = one || v != n
			case "lt ":
				one = one || v < n
			case "lte ":
				one = one || v <= n
			case "gt ":
				one = one || v > n
			case "gte ":
				one = one || v >= n
			}
		}
		if !one {
			return false
		}
	}
	return true
}
