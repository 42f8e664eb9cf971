// Package query is the home of the text queries that assertions and extractors
// share, one sub-package a language:
//
//	regex     regular expressions in the dialects of JMeter's two engines
//	jsonpath  JSONPath as the library under JMeter's JSON elements reads it
//	jmespath  JMESPath, likewise
//	json      the documents of both: order and numbers kept as Java has them
//	boundary  text between a left and a right boundary
//	xpath     XPath 1.0, and xml its documents
//	css       selectors of CSS on HTML pages
//
// Each takes a text and answers offsets or values; none knows an element, a
// variable or a sample, and none imports a package of this module outside this
// folder. What each must answer was recorded from JMeter 5.6.3's own classes and
// libraries and stands in the testdata folders.
package query
