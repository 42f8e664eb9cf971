// Package assertion holds the assertions, one a file.
package assertion
