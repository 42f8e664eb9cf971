// Package query is the home of the text queries that assertions and extractors
// share, one sub-package a language:
//
//	regex     regular expressions in the dialects of JMeter's two engines
//	jsonpath  JSONPath as the library under JMeter's JSON elements reads it
//	boundary  text between a left and a right boundary
//
// Each takes a text and answers offsets or values; none knows an element, a
// variable or a sample, and none imports another package of this module.
package query
