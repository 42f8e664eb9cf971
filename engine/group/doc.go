// Package group holds the thread groups: which threads start when, one kind a
// file. The engine runs the threads.
package group
