// Command cmd runs the target alone, on the ports of the recorded results, so
// that a conformance plan can be tried by hand in JMeter or gojm.
package main

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/gojm/gojm/testdata/target"
)

func main() {
	s, err := target.Start(target.Options{Ports: target.Recorded})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer s.Close()
	fmt.Printf("target ready on 127.0.0.1: %+v\n", s.Ports)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}
