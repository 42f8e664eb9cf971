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

// usageError is a command line that JMeter's parser does not take.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// incorrectError is a command line whose options do not make sense together.
type incorrectError struct{ error }

func incorrectf(format string, args ...any) error {
	return incorrectError{fmt.Errorf(format, args...)}
}

// occurredError is what JMeter reports on standard output, with "An error
// occurred", before it ends.
type occurredError struct{ error }

func (e occurredError) Unwrap() error { return e.error }

// said is an error whose words the user has already read.
type said struct{ error }

func (e said) Unwrap() error { return e.error }

// tell prints an error where JMeter prints one of its kind, and one clear line
// on standard error where JMeter prints none there.
func tell(err error, std stdio) {
	var quiet said
	var usage usageError
	var incorrect incorrectError
	var occurred occurredError
	switch {
	case err == nil || errors.As(err, &quiet):
	case errors.As(err, &usage):
		fmt.Fprintln(std.err, "Error: "+err.Error())
		fmt.Fprint(std.out, "Usage\n"+optionList())
		fmt.Fprintln(std.out, "Error: "+err.Error())
	case errors.As(err, &incorrect):
		fmt.Fprintln(std.out, "Incorrect Usage:"+err.Error())
		fmt.Fprint(std.out, optionList())
		fmt.Fprintln(std.err, "Error: "+err.Error())
	case errors.As(err, &occurred):
		fmt.Fprintln(std.out, "An error occurred: "+err.Error())
	default:
		fmt.Fprintln(std.err, "Error: "+err.Error())
	}
}
