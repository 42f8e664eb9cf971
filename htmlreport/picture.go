package htmlreport

import (
	"encoding/base64"
	"fmt"
	"html/template"
)

// A picture is a drawing of a graph on a page, for a theme: for wide screens, and one
// that can be read on a phone.
type picture struct {
	Theme  string // class: "for-light" or "for-dark"
	Wide   template.URL
	Narrow template.Srcset
}

// pictures are the drawings of a graph for a page; d is that of a wide screen in the
// light theme.
func (g *Graph) pictures(d Drawing) ([]picture, error) {
	drawn := func(d Drawing) (string, error) {
		svg, err := g.SVG(d)
		if err != nil {
			return "", fmt.Errorf("%s: %w", g.Title, err)
		}
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg), nil
	}
	var all []picture
	for _, theme := range []string{"for-light", "for-dark"} {
		d.Dark = theme == "for-dark"
		wide, err := drawn(d)
		if err != nil {
			return nil, err
		}
		phone := d
		phone.Width, phone.Height = 360, 300
		narrow, err := drawn(phone)
		if err != nil {
			return nil, err
		}
		all = append(all, picture{theme, template.URL(wide), template.Srcset(narrow)})
	}
	return all, nil
}
