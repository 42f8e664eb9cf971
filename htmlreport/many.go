package htmlreport

// A page with a hundred thousand labels, as a run has that puts an id into each,
// opens in no browser. It has those that took the most time; statistics.json has all.

const (
	maxDrawn  = 500  // labels that graphs have lines of
	maxListed = 2000 // lines of a table by label
	// maxErrorKeys bounds the errors told apart by label, of all labels together.
	maxErrorKeys = 50_000
)

// drawn are the labels that graphs have lines of: of those that the display filters
// let through the ones that took the most time.
func (v *view) drawn() []*label {
	if len(v.shown) <= maxDrawn {
		return v.shown
	}
	o := v.opt
	var drawn []*label
	for _, l := range v.shown {
		passes := o.SeriesFilter.Matches(l.name) || o.SeriesFilter.Matches(l.name+"-success") || o.SeriesFilter.Matches(l.name+"-failure")
		if passes && (!o.OnlyControllers || l.controller) && len(drawn) < maxDrawn {
			drawn = append(drawn, l)
		}
	}
	return drawn
}

// listed are the names of the labels that tables have a line of, nil for all.
func (v *view) listed() map[string]bool {
	if len(v.shown) <= maxListed {
		return nil
	}
	names := make(map[string]bool, maxListed)
	for _, l := range v.shown[:maxListed] {
		names[l.name] = true
	}
	return names
}

// lists tells whether tables by label have a line of this one.
func (r *Report) lists(label string) bool { return r.listed == nil || r.listed[seriesName(label)] }

// Top5Rows are the lines of the table of errors by label.
func (v *pageView) Top5Rows() []Top5 { return v.Top5[:min(len(v.Top5), maxListed)] }

// manyNotes tell what the page leaves out.
func (r *Report) manyNotes() (notes []string) {
	if n := len(r.Rows); n > maxDrawn {
		notes = append(notes, "Graphs show at most "+grouped(maxDrawn)+" of the "+grouped(int64(n))+" labels, those that took the most time.")
	}
	if n := len(r.Rows); n > maxListed {
		notes = append(notes, "Tables show "+grouped(maxListed)+" of the "+grouped(int64(n))+" labels; statistics.json has all. Labels that hold an id are better named alike.")
	}
	return notes
}
