package listener

import (
	"math"
	"testing"
)

func TestProcessorTimes(t *testing.T) {
	busy, all := processorTimes([]byte("cpu  100 20 30 1000 50 1 2 3 40 0\ncpu0 1 2 3 4\n"))
	if busy != 156 || all != 1206 {
		t.Errorf("busy %v of %v", busy, all)
	}
	for _, odd := range []string{"", "cpu 1 2", "intr 1 2 3 4 5 6 7 8 9 10"} {
		if busy, all := processorTimes([]byte(odd)); !math.IsNaN(busy) || !math.IsNaN(all) {
			t.Errorf("%q: %v, %v", odd, busy, all)
		}
	}
}

func TestInterfaceBytes(t *testing.T) {
	const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9999     1    0    0    0     0          0         0 9999     1    0    0    0     0       0          0
  eth0:1000      7    0    0    0     0          0         0      300       6    0    0    0     0       0          0
  eth1: 20       7    0    0    0     0          0         0      4       6    0    0    0     0       0          0
`
	if received, sent := interfaceBytes([]byte(dev)); received != 1020 || sent != 304 {
		t.Errorf("%v received, %v sent", received, sent)
	}
	if received, sent := interfaceBytes(nil); !math.IsNaN(received) || !math.IsNaN(sent) {
		t.Errorf("%v, %v of nothing", received, sent)
	}
}
