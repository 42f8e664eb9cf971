// Package preproc holds the pre-processors of general use, one a file; those
// that change HTTP requests stand in engine/http.
package preproc
