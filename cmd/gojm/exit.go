package main

import (
	"errors"
	"fmt"
)

// exitError is an error that says with which status the program ends. JMeter
// ends with 0 in many a case where nothing ran; gojm never does.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// exitCode finds the status an error asks for: 1 unless it says otherwise.
func exitCode(err error) int {
	var e exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	}
	return 1
}

// usageError is wrong use of the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// said is an error whose words the user has already read.
type said struct{ error }

func (e said) Unwrap() error { return e.error }
