package jmx

import "io"

type kept struct{}

// Read reads the plan in a file. Every error is an [*Error].
func Read(path string) (*Tree, error) {
	return nil, &Error{File: path, Msg: "not written yet"}
}

// Decode reads a plan; name stands for it in errors, all of which are [*Error].
func Decode(r io.Reader, name string) (*Tree, error) {
	return nil, &Error{File: name, Msg: "not written yet"}
}
