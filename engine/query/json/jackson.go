package json

// AppendJackson appends v as Jackson writes it: no spaces, members in order, and
// only what must be escaped escaped.
func (v *Value) AppendJackson(dst []byte) []byte { return v.appendJackson(dst, asJava) }

func (v *Value) appendJackson(dst []byte, n numerals) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case String:
		return appendJacksonText(dst, v.text)
	case Double:
		if !v.isFinite() {
			return append(append(append(dst, '"'), v.javaText()...), '"')
		}
	case Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJackson(dst, n)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendJacksonText(dst, v.keys[i]), ':')
			dst = item.appendJackson(dst, n)
		}
		return append(dst, '}')
	}
	return append(dst, v.numeral(n)...)
}

// JacksonText is what the JMESPath elements make of a value: a text bare, all else
// as JSON.
func (v *Value) JacksonText() string { return v.jacksonText(asJava) }

// WrittenJackson is JacksonText with decimal numbers as the document writes them.
func (v *Value) WrittenJackson() string { return v.jacksonText(asWritten) }

func (v *Value) jacksonText(n numerals) string {
	switch v.kind {
	case Null, Array, Object:
		return string(v.appendJackson(nil, n))
	}
	return v.numeral(n)
}

func appendJacksonText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', upperHex[c>>4], upperHex[c&15])
		}
	}
	return append(append(dst, s[start:]...), '"')
}
