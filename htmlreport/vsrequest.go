package htmlreport

// The graphs "... Vs Request" set the median time of samples against how many
// samples ended in the same second.

// vsTransactions tells whether one of them is to count transactions among what ended
// in a second, as JMeter does where they are not excluded.
func (o *Options) vsTransactions() bool {
	for _, id := range []string{"responseTimeVsRequest", "latencyVsRequest"} {
		if excludes := o.Graphs[id].ExcludeControllers; excludes != nil && !*excludes {
			return true
		}
	}
	return false
}

// vsGroup are the samples of all seconds with the same number of samples.
type vsGroup struct{ elapsed, latency spread }

// spread is a Counter, or a window when one is in force.
type spread struct {
	all    Counter
	newest *window
}

func (s *spread) add(values []uint32, windowSize int) {
	if windowSize <= 0 {
		s.all.addAll(values)
		return
	}
	for _, v := range values {
		s.addOdd(int64(v), windowSize)
	}
}

func (s *spread) addOdd(v int64, windowSize int) {
	if windowSize <= 0 {
		s.all.AddN(v, 1)
		return
	}
	if s.newest == nil {
		s.newest = &window{size: windowSize}
	}
	s.newest.Add(v)
}

func (s *spread) values() ranked {
	if s.newest != nil {
		return s.newest
	}
	return &s.all
}
