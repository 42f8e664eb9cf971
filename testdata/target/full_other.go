//go:build !unix

package target

import "errors"

type fullSocket struct{}

// fill fails: a queue of no length is asked for in the way of Unix.
func (s *Server) fill(int) error { return errors.ErrUnsupported }

func (*fullSocket) Close() error { return nil }
