package jtl

import (
	"encoding/binary"
	"math/bits"
)

// csvColumn is a column of the file and where its fields go: to a number or to a text
// of the row; one with neither needs a look.
type csvColumn struct {
	column Column
	number *int64
	text   *[]byte

	// Most columns say the same in nearly all rows. So the bytes of the field of the
	// last row are kept with the one that ended it, if these are eight at most: where
	// a row has the same bytes, what is in place stays there.
	repeats      bool
	before, mask uint64 // the mask is 0 when nothing is kept
	length       int
}

// repeats tells whether rows that follow one another are likely to have the same in
// column c.
func (c Column) repeats() bool {
	switch c {
	case ColTimeStamp, ColElapsed, ColLabel, ColThreadName, ColBytes, ColURL, ColLatency, colExtra:
		return false
	}
	return true
}

// remember keeps the field that x begins with.
func (c *csvColumn) remember(x uint64, length int) {
	if length > 7 {
		c.mask = 0
		return
	}
	c.mask = ^uint64(0) >> (uint(56-8*length) & 63)
	c.before, c.length = x&c.mask, length
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// plain fills the row from the first bytes of b, as many as left, which have no quotes.
// It is the fast way for the usual; false leaves the row to assign, which also says
// what is wrong.
func (p *csvParser) plain(b []byte, left int) bool {
	delim, columns := p.d.info.Delimiter, p.columns
	for i := range columns {
		if len(b) < 8 {
			return false
		}
		x := binary.LittleEndian.Uint64(b)
		n, c := 0, &columns[i]
		switch {
		case c.mask != 0 && (x^c.before)&c.mask == 0:
			n = c.length
		case c.number != nil:
			if *c.number, n = shortNumber(x); n == 0 {
				if *c.number, n = p.longNumber(b[:left]); n == 0 {
					return false
				}
			}
			if c.repeats {
				c.remember(x, n)
			}
		default:
			n = fieldLength(b, left, delim)
			if c.text != nil {
				*c.text = b[:n]
			} else if p.other(c.column, b[:n]) != nil {
				return false
			}
			if c.repeats {
				c.remember(x, n)
			}
		}
		if n == left {
			return i == len(columns)-1
		}
		if b[n] != delim {
			return false
		}
		b = b[n+1:]
		left -= n + 1
	}
	return false
}

// fieldLength is that of the field which b begins with, in a row that has so many
// bytes left.
func fieldLength(b []byte, left int, delim byte) int {
	delims := eachByte * uint64(delim)
	n := 0
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b) ^ delims
		if found := (x - eachByte) &^ x & highBits; found != 0 {
			return min(n+bits.TrailingZeros64(found)>>3, left)
		}
		n += 8
	}
	for n < left && b[0] != delim {
		b = b[1:]
		n++
	}
	return min(n, left)
}

// shortNumber is the number of 1 to 7 digits that x begins with, if something else
// follows them; the length is 0 for anything else.
func shortNumber(x uint64) (n int64, length int) {
	x ^= '0' * eachByte
	others := (x + 0x76*eachByte | x) & highBits
	length = bits.TrailingZeros64(others) >> 3 & 7
	return twoToEight(x << (uint(64-8*length) & 63)), length
}

// eightDigits is the number that eight digits stand for.
func eightDigits(x uint64) (n int64, ok bool) {
	x ^= '0' * eachByte
	return twoToEight(x), (x+0x76*eachByte|x)&highBits == 0
}

// twoToEight puts eight digits together, two by two.
func twoToEight(x uint64) int64 {
	x = x*10 + x>>8
	return int64((x&0x000000ff000000ff*(100+1000000<<32) + x>>16&0x000000ff000000ff*(1+10000<<32)) >> 32)
}

// longNumber is the number that b begins with; the length is 0 if it is none, or too
// long a one. Most are time stamps.
func (p *csvParser) longNumber(b []byte) (n int64, length int) {
	if n, ok := p.stamp.read(b); ok {
		return n, stampLength
	}
	for length < len(b) && b[length]-'0' <= 9 {
		n = n*10 + int64(b[length]-'0')
		length++
	}
	switch {
	case length > 18:
		return 0, 0
	case length == stampLength:
		p.stamp.set(b, n)
	}
	return n, length
}

// stamp reads numbers of as many digits as time stamps have, of which the first five
// last for days.
type stamp struct {
	text  uint64 // the first five
	value int64  // with zeros behind them
}

const (
	stampLength = 13
	stampHead   = 1<<40 - 1
)

// read reads the number that b begins with, if it begins as the last one did.
func (s *stamp) read(b []byte) (n int64, ok bool) {
	if len(b) <= stampLength || binary.LittleEndian.Uint64(b)&stampHead != s.text || s.value == 0 || b[stampLength]-'0' <= 9 {
		return 0, false
	}
	tail, ok := eightDigits(binary.LittleEndian.Uint64(b[stampLength-8:]))
	return s.value + tail, ok
}

// set takes note of the number n that b begins with.
func (s *stamp) set(b []byte, n int64) {
	s.text, s.value = binary.LittleEndian.Uint64(b)&stampHead, n/1e8*1e8
}

// forget has the next row read without a look at the last one.
func (p *csvParser) forget() {
	for i := range p.columns {
		p.columns[i].mask = 0
	}
}
