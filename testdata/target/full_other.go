//go:build !unix

package target

import (
	"errors"
	"io"
)

// fill fails: a queue of no length is asked for in the way of Unix.
func fill(int) (io.Closer, error) { return nil, errors.ErrUnsupported }
