// Package script runs the scripts of a plan: Groovy, BeanShell, JEXL 2 and 3, and JavaScript.
//
// JEXL, Groovy and BeanShell share one interpreter. A front end parses its language into the tree of
// ast.go; compile.go turns the tree into closures, asking the language's dialect for what operators,
// truth and properties mean; the values are Java's (value.go), and so are the classes a script may
// use (class.go): each is a table of methods in a file named after it. JavaScript runs in goja with
// the same classes and objects behind it.
//
// A Program is compiled once and shared by all threads; each run has its own Env. What a script uses
// and the tables lack is known before the run: see Program.Unsupported.
package script
