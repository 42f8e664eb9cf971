package jmx

import (
	"errors"
	"io"
)

// Encode writes the plan as JMeter's own files look.
func (t *Tree) Encode(w io.Writer) error { return errors.New("not written yet") }

// Write writes the plan to a file, which is replaced only when all went well.
func (t *Tree) Write(path string) error { return errors.New("not written yet") }
