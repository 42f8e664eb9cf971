package function_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gojm/gojm/engine/vu"
)

// inDir gives the bench a working directory with files: name, content, ...
func (b *bench) inDir(files ...string) *bench {
	b.t.Helper()
	dir := b.t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o666); err != nil {
			b.t.Fatal(err)
		}
	}
	b.run.WorkDir, b.run.BaseDir = dir, dir
	return b
}

func (b *bench) file(name string) string {
	b.t.Helper()
	s, err := os.ReadFile(filepath.Join(b.run.WorkDir, name))
	if err != nil {
		b.t.Error(err)
	}
	return string(s)
}

func TestStringFromFile(t *testing.T) {
	b := newBench(t).inDir("lines.txt", "a\rb\r\n\nc", "empty.txt", "", "bad.txt", "ok\nb\xffd\n")
	lines := func(src string, n int) (got string) {
		x := b.text(src)
		for range n {
			got += x.Eval(b.thread) + "|"
		}
		return got
	}
	if got := lines("${__StringFromFile(lines.txt)}", 6); got != "a|b||c|a|b|" {
		t.Errorf("got %q", got)
	}
	b.check(
		row{"${__StringFromFile(lines.txt)}${StringFromFile_}", "aa"},
		row{"${__StringFromFile(lines.txt, v )}${v}", "aa"},
		row{"${__StringFromFile(lines.txt,)}${}", "a${}"},
		row{"${__StringFromFile(empty.txt,n)}${n}", "null${n}"},
		row{"${__StringFromFile(nope.txt,e)}${e}", "**ERR****ERR**"},
		row{"${__StringFromFile( lines.txt )}", "**ERR**"},
	)
	b.logged("Error opening file")
	if got := lines("${__StringFromFile(bad.txt)}", 2); got != "ok|**ERR**|" {
		t.Errorf("got %q", got)
	}
}

// A file that was not there at first is not looked for again.
func TestStringFromFileIsNotRetried(t *testing.T) {
	b := newBench(t).inDir()
	x := b.text("${__StringFromFile(late.txt)}")
	if got := x.Eval(b.thread); got != "**ERR**" {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(filepath.Join(b.run.WorkDir, "late.txt"), []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := x.Eval(b.thread); got != "**ERR**" {
		t.Errorf("got %q once the file is there", got)
	}
}

func TestStringFromFileSequence(t *testing.T) {
	b := newBench(t).inDir("pin001.dat", "one\n", "pin002.dat", "two\nzwei\n", "name7", "seven\n", "twice", "x\n")
	for _, c := range []struct{ src, want string }{
		{"${__StringFromFile(pin000'.'dat,,1,2)}", "one two zwei stop thread"},
		{"${__StringFromFile(name,,7,7)}", "seven stop thread"}, // no digits in the pattern: the number is appended
		{"${__StringFromFile(twice,,,2)}", "x x stop thread"},
		{"${__StringFromFile(pin000'.'dat,,2,1)}", "stop thread"},
		{"${__StringFromFile(pin000'.'dat,,1,x)}", "one two zwei **ERR** **ERR**"},
		{"${__StringFromFile(nope000,,1,9)}", "stop thread"},
	} {
		x := b.text(c.src)
		var got []string
		for range 5 {
			var line string
			if err := vu.Try(func() { line = x.Eval(b.thread) }); err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, line)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.src, s, c.want)
		}
	}
}

func TestStringToFile(t *testing.T) {
	b := newBench(t).inDir()
	b.check(
		row{`${__StringToFile( o.txt ,a\\nb, true )}`, "true"},
		row{`${__StringToFile(o.txt,c)}${__StringToFile(o.txt,d,)}`, "truetrue"},
	)
	if got := b.file("o.txt"); got != "a\nbcd" {
		t.Errorf("got %q", got)
	}
	b.check(row{"${__StringToFile(o.txt,é€,1,ISO-8859-1)}", "true"})
	if got := b.file("o.txt"); got != "\xe9?" {
		t.Errorf("got %q", got)
	}
	b.check(
		row{"${__StringToFile(nodir/o.txt,x)}", "false"},
		row{"${__StringToFile(,x)}", "false"},
		row{"${__StringToFile(o.txt,x,true, UTF-8)}${__StringToFile(o.txt,x,true,nope)}", "falsefalse"},
	)
	b.logged("Error while writing to file")
}

