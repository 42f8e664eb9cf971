// Package host puts what scripts are given (package script/api) on a thread and its
// samples, for the functions that run scripts.
//
// Everything here belongs to the goroutine of the thread.
package host
