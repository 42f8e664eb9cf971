package jsonpath

// cursor walks over the characters of a path or a filter. The bounds may shrink to
// leave out brackets and blanks; positions stay those of the whole text.
type cursor struct {
	text []rune
	at   int
	last int // the last position in bounds
}

func newCursor(text string) *cursor {
	r := []rune(text)
	return &cursor{text: r, last: len(r) - 1}
}

func (c *cursor) charAt(i int) rune {
	if i < 0 || i >= len(c.text) {
		return 0
	}
	return c.text[i]
}

func (c *cursor) current() rune      { return c.charAt(c.at) }
func (c *cursor) is(r rune) bool     { return c.current() == r }
func (c *cursor) lastIs(r rune) bool { return c.charAt(c.last) == r }
func (c *cursor) has(i int) bool     { return i >= 0 && i <= c.last }
func (c *cursor) inBounds() bool     { return c.has(c.at) }
func (c *cursor) isTail() bool       { return c.at >= c.last }
func (c *cursor) length() int        { return c.last + 1 }
func (c *cursor) sub(from, to int) string {
	if to > len(c.text) {
		to = len(c.text)
	}
	if from > to {
		return ""
	}
	return string(c.text[from:to])
}

func (c *cursor) skipBlanks() *cursor {
	for c.inBounds() && c.at < c.last && c.is(' ') {
		c.at++
	}
	return c
}

func (c *cursor) trim() {
	c.skipBlanks()
	for c.inBounds() && c.at < c.last && c.lastIs(' ') {
		c.last--
	}
}

// after returns the first position after i that holds no blank; it may be out of
// bounds.
func (c *cursor) after(i int) int {
	for i++; c.has(i) && c.charAt(i) == ' '; i++ {
	}
	return i
}

// significantAfter returns the character at after(i), a blank when there is none.
func (c *cursor) significantAfter(i int) rune {
	if i = c.after(i); c.has(i) {
		return c.charAt(i)
	}
	return ' '
}

// indexAfter returns after(i) if r stands there, or -1.
func (c *cursor) indexAfter(i int, r rune) int {
	if i = c.after(i); c.charAt(i) == r && i < len(c.text) {
		return i
	}
	return -1
}

// significantBefore returns the position before i that holds no blank, or -1.
func (c *cursor) significantBefore(i int) int {
	for i--; c.has(i) && c.charAt(i) == ' '; i-- {
	}
	if !c.has(i) {
		return -1
	}
	return i
}

func (c *cursor) indexOf(from int, r rune) int {
	for i := from; c.has(i); i++ {
		if c.charAt(i) == r {
			return i
		}
	}
	return -1
}

// unescaped returns the next position after i that holds r, but for a backslash
// before it; -1 for none.
func (c *cursor) unescaped(i int, r rune) int {
	escaped := false
	for i++; c.has(i); i++ {
		switch {
		case escaped:
			escaped = false
		case c.charAt(i) == '\\':
			escaped = true
		case c.charAt(i) == r:
			return i
		}
	}
	return -1
}

// closing returns the position of the bracket that closes the one at i, or -1.
// Brackets in quotes do not count, with regex those between slashes neither.
func (c *cursor) closing(i int, open, close rune, regex bool) (int, error) {
	if c.charAt(i) != open {
		return -1, invalid("Expected %c but found %c", open, c.charAt(i))
	}
	depth := 1
	for i++; c.has(i); i++ {
		if q := c.charAt(i); q == '\'' || q == '"' {
			if i = c.unescaped(i, q); i < 0 {
				return -1, invalid("Could not find matching close quote for %c when parsing : %s", q, string(c.text))
			}
			i++
		}
		if regex && c.charAt(i) == '/' {
			if i = c.unescaped(i, '/'); i < 0 {
				return -1, invalid("Could not find matching close for / when parsing regex in : %s", string(c.text))
			}
			i++
		}
		switch c.charAt(i) {
		case open:
			depth++
		case close:
			if depth--; depth == 0 {
				return i, nil
			}
		}
	}
	return -1, nil
}

// accept passes text, after blanks, if it stands here.
func (c *cursor) accept(text string) bool {
	c.skipBlanks()
	if !c.has(c.at+len(text)-1) || c.sub(c.at, c.at+len(text)) != text {
		return false
	}
	c.at += len(text)
	return true
}

// expect passes one character after blanks.
func (c *cursor) expect(r rune) error {
	if c.skipBlanks().current() != r {
		return invalid("Expected character: %c", r)
	}
	c.at++
	return nil
}
