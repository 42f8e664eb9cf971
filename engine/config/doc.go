// Package config holds the Test Plan and the config elements of general use,
// one a file; those of HTTP stand in engine/http.
package config
