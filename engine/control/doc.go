// Package control holds the logic controllers, one a file. All build on
// elem.Flow, JMeter's Simple Controller; the state machines are JMeter's, since
// plans rely on their corners.
package control
