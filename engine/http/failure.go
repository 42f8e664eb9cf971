package http

import (
	"errors"
	"time"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/jtl"
)

// failed makes r the result of an exception. JMeter's body is a Java stack
// trace, of which gojm has the first line.
func failed(r *jtl.Sample, err error) {
	class, message := "java.io.IOException", err.Error()
	var e *wire.Error
	if errors.As(err, &e) {
		class, message = e.Class, e.Message
		if e.NoMessage {
			message = "null"
		}
	}
	r.DataType = "text"
	r.Code = "Non HTTP response code: " + class
	r.Message = "Non HTTP response message: " + message
	r.Success = false
	r.Body = append(r.Body[:0], class...)
	if e == nil || !e.NoMessage {
		r.Body = append(append(r.Body, ": "...), message...)
	}
	r.Body = append(r.Body, '\n')
	sizes(r, int64(len(r.Body)))
}

// failedAtOnce is failed for what went wrong before a request was made.
func failedAtOnce(r *jtl.Sample, err error) bool {
	if r.Start == 0 {
		r.Start = time.Now().UnixMilli()
	}
	r.End = time.Now().UnixMilli()
	r.Elapsed = r.End - r.Start
	failed(r, err)
	return true
}

// isClass says whether err is an exception of that class.
func isClass(err error, class string) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Class == class
}
