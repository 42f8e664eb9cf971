package htmlreport

import "github.com/HdrHistogram/hdrhistogram-go"

const (
	// maxRest is how many different long times are told apart. More of them, as
	// of a tool that counts in microseconds, go into a histogram.
	maxRest = 4096
	// The histogram knows times from directMax on to a thousandth, up to two
	// thousand years.
	wideUnit    = 64
	wideMax     = 1 << 46
	wideFigures = 3
)

// widen moves the long times into a histogram.
func (c *Counter) widen() {
	c.wide = hdrhistogram.New(wideUnit, wideMax, wideFigures)
	for v, n := range c.rest {
		if v >= directMax {
			delete(c.rest, v)
			c.addWide(v, n)
		}
	}
}

func (c *Counter) addWide(v, n int64) {
	c.wide.RecordValues(min(v, wideMax), n) // within the range there is no error
}

// mergeWide adds the long times of o.
func (c *Counter) mergeWide(o *Counter) {
	if o.wide == nil {
		return
	}
	if c.wide == nil {
		c.widen()
	}
	c.wide.Merge(o.wide)
}

// wideValues yields the middle of each range of times, ascending.
func (c *Counter) wideValues(yield func(v, n int64) bool) bool {
	if c.wide == nil {
		return true
	}
	for _, bar := range c.wide.Distribution() {
		if bar.Count > 0 && !yield(min(max((bar.From+bar.To)/2, directMax), c.max), bar.Count) {
			return false
		}
	}
	return true
}
