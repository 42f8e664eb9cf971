package group

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/vu"
)

// schedule is the schedule of an Open Model Thread Group (JMeter manual, "Open
// Model Thread Group").
type schedule []scheduleStep

// scheduleStep sets the rate of arrivals, or makes arrivals for a while.
type scheduleStep struct {
	kind     stepKind
	rate     float64 // arrivals a second
	duration float64 // seconds
}

type stepKind uint8

const (
	setRate stepKind = iota
	evenArrivals
	randomArrivals
)

// maxArrivals bounds the arrivals of a schedule, the random ones of which are
// kept in memory.
const maxArrivals = 100e6

func (s schedule) duration() float64 {
	var d float64
	for _, step := range s {
		d += step.duration
	}
	return d
}

// rates yields the steps that make arrivals with the rates at their begin and end:
// the rate set right behind a step is what it comes to.
func (s schedule) rates() iter.Seq2[scheduleStep, [2]float64] {
	return func(yield func(scheduleStep, [2]float64) bool) {
		var rate float64
		for i, step := range s {
			if step.kind == setRate {
				rate = step.rate
				continue
			}
			end := rate
			if i+1 < len(s) && s[i+1].kind == setRate {
				end = s[i+1].rate
			}
			if !yield(step, [2]float64{rate, end}) {
				return
			}
		}
	}
}

func (s schedule) count() float64 {
	var n float64
	for step, r := range s.rates() {
		n += math.Floor((r[0] + r[1]) / 2 * step.duration)
	}
	return n
}

// arrivals yields the times of all arrivals, in seconds. The random ones are made
// of numbers in [0,1) in the order in which JMeter draws them.
func (s schedule) arrivals(random func() float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		var offset float64
		for step, r := range s.rates() {
			times := even(r[0], r[1], step.duration)
			if step.kind == randomArrivals {
				times = slices.Values(poisson(r[0], r[1], step.duration, random))
			}
			for t := range times {
				if !yield(offset + t) {
					return
				}
			}
			offset += step.duration
		}
	}
}

// even spreads arrivals evenly, the first at 0, over a rate that changes linearly:
// the k-th is due when the area under the rate is k.
func even(begin, end, duration float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		mean := (begin + end) / 2
		acceleration := (end - begin) / duration
		if math.Abs(end-begin) < 0.0001*mean {
			acceleration = 0
		}
		n := int64(mean * duration)
		for k := range n {
			t := float64(k) / mean
			if k == 0 {
				t = 0
			} else if acceleration != 0 {
				t = (math.Sqrt(begin*begin+2*acceleration*float64(k)) - begin) / acceleration
			}
			if !yield(t) {
				return
			}
		}
	}
}

// poisson draws as many arrivals at random: those of the lower rate uniformly, the
// others with a linearly changing density.
func poisson(begin, end, duration float64, random func() float64) []float64 {
	n := max(0, int((begin+end)/2*duration))
	flat := max(0, min(n, int(min(begin, end)*duration)))
	times := make([]float64, 0, n)
	for range flat {
		times = append(times, random()*duration)
	}
	for range n - flat {
		if begin == end {
			break
		}
		t := math.Sqrt(random())
		if begin > end {
			t = 1 - t
		}
		times = append(times, t*duration)
	}
	slices.Sort(times)
	return times
}

// parseSchedule reads a schedule. A number N alone is N arrivals in a second, with
// an hour to complete.
func parseSchedule(src string) (schedule, error) {
	if n, ok := vu.ParseInt(src); ok {
		rate := scheduleStep{kind: setRate, rate: float64(n)}
		return schedule{rate, {kind: evenArrivals, duration: 1}, rate, {kind: setRate}, {kind: evenArrivals, duration: 3600}}, nil
	}
	tokens, err := scheduleTokens(src)
	if err != nil {
		return nil, err
	}
	p := scheduleParser{src: src, tokens: tokens}
	err = vu.Try(p.parse)
	return p.steps, err
}

type scheduleToken struct {
	kind  byte // '1' a number, 'a' a word, else the character itself
	image string
	pos   int
}

func (t scheduleToken) String() string {
	switch t.kind {
	case '1':
		return "Number(" + t.image + ")"
	case 'a':
		return "Identifier(" + t.image + ")"
	case 0:
		return "null"
	}
	return t.image
}

func scheduleTokens(src string) ([]scheduleToken, error) {
	var tokens []scheduleToken
	for pos := 0; pos < len(src); {
		rest := src[pos:]
		if n := blank(rest); n > 0 {
			pos += n
			continue
		}
		t := scheduleToken{pos: pos, kind: rest[0], image: rest[:1]}
		switch c := rest[0]; {
		case c == '(' || c == ')' || c == '/':
		case digits(rest) > 0 || c == '.' && digits(rest[1:]) > 0:
			n := digits(rest)
			if n < len(rest) && rest[n] == '.' {
				if f := digits(rest[n+1:]); f > 0 {
					n += 1 + f
				}
			}
			t.kind, t.image = '1', rest[:n]
		case letter(c):
			n := 1
			for n < len(rest) && (letter(rest[n]) || rest[n] == '_' || digits(rest[n:]) > 0) {
				n++
			}
			t.kind, t.image = 'a', rest[:n]
		default:
			return nil, scheduleError(src, pos, "Unexpected input")
		}
		tokens = append(tokens, t)
		pos += len(t.image)
	}
	return tokens, nil
}

