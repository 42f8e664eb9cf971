package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// screen is what a terminal shows of what was written to it.
func screen(text string) string {
	var lines []string
	line, at := []rune{}, 0
	for _, r := range text {
		switch r {
		case '\r':
			at = 0
		case '\n':
			lines = append(lines, strings.TrimRight(string(line), " "))
			line, at = nil, 0
		default:
			if at < len(line) {
				line[at] = r
			} else {
				line = append(line, r)
			}
			at++
		}
	}
	return strings.Join(append(lines, strings.TrimRight(string(line), " ")), "\n")
}

func TestLiveLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tty bytes.Buffer
		l := &liveLine{tty: &tty, width: func() int { return 12 }}
		out := l.over(&tty)
		shown := func() string {
			l.mu.Lock()
			defer l.mu.Unlock()
			return screen(tty.String())
		}
		n := 0
		stop := l.every(time.Second, func() string { n++; return fmt.Sprintf("%d of a long line", n) })
		time.Sleep(time.Second)
		synctest.Wait()
		if got := shown(); got != "1 of a long" {
			t.Errorf("cut to the width: %q", got)
		}
		fmt.Fprintln(out, "summary")
		if got := shown(); got != "summary\n1 of a long" {
			t.Errorf("below what is printed: %q", got)
		}
		fmt.Fprint(out, "half ")
		fmt.Fprint(out, "a line\n")
		if got := shown(); got != "summary\nhalf a line\n" {
			t.Errorf("not within a line: %q", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := shown(); got != "summary\nhalf a line\n2 of a long" {
			t.Errorf("drawn again: %q", got)
		}
		stop()
		if got := shown(); got != "summary\nhalf a line\n" {
			t.Errorf("wiped at the end: %q", got)
		}
	})
}

func TestNoLiveLine(t *testing.T) {
	var l *liveLine
	l.every(0, func() string { t.Error("drawn where there is no terminal"); return "" })()
}

func TestSamplesLine(t *testing.T) {
	for _, tt := range []struct {
		n, failed int64
		want      string
	}{{0, 0, "0 samples, none failed"}, {200, 1, "200 samples, 1 failed (0.50%)"}} {
		if got := samplesLine(tt.n, tt.failed); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
