package wire

// Keep is a sink that stores a body in memory it reuses.
type Keep struct {
	// B is the body. Reset it to B[:0] (or call Reset) before the next use.
	B []byte
	// Max is how many bytes are stored; the rest is only counted by the
	// Response (httpsampler.max_bytes_to_store_per_request). 0 is no limit.
	Max int
	// Guard fails the request when the body is longer, so that a few
	// compressed bytes cannot fill the memory. 0 is 1 GiB.
	Guard int
}

// Reset empties k for the next body and keeps its memory.
func (k *Keep) Reset() { k.B = k.B[:0] }

// Write stores p.
func (k *Keep) Write(p []byte) (int, error) { k.B = append(k.B, p...); return len(p), nil }
