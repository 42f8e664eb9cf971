// Package timer holds the timers, one a file.
package timer
