//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package wire

import "syscall"

// Only Linux promises that system calls may be made by number.

func sysRead(fd uintptr, b []byte) (int, error) { return syscall.Read(int(fd), b) }

func sysWrite(fd uintptr, b []byte) (int, error) { return syscall.Write(int(fd), b) }
