package listener

import "golang.org/x/sys/windows"

// processor is the time that this program had processors for, in seconds.
func (*usage) processor() float64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return unknown
	}
	ticks := func(f windows.Filetime) float64 { return float64(f.HighDateTime)*(1<<32) + float64(f.LowDateTime) } // of 100 ns
	return (ticks(kernel) + ticks(user)) / 1e7
}
