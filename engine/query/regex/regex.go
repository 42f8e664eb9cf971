// Package regex matches regular expressions as JMeter's engines do.
//
// JMeter has two: Jakarta ORO's Perl 5 dialect, which is the default of
// jmeter.regex.engine, and java.util.regex, which the other setting selects and
// which scripts always use. They differ from each other and from Go's regexp in
// syntax, in classes, in groups and in what follows an empty match, so the
// package has a parser for each and one matcher for both.
//
// Positions are byte offsets into UTF-8 text; a byte that is not UTF-8 counts as
// one character, U+FFFD.
package regex

import "unsafe"

// Dialect names a syntax and its matching rules.
type Dialect uint8

const (
	ORO  Dialect = iota // Perl 5.003 as Jakarta ORO 2.0.8 reads it; JMeter's default
	Java                // java.util.regex of Java 17
)

// Find searches b from the byte offset from on and returns the leftmost match:
// pairs of offsets, the whole match first and then each group, -1 for a group
// that did not take part. The result uses dst's storage when it is large enough.
// No match returns an empty slice.
//
// What stands before from is seen by ^, \b and look-behind, as in both engines.
func (re *Regexp) Find(dst []int, b []byte, from int) []int {
	return re.search(dst, b, from, -1)
}

// FindString is Find on a string.
func (re *Regexp) FindString(dst []int, s string, from int) []int {
	return re.Find(dst, bytesOf(s), from)
}

// Next goes on after the match m of b and returns the following one in the same
// storage, or an empty slice. An empty m begins at the start of b.
func (re *Regexp) Next(m []int, b []byte) []int {
	if len(m) == 0 {
		return re.search(m, b, 0, -1)
	}
	begin, last := m[0], m[1]
	from := last
	if re.dialect == Java && begin == last {
		from = step(b, from)
	}
	return re.search(m, b, from, last)
}

// NextString is Next on a string.
func (re *Regexp) NextString(m []int, s string) []int { return re.Next(m, bytesOf(s)) }

// FindAll appends the matches of b to dst, one after the other, Stride offsets
// each, at most limit of them; a negative limit means all.
func (re *Regexp) FindAll(dst []int, b []byte, limit int) []int {
	m := make([]int, 0, re.Stride())
	for ; limit != 0; limit-- {
		m = re.Next(m, b)
		if len(m) == 0 {
			break
		}
		dst = append(dst, m...)
	}
	return dst
}

// Contains reports whether the pattern matches somewhere in b.
func (re *Regexp) Contains(b []byte) bool {
	var buf [16]int
	return len(re.search(buf[:0], b, 0, -1)) > 0
}

// ContainsString is Contains on a string.
func (re *Regexp) ContainsString(s string) bool { return re.Contains(bytesOf(s)) }

// MatchesString is Matches on a string.
func (re *Regexp) MatchesString(s string) bool { return re.Matches(bytesOf(s)) }

// Groups returns the number of capturing groups.
func (re *Regexp) Groups() int { return re.groups }

// Stride returns how many offsets one match has: 2*(Groups()+1).
func (re *Regexp) Stride() int { return 2 * (re.groups + 1) }

// String returns the pattern as it was given.
func (re *Regexp) String() string { return re.pattern }

// bytesOf views s as bytes; the matcher only reads.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
