package regex

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The files of testdata hold what the engines themselves answered: pattern, text
// and result, tab separated. Characters outside printable ASCII, and %, are %hhhh.
// A result is "error" and the engine's words, or "whole" or "part", what matches()
// said, and the matches: groups are begin,end in characters, - is none.
func TestAgainstRecordedEngines(t *testing.T) {
	for name, d := range map[string]Dialect{"oro": ORO, "java": Java} {
		t.Run(name, func(t *testing.T) {
			files, err := filepath.Glob("testdata/" + name + "*.tsv")
			if err != nil || len(files) == 0 {
				t.Fatalf("no recorded results: %v", err)
			}
			for _, f := range files {
				compareRecorded(t, f, d)
			}
		})
	}
}

func compareRecorded(t *testing.T, file string, d Dialect) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		fields := strings.SplitN(lines.Text(), "\t", 3)
		if len(fields) != 3 {
			t.Fatalf("%s:%d: want 3 fields", file, n)
		}
		if got := answer(decode(t, fields[0]), decode(t, fields[1]), d); got != fields[2] {
			t.Errorf("%s:%d: %s on %q\n got %s\nwant %s", file, n, fields[0], fields[1], got, fields[2])
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// The memory that bounds a search must not change what it finds. (Groups may differ
// in ORO, which lets failed attempts leave their marks in them.)
func TestMemoryChangesNothing(t *testing.T) {
	for name, d := range map[string]Dialect{"oro_random": ORO, "java_random": Java} {
		data, err := os.ReadFile("testdata/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			fields := strings.SplitN(line, "\t", 3)
			pattern, text := decode(t, fields[0]), decode(t, fields[1])
			re, err := Compile(pattern, d)
			if err != nil {
				continue
			}
			text += text + text
			want, whole := re.FindAll(nil, []byte(text), -1), re.MatchesString(text)
			re.prog.eager = true
			got := re.FindAll(nil, []byte(text), -1)
			if len(got) != len(want) || re.MatchesString(text) != whole {
				t.Errorf("%s on %q: %v, with memory %v", pattern, text, want, got)
				continue
			}
			for i := 0; i < len(got); i += re.Stride() {
				if got[i] != want[i] || got[i+1] != want[i+1] {
					t.Errorf("%s on %q: %v, with memory %v", pattern, text, want, got)
					break
				}
			}
		}
	}
}

// answer says what this package makes of pattern and text, in the words of the files.
func answer(pattern, text string, d Dialect) string {
	re, err := Compile(pattern, d)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return err.Error()
		}
		return "error " + encode(e.Detail)
	}
	var out strings.Builder
	out.WriteString("part\t")
	if re.MatchesString(text) {
		out.Reset()
		out.WriteString("whole\t")
	}
	all := re.FindAll(nil, []byte(text), 20)
	for i, lo := range all {
		switch {
		case i%2 == 1:
			continue
		case i > 0 && i%re.Stride() == 0:
			out.WriteByte(' ')
		case i > 0:
			out.WriteByte(';')
		}
		if lo < 0 {
			out.WriteByte('-')
			continue
		}
		out.WriteString(strconv.Itoa(utf8.RuneCountInString(text[:lo])))
		out.WriteByte(',')
		out.WriteString(strconv.Itoa(utf8.RuneCountInString(text[:all[i+1]])))
	}
	return out.String()
}

func decode(t *testing.T, s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out.WriteByte(s[i])
			continue
		}
		n, err := strconv.ParseUint(s[i+1:i+5], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteRune(rune(n))
		i += 4
	}
	return out.String()
}

func encode(s string) string {
	var out strings.Builder
	for _, r := range s {
		if r >= ' ' && r <= '~' && r != '%' {
			out.WriteRune(r)
			continue
		}
		hex := strconv.FormatUint(uint64(r), 16)
		out.WriteString("%" + strings.Repeat("0", max(4-len(hex), 0)) + hex)
	}
	return out.String()
}
