package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machineMemory is the memory this process may use, in bytes: that of the
// machine, or of its container.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	m := int64(uint64(info.Totalram) * uint64(info.Unit))
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil { // "max" is no number
			m = min(m, limit)
		}
	}
	return m
}
