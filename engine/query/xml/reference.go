package xml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// entity keeps <!ENTITY name "text">; other forms are passed over.
func (p *parser) entity() {
	p.at += len("<!ENTITY")
	p.skipSpace()
	name := p.name()
	p.skipSpace()
	quote := p.peek()
	if name == "" || quote != '"' && quote != '\'' {
		return
	}
	end := strings.IndexByte(p.src[p.at+1:], quote)
	if end < 0 {
		return
	}
	if _, known := p.entities[name]; !known {
		p.entities[name] = p.src[p.at+1 : p.at+1+end]
	}
	p.at += end + 2
}

// reference reads &...; and returns its text.
func (p *parser) reference(depth int) (string, error) {
	p.at++
	if p.has("#") {
		return p.charReference()
	}
	name := p.name()
	if name == "" {
		return "", p.fail("The entity name must immediately follow the '&' in the entity reference.")
	}
	if p.peek() != ';' {
		return "", p.fail("The reference to entity \"%s\" must end with the ';' delimiter.", name)
	}
	p.at++
	switch name {
	case "lt":
		return "<", nil
	case "gt":
		return ">", nil
	case "amp":
		return "&", nil
	case "quot":
		return `"`, nil
	case "apos":
		return "'", nil
	}
	text, ok := p.entities[name]
	if !ok {
		return "", p.fail("The entity \"%s\" was referenced, but not declared.", name)
	}
	return p.expand(text, depth+1)
}

// expand resolves the references in an entity's text. Markup in it stays text.
func (p *parser) expand(text string, depth int) (string, error) {
	if p.grown += len(text); depth > 20 || p.grown > maxEntities {
		return "", p.fail("The entities of the document grow beyond the limit.")
	}
	if strings.IndexByte(text, '&') < 0 {
		return text, nil
	}
	inner := &parser{src: text, entities: p.entities, grown: p.grown}
	var b strings.Builder
	for inner.at < len(text) {
		if text[inner.at] != '&' {
			b.WriteByte(text[inner.at])
			inner.at++
			continue
		}
		s, err := inner.reference(depth)
		if err != nil {
			return "", p.fail("%s", err.Error())
		}
		b.WriteString(s)
	}
	p.grown = inner.grown
	return b.String(), nil
}

func (p *parser) charReference() (string, error) {
	end := strings.IndexByte(p.src[p.at:], ';')
	if end < 0 {
		return "", p.fail("The character reference must end with the ';' delimiter.")
	}
	text := p.src[p.at : p.at+end]
	p.at += end + 1
	digits, base := text[1:], 10
	if strings.HasPrefix(digits, "x") {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !isChar(rune(n)) || n > utf8.MaxRune {
		return "", p.fail("Character reference \"&%s\" is an invalid XML character.", text)
	}
	return string(rune(n)), nil
}
