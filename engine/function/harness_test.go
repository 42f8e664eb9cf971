package function_test

import (
	"bytes"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gojm/gojm/engine/expr"
	_ "github.com/gojm/gojm/engine/function"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// TestMain runs everything in the zone that the answers were recorded in.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// bench is a run with one thread, on which texts are compiled and evaluated.
type bench struct {
	t        testing.TB
	run      *vu.Run
	c        *expr.Compiler
	thread   *vu.Thread
	log, out *bytes.Buffer
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, log: new(bytes.Buffer), out: new(bytes.Buffer)}
	handler := slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})
	b.run = &vu.Run{
		Props: vu.NewProperties(), Log: slog.New(handler), Out: b.out, Err: b.out,
		PlanFile: "plan.jmx", WorkDir: ".", BaseDir: ".",
	}
	names := vu.NewNames()
	engine := vu.NewThread(&vu.Group{Run: b.run}, 0, "main-1", vu.NewVars(names))
	b.c = &expr.Compiler{Names: names, Slots: new(vu.Slots), Engine: engine}
	b.thread = b.newThread(0, "Users 1-1", "Users")
	return b
}

func (b *bench) newThread(num int, name, group string) *vu.Thread {
	t := vu.NewThread(&vu.Group{Name: group, Number: 1, Run: b.run}, num, name, vu.NewVars(b.c.Names))
	t.Rand = rand.New(rand.NewPCG(1, 2))
	t.Iteration = 1
	return t
}

func (b *bench) set(pairs ...string) *bench {
	for i := 0; i < len(pairs); i += 2 {
		b.thread.Vars.Put(pairs[i], pairs[i+1])
	}
	return b
}

func (b *bench) text(src string) expr.Text {
	b.t.Helper()
	x, err := b.c.Text(src)
	if err != nil {
		b.t.Fatalf("%s: %v", src, err)
	}
	return x
}

// eval compiles a text and evaluates it once.
func (b *bench) eval(src string) string {
	b.t.Helper()
	s, err := b.try(src)
	if err != nil {
		b.t.Errorf("%s: thrown: %v", src, err)
	}
	return s
}

func (b *bench) try(src string) (s string, err error) {
	b.t.Helper()
	x := b.text(src)
	err = vu.Try(func() { s = x.Eval(b.thread) })
	return s, err
}

// row is a text and its value.
type row struct{ src, want string }

// check evaluates each text on the same thread, in order.
func (b *bench) check(rows ...row) {
	b.t.Helper()
	for _, r := range rows {
		if got := b.eval(r.src); got != r.want {
			b.t.Errorf("%s: got %q, want %q", r.src, got, r.want)
		}
	}
}

// throws checks that each text makes JMeter give up the sampler, with an exception
// of that class.
func (b *bench) throws(class string, srcs ...string) {
	b.t.Helper()
	for _, src := range srcs {
		s, err := b.try(src)
		if err == nil {
			b.t.Errorf("%s: got %q, want %s", src, s, class)
		} else if !bytes.HasPrefix([]byte(err.Error()), []byte(class)) {
			b.t.Errorf("%s: thrown: %v, want %s", src, err, class)
		}
	}
}

// refused checks that each text stops the run before it begins.
func (b *bench) refused(srcs ...string) {
	b.t.Helper()
	for _, src := range srcs {
		_, err := b.c.Text(src)
		if _, ok := errors.AsType[*expr.SyntaxError](err); !ok {
			b.t.Errorf("%s: got error %v, want a syntax error", src, err)
		}
	}
}

// logged checks that the log holds a text, and empties it.
func (b *bench) logged(want string) {
	b.t.Helper()
	if !bytes.Contains(b.log.Bytes(), []byte(want)) {
		b.t.Errorf("log is %q, want in it %q", b.log, want)
	}
	b.log.Reset()
}

// prev makes a text the body of the previous sample.
func (b *bench) prev(body string) *bench {
	b.thread.Prev = &jtl.Sample{Body: []byte(body), DataType: "text", Encoding: "UTF-8"}
	return b
}

// allocs checks how much memory one evaluation asks for.
func (b *bench) allocs(src string, most float64) {
	b.t.Helper()
	x := b.text(src)
	b.c.Names.Freeze()
	var dst []byte
	n := testing.AllocsPerRun(200, func() { dst = x.Append(dst[:0], b.thread) })
	if n > most {
		b.t.Errorf("%s: %v allocations, want at most %v", src, n, most)
	}
}

type samplerName struct{ name expr.Text }

func (s samplerName) Name(t *vu.Thread) string { return s.name.Eval(t) }
