package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/gojm/gojm/engine/vu"
)

// stopPort is the UDP port on which JMeter's scripts (shutdown.sh, stoptest.sh)
// send their word. Datagrams are accepted from this machine only.
type stopPort struct{ conn net.PacketConn }

func listenForStop(p *vu.Properties, r *vu.Run, std stdio) stopPort {
	port, last := p.Int("jmeterengine.nongui.port", 4445), p.Int("jmeterengine.nongui.maxport", 4455)
	if port <= 1000 {
		return stopPort{}
	}
	for ; port <= last; port++ {
		conn, err := net.ListenPacket("udp", fmt.Sprintf(":%d", port))
		if err != nil {
			continue
		}
		fmt.Fprintf(std.out, "Waiting for possible Shutdown/StopTestNow/HeapDump/ThreadDump message on port %d\n", port)
		s := stopPort{conn}
		go s.serve(r, std)
		return s
	}
	fmt.Fprintln(std.out, "Failed to create UDP port")
	return stopPort{}
}

func (s stopPort) serve(r *vu.Run, std stdio) {
	buf := make([]byte, 80)
	for {
		n, from, err := s.conn.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // a datagram that is too long is none of these words
			continue
		}
		addr, ok := from.(*net.UDPAddr)
		if !ok || !addr.IP.IsLoopback() {
			continue
		}
		word := string(buf[:n])
		fmt.Fprintf(std.out, "Command: %s received from /%s\n", word, addr.IP)
		r.Log.Info("Command: " + word + " received from /" + addr.IP.String())
		switch word {
		case "Shutdown":
			r.Stop(false, "Shutdown on the UDP port")
		case "StopTestNow":
			r.Stop(true, "StopTestNow on the UDP port")
		case "HeapDump":
			dump(std, "dump_", ".pprof", func(f *os.File) error {
				runtime.GC()
				return pprof.WriteHeapProfile(f)
			})
		case "ThreadDump":
			dump(std, "thread_dump_", ".log", func(f *os.File) error { return pprof.Lookup("goroutine").WriteTo(f, 2) })
		default:
			fmt.Fprintf(std.out, "Command: %s not recognised \n", word)
		}
	}
}

// dump writes a file named after the moment into the working directory.
func dump(std stdio, prefix, suffix string, write func(*os.File) error) {
	now := time.Now()
	f, err := os.Create(fmt.Sprintf("%s%s_%03d%s", prefix, now.Format("20060102_150405"), now.Nanosecond()/1e6, suffix))
	if err == nil {
		err = write(f)
		f.Close()
	}
	if err != nil {
		fmt.Fprintln(std.err, "Error:", err)
	}
}

func (s stopPort) close() {
	if s.conn != nil {
		s.conn.Close()
	}
}
