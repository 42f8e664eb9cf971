package function

import (
	"strconv"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__fifoPut", Title: "appends a text to a queue of the run", Args: "queue, text",
		Min: 2, Max: -1, Plugin: true, Compile: compileFifoPut,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__fifoPop", Title: "takes the first text of a queue, once there is one", Args: "queue, var?",
		Min: 1, Max: -1, Plugin: true, Compile: compileFifoPop,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__fifoGet", Title: "the first text of a queue, which stays there", Args: "queue, var?",
		Min: 1, Max: -1, Plugin: true, Compile: compileFifoGet,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__fifoSize", Title: "how many texts a queue holds", Args: "queue, var?",
		Min: 1, Max: -1, Plugin: true, Compile: compileFifoSize,
	})
}

// fifoKey is the key of a queue in the run.
type fifoKey struct{ name string }

// fifo is a queue that waits: for a text when it is empty, for a place when it is
// full. It is safe for concurrent use.
type fifo struct {
	mu       sync.Mutex
	texts    []string
	capacity int64
	changed  chan struct{} // closed and replaced at every change
}

func fifoOf(t *vu.Thread, name string) *fifo {
	return vu.Shared(t.Run, fifoKey{name}, func() *fifo {
		return &fifo{
			capacity: t.Run.Props.Int("kg.apc.jmeter.functions.FifoCapacity", 1<<31-1),
			changed:  make(chan struct{}),
		}
	})
}

func (f *fifo) notify() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// do runs step, under the lock, until it has done its work, waiting for changes
// between. done is false when the time was up or the thread was interrupted.
func (f *fifo) do(t *vu.Thread, timeout <-chan time.Time, step func() bool) (done, interrupted bool) {
	for {
		f.mu.Lock()
		if step() {
			f.notify()
			f.mu.Unlock()
			return true, false
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-changed:
		case <-timeout:
			return false, false
		case <-t.Interrupted():
			return false, true
		}
	}
}

func (f *fifo) put(t *vu.Thread, text string) {
	f.do(t, nil, func() bool {
		if int64(len(f.texts)) >= f.capacity {
			return false
		}
		f.texts = append(f.texts, text)
		return true
	})
}

func (f *fifo) pop(t *vu.Thread) (text string, ok bool) {
	var timeout <-chan time.Time
	if s := t.Run.Props.Int("kg.apc.jmeter.functions.FifoTimeout", -1); s >= 0 && s < 1<<32 {
		timer := time.NewTimer(time.Duration(s) * time.Second)
		defer timer.Stop()
		timeout = timer.C
	}
	done, interrupted := f.do(t, timeout, func() bool {
		if len(f.texts) == 0 {
			return false
		}
		text = f.texts[0]
		f.texts = f.texts[1:]
		return true
	})
	if interrupted {
		return "INTERRUPTED", true
	}
	return text, done
}

func (f *fifo) first() (text string, size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.texts) > 0 {
		text = f.texts[0]
	}
	return text, len(f.texts)
}

func compileFifoPut(c *expr.Call) (expr.Eval, error) {
	queue, text := c.Arg(0), c.Arg(1)
	return func(dst []byte, t *vu.Thread) []byte {
		name, s := queue.Eval(t), text.Eval(t)
		fifoOf(t, name).put(t, s)
		return append(dst, s...)
	}, nil
}

func compileFifoPop(c *expr.Call) (expr.Eval, error) {
	queue, variable := c.Arg(0), newTarget(c, 1, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		s, ok := fifoOf(t, queue.Eval(t)).pop(t)
		if !ok { // the time was up: Java's null
			return variable.null(dst, t)
		}
		return variable.yield(dst, t, s)
	}, nil
}

func compileFifoGet(c *expr.Call) (expr.Eval, error) {
	queue, variable := c.Arg(0), newTarget(c, 1, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		s, _ := fifoOf(t, queue.Eval(t)).first()
		return variable.yield(dst, t, s)
	}, nil
}

func compileFifoSize(c *expr.Call) (expr.Eval, error) {
	queue, variable := c.Arg(0), newTarget(c, 1, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		_, n := fifoOf(t, queue.Eval(t)).first()
		from := len(dst)
		return variable.keep(strconv.AppendInt(dst, int64(n), 10), from, t)
	}, nil
}
