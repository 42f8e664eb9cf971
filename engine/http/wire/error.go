package wire

// Error is a request that got no whole response, named as JMeter names it.
type Error struct {
	// Class is the Java class in JMeter's response code, such as
	// "java.net.SocketTimeoutException".
	Class string
	// Message is JMeter's text; NoMessage says that it is Java's null, which
	// JMeter prints as "null".
	Message   string
	NoMessage bool
	// Cause is what Go reported, where it did; it may be nil.
	Cause error
}

func (e *Error) Error() string {
	if e.NoMessage {
		return e.Class + ": null"
	}
	return e.Class + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
