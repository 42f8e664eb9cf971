package htmlreport

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// elements counts what an SVG document holds, which must be well-formed.
func elements(t *testing.T, svg []byte) (count map[string]int, text string) {
	t.Helper()
	count = map[string]int{}
	var words strings.Builder
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		tok, err := dec.Token()
		if err == io.EOF {
			return count, words.String()
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			count[tok.Name.Local]++
		case xml.CharData:
			words.Write(tok)
			words.WriteByte('\n')
		}
	}
}

// Every graph of the dashboard can be drawn both ways.
func TestDrawDashboard(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run.jtl")
	writeRun(t, run)
	r, err := Read([]string{run}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Graphs) < 16 {
		t.Fatalf("%d graphs", len(r.Graphs))
	}
	for _, g := range r.Graphs {
		t.Run(g.ID, func(t *testing.T) {
			svg, err := g.SVG(Drawing{Location: time.UTC})
			if err != nil {
				t.Fatal(err)
			}
			count, text := elements(t, svg)
			if marks := count["path"] + count["circle"]; marks < 8 || !strings.Contains(text, g.Title) || !strings.Contains(text, g.YAxis) {
				t.Errorf("%d marks, texts %q", marks, text)
			}
			for _, never := range []string{"script", "img", "b"} {
				if count[never] > 0 {
					t.Errorf("a label became an element: %s", never)
				}
			}
			b, err := g.PNG(Drawing{Width: 640, Height: 400})
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil || img.Bounds().Dx() != 640 || img.Bounds().Dy() != 400 {
				t.Fatalf("%v %v", err, img.Bounds())
			}
			colors := map[[3]uint32]bool{}
			for x := range 640 {
				for y := range 400 {
					r, g, b, _ := img.At(x, y).RGBA()
					colors[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
				}
			}
			if !colors[[3]uint32{255, 255, 255}] || len(colors) < 20 {
				t.Errorf("the image has %d colours", len(colors))
			}
			if dir := os.Getenv("DRAW_TO"); dir != "" {
				_ = os.WriteFile(filepath.Join(dir, g.ID+".png"), b, 0o600)
			}
		})
	}
}

func TestDrawOdd(t *testing.T) {
	many := Graph{Title: "many", Series: make([]Series, 100)}
	for i := range many.Series {
		many.Series[i] = Series{Name: strings.Repeat("long name ", 40), X: []float64{1, 2}, Y: []float64{1, 2}}
	}
	for _, c := range []struct {
		name, text string
		g          Graph
	}{
		{"nothing", "empty", Graph{Title: "empty"}},
		{"one point", "one", Graph{Title: "one", OverTime: true, Series: []Series{{Name: "a", X: []float64{1.7e12}, Y: []float64{0}}}}},
		{"no numbers", "none", Graph{Title: "none", Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{math.NaN(), math.Inf(1)}}}}},
		{"negative", "-6", Graph{Title: "below", Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{-5, 5}}}}},
		{"many", "and 62 more", many},
		{"days", "Nov 21", Graph{OverTime: true, Series: []Series{{Name: "a", X: []float64{1.7e12, 1.701e12}, Y: []float64{1, 2}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			svg, err := c.g.SVG(Drawing{Location: time.UTC})
			if err != nil {
				t.Fatal(err)
			}
			if _, text := elements(t, svg); !strings.Contains(text, c.text) {
				t.Errorf("no %q in %q", c.text, text)
			}
		})
	}
	if _, err := many.PNG(Drawing{Width: 100_000}); err == nil {
		t.Error("an image of any size passed")
	}
}
