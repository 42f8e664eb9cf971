// Package engine turns the tree of a plan into a [Plan] that all threads share,
// and runs it.
//
//	tree --expand--> enabled nodes --decode--> elements --scope--> steps --run--> samples
//
// It knows the meaning of the tree and no XML, and no element by name: those
// register themselves with package elem.
package engine
