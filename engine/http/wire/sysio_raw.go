//go:build linux && !race

package wire

import (
	"syscall"
	"unsafe"
)

func sysRead(fd uintptr, b []byte) (int, error) { return sysCall(syscall.SYS_READ, fd, b) }

func sysWrite(fd uintptr, b []byte) (int, error) { return sysCall(syscall.SYS_WRITE, fd, b) }

// sysCall is syscall.Read or Write without a word to the scheduler. The errors it
// returns every day are made once: an Errno in an interface costs memory.
func sysCall(trap, fd uintptr, b []byte) (int, error) {
	n, _, no := syscall.RawSyscall(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	switch no {
	case 0:
		return int(n), nil
	case syscall.EAGAIN:
		return 0, errAgain
	}
	return 0, no
}

var errAgain error = syscall.EAGAIN
