package function_test

import "testing"

func TestFifo(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__fifoSize(q)}[${__fifoGet(q,g)}${g}]", "0[]"},
		row{"${__fifoPut(q,a)}${__fifoPut(q,b)}${__fifoPut(other,x)}", "abx"},
		row{"${__fifoSize(q, n )}${n}${__fifoGet(q)}${__fifoPop(q,v)}${v}${__fifoPop(q)}${__fifoSize(q)}", "22aaab0"},
	)
	b.run.Props.Set("kg.apc.jmeter.functions.FifoTimeout", "0")
	b.check(row{"${__fifoPop(q,w)}${w}", "null${w}"})
}

func TestFifoWaits(t *testing.T) {
	b := newBench(t)
	b.run.Props.Set("kg.apc.jmeter.functions.FifoCapacity", "1")
	put, pop := b.text("${__fifoPut(q,x)}"), b.text("${__fifoPop(q)}")
	b.c.Names.Freeze()
	other := b.newThread(1, "Users 1-2", "Users")
	got := make(chan string, 4)
	go func() {
		for range 3 {
			got <- pop.Eval(other)
		}
		got <- pop.Eval(other) // waits until it is interrupted
	}()
	for range 3 {
		put.Eval(b.thread)
	}
	s := <-got + <-got + <-got
	other.Interrupt()
	if s += <-got; s != "xxxINTERRUPTED" {
		t.Errorf("got %q", s)
	}
}
