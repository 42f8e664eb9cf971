package http

import (
	"regexp"
	"strings"
)

// importsOf returns the style sheets that a style sheet imports, wherever the
// rules stand outside of blocks; its other URLs are only fetched by browsers
// when a rule applies. What is no rule takes all up to the end of the next block
// with it, as in JMeter's parser (ph-css, as browsers are meant to).
func importsOf(css string, base *address) []*address {
	var found []*address
	s := cssText(withoutComments(css))
	began := false // with rules behind the head: charset, imports, namespaces; more is forgiven there
	head := byte('c')
	for {
		if s = s.blanks(); began {
			for s != "" && (s[0] == ';' || s[0] == '}') {
				s = s[1:].blanks()
			}
		}
		if s == "" {
			return found
		}
		switch rule := headRule.FindString(string(s)); {
		case rule != "":
			s = s[len(rule):]
			if kind := rule[1] | 0x20; kind < head || kind == 'c' && head != 'c' {
				began = true
			} else if head = kind; kind == 'c' {
				head = 'i' // there is one
			}
			if m := importRule.FindStringSubmatch(rule); m != nil {
				url := cssUnescape.ReplaceAllString(strings.TrimSpace(strings.Join(m[1:4], "")), "$1") + strings.Join(m[4:6], "")
				if to, err := relative(base, unescapeXML(url), true); err == nil && url != "" {
					found = append(found, to)
				}
			}
		case s[0] == '@' && !cssHead.MatchString(string(s)):
			s, began = s.past(true), true
		case s[0] == '@' || !cssSelector.MatchString(string(s)):
			s, began, head = s.past(false), false, 'c' // JMeter's parser starts afresh
		default:
			s, began = s.past(false), true
		}
	}
}

var (
	cssString   = `(?:"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*')`
	cssContent  = `(?:"((?:[^"\\\n]|\\(?s:.))*)"|'((?:[^'\\\n]|\\(?s:.))*)')`
	cssURL      = `url\(\s*(?:` + cssString + `|(?:[^)"'\s\\]|\\.)*)\s*\)`
	cssName     = `-?[\pL_\\][\pL\pN_\\-]*`
	cssFeature  = `\(\s*` + cssName + `\s*(?::[^(){};]*(?:\([^()]*\)[^(){};]*)*)?\)`
	cssMedium   = `(?:(?:(?:not|only)\s+)?` + cssName + `\s*(?:\sand\s*` + cssFeature + `\s*)*|` + cssFeature + `\s*(?:and\s*` + cssFeature + `\s*)*)`
	cssMedia    = cssMedium + `(?:,\s*` + cssMedium + `)*`
	headRule    = regexp.MustCompile(`(?i)^(?:@import\s*(?:` + cssString + `|` + cssURL + `)\s*(?:` + cssMedia + `)?;|@charset\s+` + cssString + `\s*;|@namespace\s*(?:` + cssName + `\s*)?(?:` + cssString + `|` + cssURL + `)\s*;)`)
	importRule  = regexp.MustCompile(`(?i)^@import\s*(?:url\(\s*(?:` + cssContent + `|((?:[^)"'\s\\]|\\.)*))\s*\)|` + cssContent + `)`)
	cssHead     = regexp.MustCompile(`(?i)^@(?:import|charset|namespace)\b`)
	cssSelector = regexp.MustCompile(`^[\pL_\\\-.#*:\[\d]`)
	cssUnescape = regexp.MustCompile(`(?s)\\(.)`)
)

// cssText is what is left of a style sheet.
type cssText string

// blanks leaves out white space and the brackets of HTML comments.
func (s cssText) blanks() cssText {
	for {
		t := strings.TrimLeft(string(s), " \t\r\n\f")
		t = strings.TrimPrefix(strings.TrimPrefix(t, "<!--"), "-->")
		if len(t) == len(s) {
			return s
		}
		s = cssText(t)
	}
}

// past is what stands behind the next block, or, unless a block is needed, behind
// a closing brace that comes before it.
func (s cssText) past(needed bool) cssText {
	for depth := 0; s != ""; {
		n := 1
		switch s[0] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 && needed {
				depth = 0
			} else if depth <= 0 {
				return s[1:]
			}
		case '"', '\'':
			n = len(cssLeadingString.FindString(string(s)))
		}
		s = s[max(1, n):]
	}
	return ""
}

var cssLeadingString = regexp.MustCompile(`^` + cssString)

// withoutComments is a style sheet without its comments.
func withoutComments(css string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(css, "/\"'")
		if i < 0 {
			return b.String() + css
		}
		b.WriteString(css[:i])
		switch css = css[i:]; {
		case strings.HasPrefix(css, "/*"):
			_, rest, ok := strings.Cut(css[2:], "*/")
			if !ok {
				return b.String()
			}
			css = rest
		default:
			n := max(1, len(cssLeadingString.FindString(css)))
			b.WriteString(css[:n])
			css = css[n:]
		}
	}
}