// blank is the length of the white space or comment at the start of s.
func blank(s string) int {
	switch {
	case strings.HasPrefix(s, "/*"):
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return n + 4
		}
	case strings.HasPrefix(s, "//"):
		n := strings.IndexAny(s, "\r\n")
		if n < 0 {
			return len(s)
		}
		return n
	}
	return len(s) - len(strings.TrimLeft(s, " \t\n\v\f\r"))
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// scheduleError words an error as JMeter does.
func scheduleError(src string, pos int, message string) error {
	rest := utf16.Encode([]rune(src[pos:]))
	rest = rest[:min(len(rest), 20)]
	return fmt.Errorf("%s at position %d: '%s' in '%s'", message, pos, string(utf16.Decode(rest)), src)
}

type scheduleParser struct {
	src    string
	tokens []scheduleToken
	pos    int
	steps  schedule
	last   scheduleStep // the rate set last
}

func (p *scheduleParser) fail(format string, args ...any) {
	at := 0
	if p.pos < len(p.tokens) {
		at = p.tokens[p.pos].pos
	}
	vu.Throw(scheduleError(p.src, at, fmt.Sprintf(format, args...)))
}

func (p *scheduleParser) token() scheduleToken {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return scheduleToken{}
}

func (p *scheduleParser) parse() {
	for p.pos < len(p.tokens) {
		switch t := p.token(); strings.ToLower(t.image) {
		case "pause":
			p.pause()
		case "rate":
			p.rate()
		case "random_arrivals":
			p.arrivals(randomArrivals)
		case "even_arrivals":
			p.arrivals(evenArrivals)
		default:
			p.fail("Unexpected input (expecting rate, random_arrivals, even_arrivals, or pause)")
		}
	}
}

func (p *scheduleParser) add(steps ...scheduleStep) { p.steps = append(p.steps, steps...) }

// pause makes nothing for a while, whatever the rate was and will be.
func (p *scheduleParser) pause() {
	wait := scheduleStep{kind: evenArrivals, duration: p.call()}
	if p.last.rate == 0 {
		p.add(wait, p.last)
		return
	}
	zero := scheduleStep{kind: setRate}
	p.add(p.last, zero, wait, zero, p.last)
}

func (p *scheduleParser) arrivals(kind stepKind) {
	p.add(scheduleStep{kind: kind, duration: p.call()})
}

// call reads a duration in parentheses behind a word.
func (p *scheduleParser) call() float64 {
	p.pos++
	p.expect('(')
	var seconds float64
	for {
		n := p.number("float number for duration")
		if n == 0 && p.token().kind == ')' { // needs no unit
			break
		}
		seconds += n * p.unit()
		if p.token().kind != '1' {
			break
		}
	}
	p.expect(')')
	return seconds
}

func (p *scheduleParser) rate() {
	p.pos++
	p.expect('(')
	n, per := p.number("float number for rate"), 1.0
	if n != 0 || p.token().kind != ')' {
		if t := p.token(); t.kind != '/' && !strings.EqualFold(t.image, "per") {
			p.fail("Unexpected input. Expected /, Identifier(per) got %v", t)
		}
		p.pos++
		per = p.unit()
	}
	p.expect(')')
	p.last = scheduleStep{kind: setRate, rate: n / per}
	p.add(p.last)
}

func (p *scheduleParser) expect(kind byte) {
	if t := p.token(); t.kind != kind {
		p.fail("Unexpected input. Expected %c got %v", kind, t)
	}
	p.pos++
}

// take reads a token of a kind; its errors name the token behind, as JMeter's do.
func (p *scheduleParser) take(kind byte, what string) string {
	t := p.token()
	p.pos++
	if t.kind != kind {
		p.fail("Unexpected input. Expected %s got %v", what, p.token())
	}
	return t.image
}

func (p *scheduleParser) number(what string) float64 {
	n, err := strconv.ParseFloat(p.take('1', what), 64)
	if err != nil {
		p.fail("%v", err)
	}
	return n
}

// unit is the length of a time unit in seconds.
func (p *scheduleParser) unit() float64 {
	image := p.take('a', "unit for duration: sec, min, hour, day")
	u := strings.ToLower(image)
	switch {
	case u == "ms":
		return 0.001
	case u == "s" || strings.HasPrefix(u, "sec"):
		return 1
	case u == "m" || strings.HasPrefix(u, "min"):
		return 60
	case u == "h" || strings.HasPrefix(u, "hour"):
		return 3600
	case u == "d" || strings.HasPrefix(u, "day"):
		return 86400
	}
	p.fail("Unexpected time unit %s", image)
	return 0
}
