package regex

func parseJava(pattern string) (*node, int, map[string]int, error) {
	n, g, err := parseORO(pattern)
	return n, g, nil, err
}

func (m *matcher) holdsJava(a assertion, pos int) bool { return false }

func (m *matcher) isJavaMark(pos int, r rune, before bool) bool { return false }
