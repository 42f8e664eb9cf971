package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

// stopCommands are the verbs that send a word to the shutdown port of a run:
// the equals of JMeter's shutdown.sh, stoptest.sh and so on.
func stopCommands() []*cobra.Command {
	var all []*cobra.Command
	for _, c := range []struct{ verb, word, short string }{
		{"shutdown", "Shutdown", "Let a run on this machine end after the samples at hand"},
		{"stoptest", "StopTestNow", "Stop a run on this machine at once"},
		{"threaddump", "ThreadDump", "Let a run write the stacks of its goroutines to a file"},
		{"heapdump", "HeapDump", "Let a run write its memory profile to a file"},
	} {
		all = append(all, &cobra.Command{
			Use:   c.verb + " [port]",
			Short: c.short,
			Args:  cobra.MaximumNArgs(1),
			RunE: func(_ *cobra.Command, args []string) error {
				port := 4445
				if len(args) == 1 {
					n, err := strconv.ParseUint(args[0], 10, 16)
					if err != nil || n == 0 {
						return fmt.Errorf("%q is not a port", args[0])
					}
					port = int(n)
				}
				return send(c.word, port)
			},
		})
	}
	return all
}

// send sends a word to the run that listens on the port. No answer is part of
// the protocol; that nobody listens is found out where the system says so.
func send(word string, port int) error {
	conn, err := net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(word)); err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		return err
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("no run listens on port %d: %w", port, cause(err))
	}
	return nil
}
