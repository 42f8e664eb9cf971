package wire

// Keep is a sink that stores a body in memory it reuses.
type Keep struct {
	// B is the body so far. Reset before the next use.
	B []byte
	// Max is how many bytes are stored; the rest is only counted, by the
	// Response (httpsampler.max_bytes_to_store_per_request). 0 stores all, and
	// fails the request when that is more than Guard, so that a few compressed
	// bytes cannot fill the memory.
	Max int
	// Guard, where it is 0, is 256 MiB: about what JMeter can hold in the heap
	// that it ships with, before it runs out of memory.
	Guard int
}

const (
	defaultGuard = 256 << 20
	// large is where memory is doubled by hand: append takes smaller steps, and
	// each leaves a copy behind for the collector.
	large = 1 << 20
)

// Reset empties k for the next body and keeps its memory.
func (k *Keep) Reset() { k.B = k.B[:0] }

// Write stores p.
func (k *Keep) Write(p []byte) (int, error) {
	n, limit := len(p), k.Max
	if limit > 0 {
		p = p[:min(n, max(0, limit-len(k.B)))]
	} else if limit = k.guard(); len(k.B)+n > limit {
		return 0, &Error{Class: "org.apache.http.ContentTooLongException", Message: "Content length is too long: more than " +
			grouped(int64(limit)) + " bytes to keep, see httpsampler.max_bytes_to_store_per_request"}
	}
	if need := len(k.B) + len(p); need > cap(k.B) && need > large {
		k.B = append(make([]byte, 0, min(max(need, 2*cap(k.B)), limit)), k.B...)
	}
	k.B = append(k.B, p...)
	return n, nil
}

func (k *Keep) guard() int {
	if k.Guard > 0 {
		return k.Guard
	}
	return defaultGuard
}
