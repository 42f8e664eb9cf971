// Package jtl is the room of result files: the sample, and JMeter's two
// formats for it (CSV and XML), written and read.
//
// It knows nothing of plans, threads or charts, and imports no other package
// of gojm.
package jtl
