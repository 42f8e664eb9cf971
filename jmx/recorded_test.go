package jmx

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Each testdata/{plans,quirks}/x.jmx has beside it x.dump: the tree that JMeter
// 5.6.3 loaded from it, or ERROR and why it would not.

// lenient are the plans that JMeter refuses and this package reads.
var lenient = map[string]string{
	"cli-unknown-element":       "an unknown class is for the engine to report",
	"etypebad":                  "the same",
	"objunkcls":                 "the same",
	"tag_MonitorStats":          "the same",
	"tag_NamePanel":             "a class that is no test element is for the engine to report",
	"tag_GraphAccumVisualizer":  "the same",
	"tag_ReflectionThreadGroup": "the same",
	"objunkflag":                "which save flags exist is for the engine to know",
	"leadspace":                 "white space before the declaration does no harm",
	"utf16":                     "JMeter reads UTF-8 only",
	"xml11":                     "JMeter reads XML 1.0 only",
}

// differs are the plans that JMeter reads and this package reads otherwise.
var differs = map[string]string{
	"intarab":    "digits other than ASCII's are refused",
	"intplus":    "the text keeps its sign",
	"latin":      "the declared encoding is honoured where the bytes are not UTF-8",
	"objattr":    "java.lang.String has an alias of XStream's",
	"objnoclass": "the class Object is XStream's default",
	"surref":     "half a surrogate pair becomes U+FFFD",
	"objunk":     "JMeter's constructor adds properties",
}

// made are the lines of properties that constructors of JMeter's classes add.
var made = map[string]bool{
	`StringProperty "Header.name" ""`:            true,
	`StringProperty "Header.value" ""`:           true,
	`CollectionProperty "Arguments.arguments"`:   true,
	`CollectionProperty "Asserion.test_strings"`: true,
	`TestElementProperty "HTTPsampler.Arguments" org.apache.jmeter.config.Arguments gui="" name=""`: true,
}

func withoutMade(dump string) string {
	var b strings.Builder
	for line := range strings.Lines(dump) {
		if !made[strings.TrimLeft(strings.TrimSpace(line), ". ")] {
			b.WriteString(line)
		}
	}
	return b.String()
}

func recorded(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{"plans", "quirks"} {
		found, err := filepath.Glob("testdata/" + dir + "/*.jmx")
		if err != nil || len(found) < 10 {
			t.Fatalf("testdata/%s: %d plans, %v", dir, len(found), err)
		}
		files = append(files, found...)
	}
	return files
}

func TestReadAsJMeter(t *testing.T) {
	for _, path := range recorded(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".jmx")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(path, ".jmx") + ".dump")
			if err != nil {
				t.Fatal(err)
			}
			refused := bytes.HasPrefix(want, []byte("ERROR"))
			tree, err := Read(path)
			switch {
			case refused && err == nil && lenient[name] == "":
				t.Errorf("read, but JMeter says %s", want)
			case refused && err != nil && lenient[name] != "":
				t.Errorf("no longer lenient: %v", err)
			case refused:
			case differs[name] != "":
				if err == nil && dump(tree) == string(want) {
					t.Error("no longer differs from JMeter")
				}
			case err != nil:
				t.Error(err)
			default:
				if got, want := withoutMade(dump(tree)), withoutMade(string(want)); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	for _, path := range recorded(t) {
		tree, err := Read(path)
		if err != nil {
			continue // TestReadAsJMeter looks at those
		}
		roundTrip(t, tree)
	}
}

// roundTrip writes and reads a tree and compares all but the lines.
func roundTrip(t *testing.T, tree *Tree) {
	t.Helper()
	var b bytes.Buffer
	if err := tree.Encode(&b); err != nil {
		t.Fatalf("%s: %v", tree.Path, err)
	}
	again, err := Decode(bytes.NewReader(b.Bytes()), tree.Path)
	if err != nil {
		t.Fatalf("%v\nof\n%q", err, b.Bytes())
	}
	again.Path = tree.Path
	forgetLines(tree.Roots)
	forgetLines(again.Roots)
	if !reflect.DeepEqual(tree, again) {
		t.Fatalf("%s: not equal to what was written:\n%q", tree.Path, b.Bytes())
	}
}

func forgetLines(nodes []*Node) {
	for _, n := range nodes {
		n.Line = 0
		forgetPropLines(n.Props)
		forgetLines(n.Children)
	}
}

func forgetPropLines(props []*Prop) {
	for _, p := range props {
		p.Line = 0
		forgetPropLines(p.Props)
	}
}

// TestEncodeAsJMeter writes files that JMeter 5.6.3 saved, byte for byte.
func TestEncodeAsJMeter(t *testing.T) {
	files, _ := filepath.Glob("testdata/saved/*.jmx")
	if len(files) < 10 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := tree.Encode(&b); err != nil {
			t.Fatal(err)
		}
		if got := b.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("%s: wrote\n%s", path, got)
		}
	}
}
