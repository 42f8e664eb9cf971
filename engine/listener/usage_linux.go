package listener

import (
	"bytes"
	"math"
	"os"
	"strconv"
)

var unknown = math.NaN()

// memory is what is resident of this program, in bytes (proc(5), statm).
func (*usage) memory() float64 {
	data, _ := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return unknown
	}
	return counter(fields[1]) * float64(os.Getpagesize())
}

// machine is the time that the machine's processors were busy, and all their
// time, in ticks (proc(5), stat). What a hypervisor took away counts as busy.
func (*usage) machine() (busy, all float64) {
	data, _ := os.ReadFile("/proc/stat")
	return processorTimes(data)
}

func processorTimes(stat []byte) (busy, all float64) {
	line, _, _ := bytes.Cut(stat, []byte{'\n'})
	fields := bytes.Fields(line)
	if len(fields) < 9 || string(fields[0]) != "cpu" {
		return unknown, unknown
	}
	// user nice system idle iowait irq softirq steal; guest time is part of user
	for i, f := range fields[1:9] {
		n := counter(f)
		all += n
		if i != 3 && i != 4 {
			busy += n
		}
	}
	return busy, all
}

// network are the bytes that the interfaces received and sent, the loopback one
// apart (proc(5), net/dev).
func (*usage) network() (received, sent float64) {
	data, _ := os.ReadFile("/proc/self/net/dev")
	return interfaceBytes(data)
}

func interfaceBytes(dev []byte) (received, sent float64) {
	found := false
	for line := range bytes.Lines(dev) {
		name, counters, ok := bytes.Cut(line, []byte{':'})
		fields := bytes.Fields(counters)
		if !ok || len(fields) < 9 || string(bytes.TrimSpace(name)) == "lo" {
			continue
		}
		found = true
		received += counter(fields[0])
		sent += counter(fields[8])
	}
	if !found {
		return unknown, unknown
	}
	return received, sent
}

func counter(b []byte) float64 {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return unknown
	}
	return v
}
