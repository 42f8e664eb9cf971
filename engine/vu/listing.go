package vu

import (
	"slices"
	"strings"
)

// Listing is what the debug elements show of a thread: sections of lines
// name=value, sorted as people count.
type Listing struct{ body, titles strings.Builder }

// Body is the text of all sections.
func (l *Listing) Body() string { return l.body.String() }

// Titles are the titles of all sections, one a line.
func (l *Listing) Titles() string { return l.titles.String() }

// Section adds the names, which it sorts, with their values.
func (l *Listing) Section(title string, names []string, value func(name string) string) {
	l.titles.WriteString(title + "\n")
	l.body.WriteString(title + ":\n")
	slices.SortFunc(names, byNumber)
	for _, n := range names {
		l.body.WriteString(n + "=" + value(n) + "\n")
	}
	l.body.WriteString("\n")
}

// Variables adds the variables of t.
func (l *Listing) Variables(t *Thread) {
	l.Section("JMeterVariables", t.Vars.Names(), func(n string) string { return t.Vars.GetOr(n, "") })
}

// Properties adds JMeter's properties.
func (l *Listing) Properties(p *Properties) {
	l.Section("JMeterProperties", p.Names(), func(n string) string { v, _ := p.LookupOwn(n); return v })
}

// System adds the system properties.
func (l *Listing) System(p *Properties) {
	l.Section("SystemProperties", p.SystemNames(), func(n string) string { v, _ := p.System(n); return v })
}

// byNumber compares names part by part, text before digits and digits by their
// number: a-1, a2, a10.
func byNumber(a, b string) int {
	for a != "" && b != "" {
		wordA, restA := split(a, notDigit)
		wordB, restB := split(b, notDigit)
		if c := strings.Compare(wordA, wordB); c != 0 {
			return c
		}
		numA, restA := split(restA, isDigit)
		numB, restB := split(restB, isDigit)
		if numA == "" || numB == "" {
			return len(numA) - len(numB)
		}
		numA, numB = strings.TrimLeft(numA, "0"), strings.TrimLeft(numB, "0")
		if len(numA) != len(numB) {
			return len(numA) - len(numB)
		}
		if c := strings.Compare(numA, numB); c != 0 {
			return c
		}
		a, b = restA, restB
	}
	return len(a) - len(b)
}

func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func notDigit(r rune) bool { return !isDigit(r) }

// split cuts s behind its first characters that are of a class.
func split(s string, of func(rune) bool) (head, rest string) {
	i := strings.IndexFunc(s, func(r rune) bool { return !of(r) })
	if i < 0 {
		i = len(s)
	}
	return s[:i], s[i:]
}
