// Package host puts what stands behind JMeter's script objects - the thread, its variables, the
// sample at hand - behind the interfaces of package api. The elements that run scripts and the
// script functions share it.
package host
