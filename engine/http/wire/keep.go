package wire

// Keep is a sink that stores a body in memory it reuses.
type Keep struct {
	// B is the body so far. Reset before the next use.
	B []byte
	// Max is how many bytes are stored; the rest is only counted, by the
	// Response (httpsampler.max_bytes_to_store_per_request). 0 is no limit.
	Max int
	// Guard fails the request when more would be stored, so that a few
	// compressed bytes cannot fill the memory. 0 is 1 GiB.
	Guard int
}

// Reset empties k for the next body and keeps its memory.
func (k *Keep) Reset() { k.B = k.B[:0] }

// Write stores p.
func (k *Keep) Write(p []byte) (int, error) {
	n := len(p)
	if k.Max > 0 {
		p = p[:min(n, max(0, k.Max-len(k.B)))]
	}
	guard := k.Guard
	if guard <= 0 {
		guard = 1 << 30
	}
	if len(k.B)+len(p) > guard {
		return 0, &Error{Class: "org.apache.http.ContentTooLongException",
			Message: "Content length is too long: more than " + grouped(int64(guard))}
	}
	k.B = append(k.B, p...)
	return n, nil
}
