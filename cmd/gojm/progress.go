package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

// progressClass is the listener that counts for the live line. It stands in no
// plan; a run on a terminal appends it, as JMeter appends its own.
const progressClass = "gojm.Progress"

func init() {
	elem.Register[progress](elem.Spec{
		Class: progressClass, Title: "Progress", Kind: elem.KindListener, Status: elem.Inert, Note: "of the live line",
	})
}

type progress struct{ counts *progressCounts }

type progressCounts struct{ samples, failed atomic.Int64 }

type progressKey struct{}

func countsOf(r *vu.Run) *progressCounts {
	return vu.Shared(r, progressKey{}, func() *progressCounts { return new(progressCounts) })
}

func (*progress) Props(*elem.Props) {}

// Needs: samples are only counted.
func (*progress) Needs() elem.Needs { return 0 }

func (p *progress) TestStart(r *vu.Run) error {
	p.counts = countsOf(r)
	return nil
}

func (p *progress) Sampled(_ *vu.Thread, s *jtl.Sample) {
	p.counts.samples.Add(1)
	if !s.Success {
		p.counts.failed.Add(1)
	}
}

func progressNode() *jmx.Node {
	return &jmx.Node{Class: progressClass, GUI: progressClass, Name: "progress", Enabled: true}
}

// showProgress shows a run on the terminal.
func (std stdio) showProgress(r *vu.Run) (stop func()) {
	start, c := time.Now(), countsOf(r)
	return std.live.every(time.Second/2, func() string {
		return fmt.Sprintf("%s  %s  %d threads", time.Since(start).Truncate(time.Second), samplesLine(c.samples.Load(), c.failed.Load()), r.Active.Load())
	})
}

func samplesLine(n, failed int64) string {
	if failed == 0 {
		return fmt.Sprintf("%d samples, none failed", n)
	}
	return fmt.Sprintf("%d samples, %d failed (%.2f%%)", n, failed, float64(failed)/float64(n)*100)
}

// showReading shows that a report is being made.
func (std stdio) showReading(files []string) (stop func()) {
	var size int64
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	start := time.Now()
	return std.live.every(time.Second/5, func() string {
		return fmt.Sprintf("reading %d MB of results  %s", size>>20, time.Since(start).Truncate(time.Second/10))
	})
}
