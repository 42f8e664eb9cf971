// As in go.mod, which does not count for "go install ...@version".
//
//go:debug x509negativeserial=1

// Command gojm runs Apache JMeter plans natively. See the README for its use.
package main

import (
	"os"
	_ "time/tzdata" // zones on machines without a database of them

	_ "github.com/gojm/gojm/engine/std"
)

func main() {
	os.Exit(run(os.Args[1:], console(os.Stdin, os.Stdout, os.Stderr)))
}
