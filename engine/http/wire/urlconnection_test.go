package wire

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
)

// What HttpURLConnection could not send it tells in one way; a timeout it does not know.
func TestURLWriteError(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{writeError(syscall.ECONNRESET), "java.io.IOException: Error writing to server"},
		{writeError(syscall.EPIPE), "java.io.IOException: Error writing to server"},
		{writeError(os.ErrDeadlineExceeded), "java.net.SocketTimeoutException: Write timed out"},
		{io.ErrShortWrite, io.ErrShortWrite.Error()}, // of the body's own
	} {
		if got := urlWriteError(test.err); got.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.err, got, test.want)
		}
	}
}

// Java bounds one head; here all that come are bounded.
func TestEndlessContinue(t *testing.T) {
	p := serve(t, "", endless("", "HTTP/1.1 100 Continue\r\n\r\n"))
	c := newTestClient(t, &Options{MaxHead: 64 << 10, URLConnection: true})
	var res Response
	var e *Error
	if err := c.Do(p.get("/"), &res, nil); !errors.As(err, &e) || e.Class != classConstraint {
		t.Errorf("error %v, want a %s", err, classConstraint)
	}
}
