// Package wire is an HTTP client that belongs to one virtual user: the hot path
// of a load test.
//
// A [Client] keeps connections as JMeter's HttpClient 4 does, one set for each
// thread, and sends a [Request] whose header the caller has composed to the
// byte. Letter case and order of headers survive in both directions, sizes are
// the bytes on the wire (inside TLS: the plain text), and no goroutine is
// started except for the moment of connecting. Between two requests a
// connection owns no buffer: buffers are borrowed when bytes have arrived and
// returned before the next wait.
//
// What counts as an error, and under which Java class name, follows what
// JMeter 5.6.3 with HttpClient 4.5 reports; see [Error].
//
// HTTP/2 is spoken where a Request asks for it and the server agrees; see
// [Version]. Routes, connecting, times and errors around it are the same, and it
// starts no goroutines either: of several clients that share a connection, see
// [Client.Sibling], one that waits reads for all.
//
// HTTP/3 is quic-go's: a socket and a few goroutines for each connection, and the
// order of headers is lost. It is for trying it out, not for the hot path.
//
// A Client, a Request and a Response are reused from request to request and
// belong to one goroutine. Only [Client.Interrupt] and [Client.Stop] may be
// called from another one.
package wire
