package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// liveLine is a line on the terminal that is drawn over and over. It is wiped
// before anything else is printed and drawn again after. It is drawn on
// terminals only, so that what scripts read stays what JMeter prints.
type liveLine struct {
	mu    sync.Mutex
	tty   io.Writer
	width func() int
	text  string
}

// console is the program's console, with a live line where standard error is a
// terminal.
func console(in, out, err *os.File) stdio {
	std := stdio{in: in, out: out, err: err}
	if term.IsTerminal(int(err.Fd())) {
		std.live = &liveLine{tty: err, width: func() int {
			w, _, err := term.GetSize(int(os.Stderr.Fd()))
			if err != nil || w < 2 {
				return 80
			}
			return w
		}}
		std.out, std.err = std.live.over(out), std.live.over(err)
	}
	return std
}

// over is w, with the live line out of the way.
func (l *liveLine) over(w io.Writer) io.Writer { return overLine{l, w} }

type overLine struct {
	l *liveLine
	w io.Writer
}

func (o overLine) Write(p []byte) (int, error) {
	o.l.mu.Lock()
	defer o.l.mu.Unlock()
	text := o.l.text
	o.l.draw("")
	n, err := o.w.Write(p)
	if strings.HasSuffix(string(p), "\n") {
		o.l.draw(text)
	}
	return n, err
}

// draw replaces the line. Blanks instead of control sequences do on every
// terminal.
func (l *liveLine) draw(text string) {
	most := l.width() - 1
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
	}
	if l.text != "" {
		fmt.Fprint(l.tty, "\r"+strings.Repeat(" ", utf8.RuneCountInString(l.text))+"\r")
	}
	fmt.Fprint(l.tty, text)
	l.text = text
}

// every draws a line until the returned function is called, which wipes it.
func (l *liveLine) every(d time.Duration, line func() string) (stop func()) {
	if l == nil {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	set := func(text string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.draw(text)
	}
	go func() {
		defer close(done)
		t := time.NewTicker(d)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				set(line())
			case <-quit:
				set("")
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}
