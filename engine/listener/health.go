package listener

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

const (
	// healthProbe is how often a timer is set, to see how late it fires.
	healthProbe = 50 * time.Millisecond
	// healthEvery is how many of them make a line.
	healthEvery = 20
)

// health writes, once a second, how the generator itself fares into a file beside
// the results: a run whose generator is at its limit measures itself. One
// goroutine asks the operating system and the runtime; threads know nothing of it.
type health struct {
	run   *vu.Run
	out   *jtl.Collector
	file  io.WriteCloser
	usage *usage
	quit  chan struct{}
	done  chan struct{}

	line []byte
	at   time.Time
	was  reading
}

// reading are counters that only rise; what is not known is NaN.
type reading struct {
	cpu                        float64 // s, of the program
	machineBusy, machineAll    float64 // of the machine, any unit
	received, sent, rowsOnDisk float64
	pauses                     []uint64
}

// startHealth begins the file that belongs to a result file. It goes on with an
// older one only where the results do.
func startHealth(r *vu.Run, results string, out *jtl.Collector, fresh bool) (*health, error) {
	f, err := openHealth(results+jtl.HealthSuffix, fresh)
	if err != nil {
		return nil, err
	}
	h := &health{run: r, out: out, file: f, usage: newUsage(), quit: make(chan struct{}), done: make(chan struct{})}
	if _, err := f.Write(jtl.AppendHealthHeader(nil)); err != nil {
		f.Close()
		return nil, err
	}
	h.at, h.was = time.Now(), h.read()
	go h.watch()
	return h, nil
}

func openHealth(path string, fresh bool) (*os.File, error) {
	if fresh {
		return os.Create(path)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	var last [1]byte
	if st, err := f.Stat(); err == nil && st.Size() > 0 {
		if _, err := f.ReadAt(last[:], st.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte{'\n'}) // the end of a line that was cut off
			if err != nil {
				f.Close()
				return nil, err
			}
		}
	}
	return f, nil
}

// watch writes lines until stop. Each goes to the disk at once, so that a killed
// run has its health up to its last second.
func (h *health) watch() {
	defer close(h.done)
	timer := time.NewTimer(healthProbe)
	defer timer.Stop()
	for {
		var lag time.Duration
		for range healthEvery {
			set := time.Now()
			timer.Reset(healthProbe)
			select {
			case <-timer.C:
				lag = max(lag, time.Since(set)-healthProbe)
			case <-h.quit:
				return
			}
		}
		if err := h.note(lag); err != nil {
			fmt.Fprintf(h.run.Err, "Warning: the generator's health is recorded no more: %v\n", err)
			h.run.Log.Warn("The generator's health is recorded no more", "err", err)
			return
		}
	}
}

// stop ends the file.
func (h *health) stop() {
	close(h.quit)
	<-h.done
	if err := h.file.Close(); err != nil {
		h.run.Log.Warn("The generator's health is not whole", "err", err)
	}
}

func (h *health) note(lag time.Duration) error {
	now, is := time.Now(), h.read()
	seconds := now.Sub(h.at).Seconds()
	l := jtl.Health{
		Time:       float64(now.UnixMilli()),
		CPU:        100 * (is.cpu - h.was.cpu) / seconds / float64(runtime.GOMAXPROCS(0)),
		MachineCPU: 100 * (is.machineBusy - h.was.machineBusy) / (is.machineAll - h.was.machineAll),
		Memory:     h.usage.memory(),
		Threads:    float64(h.run.Active.Load()),
		Goroutines: float64(runtime.NumGoroutine()),
		GCPause:    1000 * longest(h.was.pauses, is.pauses, h.usage.pauseBounds()),
		Lag:        lag.Seconds() * 1000,
		Received:   is.received - h.was.received,
		Sent:       is.sent - h.was.sent,
		Rows:       is.rowsOnDisk - h.was.rowsOnDisk,
	}
	_, waiting := h.out.Counts()
	l.Queued = float64(waiting)
	h.at, h.was = now, is
	h.line = l.AppendLine(h.line[:0])
	_, err := h.file.Write(h.line)
	return err
}

func (h *health) read() reading {
	var r reading
	r.cpu = h.usage.processor()
	r.machineBusy, r.machineAll = h.usage.machine()
	r.received, r.sent = h.usage.network()
	written, _ := h.out.Counts()
	r.rowsOnDisk = float64(written)
	r.pauses = h.usage.pauses()
	return r
}

// longest is the upper bound of the last bucket of a histogram that has grown.
func longest(was, is []uint64, bounds []float64) float64 {
	for i := len(is) - 1; i >= 0; i-- {
		if i < len(was) && is[i] > was[i] {
			if upper := bounds[i+1]; !math.IsInf(upper, 0) {
				return upper
			}
			return bounds[i]
		}
	}
	return 0
}

// usage asks what the program uses. What the operating system tells is in the
// files usage_*.go.
type usage struct{ sample []metrics.Sample }

func newUsage() *usage {
	return &usage{[]metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}}
}

// pauses counts the pauses of the garbage collector, by their length.
func (u *usage) pauses() []uint64 {
	metrics.Read(u.sample)
	if u.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	return append([]uint64(nil), u.sample[0].Value.Float64Histogram().Counts...)
}

func (u *usage) pauseBounds() []float64 {
	if u.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	return u.sample[0].Value.Float64Histogram().Buckets
}
