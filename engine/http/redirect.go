package http

import "github.com/gojm/gojm/jtl"

// more follows redirects and downloads embedded resources.
func (x *exchange) more(w *worker, r *jtl.Sample, to *address, method string, h hop, depth int) bool {
	return true
}
