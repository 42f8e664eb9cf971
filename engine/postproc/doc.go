// Package postproc holds the post-processors, one a file: the extractors and
// what else looks at a result before it is judged.
package postproc
