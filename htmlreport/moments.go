package htmlreport

// moment is what all samples together did in one interval.
type moment struct {
	ok, failed Counter // elapsed of samples that ended in it, by success
}

// add counts samples; failed is 0 or 1.
func (m *moment) add(failed int, t *sampleTimes) {
	c := &m.ok
	if failed == 1 {
		c = &m.failed
	}
	c.addAll(t.elapsed)
	for _, o := range t.odd {
		c.AddN(o.elapsed, 1)
	}
}

func (m *moment) merge(o *moment) {
	m.ok.Merge(&o.ok)
	m.failed.Merge(&o.failed)
}

// mergeCopy adds o and leaves it alone.
func (m *moment) mergeCopy(o *moment) {
	copied := *o
	m.merge(&copied)
}
