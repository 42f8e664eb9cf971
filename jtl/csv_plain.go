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

// plain fills the row from the line that b begins with, which has no quotes, and tells
// where it ends, without and with its line end. It is the fast way for the usual; for
// anything else next is 0, and the row is left to assign, which also says what is wrong.
func (p *csvParser) plain(b []byte) (end, next int) {
	size, delim, columns := len(b), p.d.info.Delimiter, p.columns
	last := len(columns) - 1
	for i := range columns {
		if len(b) < 8 {
			return 0, 0
		}
		x := binary.LittleEndian.Uint64(b)
		n, c := 0, &columns[i]
		switch {
		case c.mask != 0 && (x^c.before)&c.mask == 0:
			n = c.length
		case c.number != nil:
			if *c.number, n = shortNumber(x); n == 0 {
				if *c.number, n = p.longNumber(b); n == 0 {
					return 0, 0
				}
			}
			if c.repeats {
				c.remember(x, n)
			}
		default:
			if n = fieldLength(b, delim, p.d.eol); n < 0 {
				return 0, 0
			}
			if i == last && n > 0 && b[n-1] == '\r' && b[n] == p.d.eol {
				n--
			}
			if c.text != nil {
				*c.text = b[:n]
			} else if p.other(c.column, b[:n]) != nil {
				return 0, 0
			}
			if c.repeats {
				c.remember(x, n)
			}
		}
		if i == last {
			end = size - len(b) + n
			return end, p.lineEnds(b[n:], end)
		}
		if b[n] != delim {
			return 0, 0
		}
		b = b[n+1:]
	}
	return 0, 0
}

// lineEnds is where the line end is over that b begins with and that is at a place;
// 0 if b begins with none.
func (p *csvParser) lineEnds(b []byte, at int) int {
	switch {
	case b[0] == p.d.eol:
		return at + 1
	case len(b) > 1 && b[0] == '\r' && b[1] == p.d.eol:
		return at + 2
	}
	return 0
}

// fieldLength is that of the field which b begins with, -1 where b does not tell.
func fieldLength(b []byte, delim, eol byte) int {
	delims, eols := eachByte*uint64(delim), eachByte*uint64(eol)
	for n := 0; len(b) >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(b)
		y := x ^ eols
		x ^= delims
		if found := ((x-eachByte)&^x | (y-eachByte)&^y) & highBits; found != 0 {
			return n + bits.TrailingZeros64(found)>>3
		}
		b = b[8:]
	}
	return -1
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

// longNumber is the number that b begins with; the length is 0 if it is none, too long
// a one, or if b does not tell where it ends. Most are time stamps.
func (p *csvParser) longNumber(b []byte) (n int64, length int) {
	if n, ok := p.stamp.read(b); ok {
		return n, stampLength
	}
	for b[length]-'0' <= 9 {
		n = n*10 + int64(b[length]-'0')
		if length++; length > 18 || length == len(b) {
			return 0, 0
		}
	}
	if length == stampLength {
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
