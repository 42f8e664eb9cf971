//go:build !race

package http_test

import (
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/gojm/gojm/engine/timer"
)

// memory is what is alive, stacks included.
func memory() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first has put aside
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// A user who thinks, with a connection open, costs 16 to 23 KB, as the runtime
// happens to share out stacks, beyond what the server's end takes, which is in this
// process, too. A block of the client that is kept is more than the room left.
func TestThinkingUsersAreSmall(t *testing.T) {
	const users, most = 200, 28 << 10 // four descriptors each: many systems allow 1,024
	base, answers := countingServer(t)
	start := memory()
	for range users {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Write([]byte("x"))
	}
	reach(answers, users)
	bare := memory() - start

	compiled, _ := plan{threads: users, body: request("home", "GET", base+"/${__P(page,index.html)}") +
		element("HTTPSamplerProxy", "HttpTestSampleGui", "later", str("HTTPSampler.path", base),
			element("ConstantTimer", "ConstantTimerGui", "think", str("ConstantTimer.delay", "3600000")))}.compile(t)
	run := compiled.Start()
	over := make(chan error)
	go func() { over <- run.Run() }()
	reach(answers, 2*users)
	// The server has answered; the users may still be at it, and stacks shrink with
	// the collections that follow.
	one := int64(most + 1)
	for try := 0; try < 100 && one > most; try++ {
		time.Sleep(10 * time.Millisecond)
		one = (memory() - start - 2*bare) / users
	}
	run.Stop(true, "enough")
	if err := <-over; err != nil {
		t.Error(err)
	}
	if one > most {
		t.Errorf("%d bytes a user, want at most %d", one, most)
	} else {
		t.Logf("%d bytes a user, beside a connection's %d", one, bare/users)
	}
}

// reach waits until n is as high as that.
func reach(n *atomic.Int64, want int64) {
	for n.Load() < want {
		runtime.Gosched()
	}
}
