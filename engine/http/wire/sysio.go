//go:build darwin || freebsd || netbsd || openbsd || dragonfly || (linux && race)

package wire

import "syscall"

// Only Linux promises that system calls may be made by number. The race detector
// must see them: what one side does before it sends precedes what the other does
// when it has received.

func sysRead(fd uintptr, b []byte) (int, error) { return syscall.Read(int(fd), b) }

func sysWrite(fd uintptr, b []byte) (int, error) { return syscall.Write(int(fd), b) }
