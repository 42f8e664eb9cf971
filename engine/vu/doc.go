// Package vu is what a running line may see of its virtual user: the thread
// with its variables, previous result, clock and stop flag, the group it
// belongs to, and the run that all threads share.
//
// Everything reachable only from a [Thread] belongs to that thread's goroutine
// and needs no lock; [Run], [Group] and [Properties] are shared and say of each
// method what may be called concurrently.
package vu
