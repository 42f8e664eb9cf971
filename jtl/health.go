package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
)

// HealthSuffix is what the name of a result file gets behind it to name the file
// of the generator's health.
const HealthSuffix = ".health.csv"

// HealthProperty makes a run, or a listener with a file, write it.
const HealthProperty = "gojm.health"

// Health is how the program that made the samples fared during one interval, of
// about a second: a line of the file beside the results. What is not known is
// NaN; a field is empty then.
type Health struct {
	Time       float64 // epoch ms, end of the interval
	CPU        float64 // % of the processors that the program may use
	MachineCPU float64 // % of all processors of the machine, whoever had them
	Memory     float64 // resident, bytes
	Threads    float64 // of the plan, that are active
	Goroutines float64
	GCPause    float64 // longest, ms
	Lag        float64 // how late the latest timer fired, ms
	Received   float64 // bytes through the machine's network interfaces, without its own to itself
	Sent       float64
	Rows       float64 // samples that went into the result file
	Queued     float64 // samples that wait in memory for their way into the file
}

// healthColumns are the columns of the file, with their digits behind the point.
var healthColumns = []struct {
	name   string
	digits int
	of     func(*Health) *float64
}{
	{"timeStamp", 0, func(h *Health) *float64 { return &h.Time }},
	{"cpu", 1, func(h *Health) *float64 { return &h.CPU }},
	{"machineCpu", 1, func(h *Health) *float64 { return &h.MachineCPU }},
	{"memory", 0, func(h *Health) *float64 { return &h.Memory }},
	{"threads", 0, func(h *Health) *float64 { return &h.Threads }},
	{"goroutines", 0, func(h *Health) *float64 { return &h.Goroutines }},
	{"gcPause", 3, func(h *Health) *float64 { return &h.GCPause }},
	{"lag", 3, func(h *Health) *float64 { return &h.Lag }},
	{"received", 0, func(h *Health) *float64 { return &h.Received }},
	{"sent", 0, func(h *Health) *float64 { return &h.Sent }},
	{"rows", 0, func(h *Health) *float64 { return &h.Rows }},
	{"queued", 0, func(h *Health) *float64 { return &h.Queued }},
}

// AppendHealthHeader adds the first line of the file.
func AppendHealthHeader(dst []byte) []byte {
	for i, c := range healthColumns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c.name...)
	}
	return append(dst, '\n')
}

// AppendLine adds h as a line of the file.
func (h *Health) AppendLine(dst []byte) []byte {
	for i, c := range healthColumns {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v := *c.of(h); !math.IsNaN(v) && !math.IsInf(v, 0) {
			dst = strconv.AppendFloat(dst, v, 'f', c.digits, 64)
		}
	}
	return append(dst, '\n')
}

// unknownHealth knows nothing.
func unknownHealth() (h Health) {
	for _, c := range healthColumns {
		*c.of(&h) = math.NaN()
	}
	return h
}

// maxHealthLine bounds a line of the file, which is a tenth of that.
const maxHealthLine = 64 << 10

// ReadHealth reads the file of the generator's health that belongs to a result
// file, line by line. Columns are known by their names, others passed over. A
// last line that was cut off does not count; bad counts other lines that hold no
// health. An absent file is fs.ErrNotExist.
func ReadHealth(results string, each func(*Health)) (bad int64, err error) {
	f, err := os.Open(results + HealthSuffix)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	bad, err = readHealth(f, each)
	if err != nil {
		return bad, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return bad, nil
}

func readHealth(r io.Reader, each func(*Health)) (bad int64, err error) {
	in := bufio.NewReaderSize(r, maxHealthLine)
	var columns []func(*Health) *float64
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return bad, errors.New("a line is too long")
		case errors.Is(err, io.EOF): // what a line without its end says may be cut
			return bad, nil
		case err != nil:
			return bad, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte(healthColumns[0].name)) { // again where runs were appended
			columns = healthHeader(line)
			continue
		}
		if h := unknownHealth(); h.parse(line, columns) {
			each(&h)
		} else {
			bad++
		}
	}
}

// healthHeader tells what the columns are, nil for those not known.
func healthHeader(line []byte) (columns []func(*Health) *float64) {
	for name := range bytes.SplitSeq(line, []byte{','}) {
		var of func(*Health) *float64
		for _, c := range healthColumns {
			if c.name == string(name) {
				of = c.of
			}
		}
		columns = append(columns, of)
	}
	return columns
}

// parse reads a line; without its time it is none.
func (h *Health) parse(line []byte, columns []func(*Health) *float64) bool {
	i := 0
	for field := range bytes.SplitSeq(line, []byte{','}) {
		if i == len(columns) {
			return false
		}
		of := columns[i]
		i++
		if of == nil || len(field) == 0 {
			continue
		}
		v, err := strconv.ParseFloat(string(field), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return false
		}
		*of(h) = v
	}
	return i == len(columns) && h.Time > 0 && h.Time < 1<<53
}