func TestStringToFileKeepsLinesWhole(t *testing.T) {
	b := newBench(t).inDir()
	x := b.text(`${__StringToFile(all.txt,0123456789\\n)}`)
	b.c.Names.Freeze()
	var wg sync.WaitGroup
	for i := range 4 {
		th := b.newThread(i, "Users 1-1", "Users")
		wg.Go(func() {
			for range 50 {
				x.Eval(th)
			}
		})
	}
	wg.Wait()
	if got := b.file("all.txt"); got != strings.Repeat("0123456789\n", 200) {
		t.Errorf("got %d bytes, or broken lines", len(got))
	}
}

func TestFileToString(t *testing.T) {
	b := newBench(t).inDir("a.txt", "café\n", "l.txt", "caf\xe9")
	b.check(
		row{"${__FileToString(a.txt)}", "café\n"},
		row{"${__FileToString(a.txt,, v )}${v}", "café\ncafé\n"},
		row{"${__FileToString(l.txt, ISO-8859-1 )}", "café"},
		row{"${__FileToString(l.txt)}", "caf\uFFFD"},
		row{"${__FileToString( a.txt )}${__FileToString(nope,x-bad)}${__FileToString(.,,w)}${w}", "**ERR****ERR****ERR****ERR**"},
	)
	b.throws("java.nio.charset.UnsupportedCharsetException: x-bad", "${__FileToString(a.txt,x-bad)}")
}

func TestCSVRead(t *testing.T) {
	b := newBench(t).inDir("c.csv", ",a,\nb,,c\n\nd\n", "empty.csv", "", "semi.csv", "x;y\n")
	b.check(
		row{"[${__CSVRead(c.csv,0)}][${__CSVRead(c.csv,1)}][${__CSVRead(c.csv,2)}]", "[][a][]"},
		row{"[${__CSVRead(c.csv,9)}]", "[]"},
	)
	b.logged("invalid column number: 9 at row 0")
	b.check(row{"[${__CSVRead(c.csv, 0)}${__CSVRead(c.csv,-1)}]", "[]"})
	b.logged("can't parse column number")
	b.check(
		row{"[${__CSVRead(c.csv,next)}]${__CSVRead(c.csv,0)}${__CSVRead(c.csv,1)}${__CSVRead(c.csv,2)}", "[]bc"},
		row{"${__CSVRead(c.csv,next())}${__CSVRead(c.csv,1)}", "a"}, // reading stopped at the empty line
		row{"${__CSVRead(,1)}", "a"}, // the only file
		row{"[${__CSVRead(*X,0)}]", "[]"},
	)
	b.logged("Cannot perform initial open using alias *X")
	b.check(
		row{"[${__CSVRead(c.csv,*X)}${__CSVRead(*X,1)}]", "[a]"}, // a file of its own, from the first row
		row{"${__CSVRead(*X,next)}${__CSVRead(c.csv,*X)}${__CSVRead(*X,0)}", "b"},
		row{"[${__CSVRead(empty.csv,0)}${__CSVRead(nope.csv,0)}${__CSVRead(nope.csv,next)}]", "[]"},
	)
	b.logged("Could not open nope.csv")
	b.run.Props.Set("csvread.delimiter", ";")
	b.check(row{"${__CSVRead(semi.csv,1)}", "y"})
	b.refused("${__CSVRead(c.csv)}", "${__CSVRead(a,b,c)}")
}

// Threads take rows in turn, each keeps its own until it lets go.
func TestCSVReadThreads(t *testing.T) {
	b := newBench(t).inDir("r.csv", "1\n2\n3\n")
	x, next := b.text("${__CSVRead(r.csv,0)}"), b.text("${__CSVRead(r.csv,next)}")
	other := b.newThread(1, "Users 1-2", "Users")
	got := x.Eval(b.thread) + x.Eval(other) + x.Eval(b.thread) + x.Eval(other)
	next.Eval(b.thread)
	got += x.Eval(b.thread)
	next.Eval(b.thread)
	got += x.Eval(b.thread) + x.Eval(other)
	if got != "1212312" {
		t.Errorf("got %q, want 1212312", got)
	}
}

// A file that the working directory does not have is looked for beside the plan.
func TestCSVReadBesideThePlan(t *testing.T) {
	b := newBench(t).inDir("r.csv", "here\n")
	b.run.WorkDir = t.TempDir()
	b.check(row{"${__CSVRead(r.csv,0)}", "here"})
}
