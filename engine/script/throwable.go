package script

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// Throwable is a Java exception, thrown by a script or by what it called.
type Throwable struct {
	Class   string // full name
	Message string
	HasText bool // false: getMessage() is null
	Cause   *Throwable
	// Where is what BeanShell says of the error in place of its message: in which
	// constructs it came up. HasWhere tells "" from nothing.
	Where    string
	HasWhere bool
}

// Error is Java's toString: the class, and the message if there is one.
func (t *Throwable) Error() string {
	if !t.HasText {
		return t.Class
	}
	return t.Class + ": " + t.Message
}

// throw makes an exception; an empty message means null.
func throw(class, format string, args ...any) *Throwable {
	m := fmt.Sprintf(format, args...)
	return &Throwable{Class: class, Message: m, HasText: m != ""}
}

// Throw makes an exception of a class; an empty message means null.
func Throw(class, format string, args ...any) *Throwable { return throw(class, format, args...) }

// MissingMethod is Groovy's error for a call that no method of the object fits.
func MissingMethod(o Value, name string, args []Value) error {
	t := asThrowable(missingMethod(o, name, args))
	t.Where, t.HasWhere = noMethod(o, name, args), true
	return t
}

// asThrowable turns any error into an exception.
func asThrowable(err error) *Throwable {
	var t *Throwable
	if errors.As(err, &t) {
		return t
	}
	var j *java.Error
	if errors.As(err, &j) {
		return &Throwable{Class: j.Class, Message: j.Message, HasText: j.Message != ""}
	}
	return throw("java.lang.RuntimeException", "%s", err.Error())
}

// parents are the exceptions whose parent is not java.lang.Exception.
var parents = map[string]string{
	"java.lang.Throwable":                                          "java.lang.Object",
	"java.lang.Exception":                                          "java.lang.Throwable",
	"java.lang.Error":                                              "java.lang.Throwable",
	"java.lang.RuntimeException":                                   "java.lang.Exception",
	"java.lang.IllegalArgumentException":                           "java.lang.RuntimeException",
	"java.lang.IllegalStateException":                              "java.lang.RuntimeException",
	"java.lang.NumberFormatException":                              "java.lang.IllegalArgumentException",
	"java.lang.ArithmeticException":                                "java.lang.RuntimeException",
	"java.lang.ClassCastException":                                 "java.lang.RuntimeException",
	"java.lang.NullPointerException":                               "java.lang.RuntimeException",
	"java.lang.IndexOutOfBoundsException":                          "java.lang.RuntimeException",
	"java.lang.ArrayIndexOutOfBoundsException":                     "java.lang.IndexOutOfBoundsException",
	"java.lang.StringIndexOutOfBoundsException":                    "java.lang.IndexOutOfBoundsException",
	"java.lang.NegativeArraySizeException":                         "java.lang.RuntimeException",
	"java.lang.UnsupportedOperationException":                      "java.lang.RuntimeException",
	"java.lang.AssertionError":                                     "java.lang.Error",
	"java.lang.StackOverflowError":                                 "java.lang.Error",
	"java.util.NoSuchElementException":                             "java.lang.RuntimeException",
	"java.util.ConcurrentModificationException":                    "java.lang.RuntimeException",
	"java.util.InputMismatchException":                             "java.util.NoSuchElementException",
	"java.util.regex.PatternSyntaxException":                       "java.lang.IllegalArgumentException",
	"java.util.IllegalFormatException":                             "java.lang.IllegalArgumentException",
	"java.util.UnknownFormatConversionException":                   "java.util.IllegalFormatException",
	"java.util.MissingFormatArgumentException":                     "java.util.IllegalFormatException",
	"java.util.IllegalFormatConversionException":                   "java.util.IllegalFormatException",
	"java.time.DateTimeException":                                  "java.lang.RuntimeException",
	"java.time.format.DateTimeParseException":                      "java.time.DateTimeException",
	"java.io.FileNotFoundException":                                "java.io.IOException",
	"java.io.UnsupportedEncodingException":                         "java.io.IOException",
	"java.io.UncheckedIOException":                                 "java.lang.RuntimeException",
	"java.nio.file.NoSuchFileException":                            "java.io.IOException",
	"java.net.MalformedURLException":                               "java.io.IOException",
	"groovy.lang.GroovyRuntimeException":                           "java.lang.RuntimeException",
	"groovy.lang.MissingPropertyException":                         "groovy.lang.GroovyRuntimeException",
	"groovy.lang.MissingMethodException":                           "groovy.lang.GroovyRuntimeException",
	"groovy.lang.ReadOnlyPropertyException":                        "groovy.lang.MissingPropertyException",
	"groovy.json.JsonException":                                    "groovy.lang.GroovyRuntimeException",
	"org.codehaus.groovy.runtime.typehandling.GroovyCastException": "java.lang.ClassCastException",
	"org.codehaus.groovy.runtime.powerassert.PowerAssertionError":  "java.lang.AssertionError",
	"org.apache.jorphan.util.JMeterStopThreadException":            "java.lang.RuntimeException",
	"org.apache.jorphan.util.JMeterStopTestException":              "java.lang.RuntimeException",
	"org.apache.jorphan.util.JMeterStopTestNowException":           "java.lang.RuntimeException",
}

// isException says that a class name is one of an exception: a known one, or one that ends so.
func isException(name string) bool {
	_, ok := parents[name]
	return ok || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Error")
}

// isA walks up from an exception's class.
func (t *Throwable) isA(class string) bool {
	for c := t.Class; c != ""; {
		if c == class {
			return true
		}
		p, ok := parents[c]
		switch {
		case ok:
			c = p
		case c == "java.lang.Object":
			return false
		case strings.HasSuffix(c, "Error"):
			c = "java.lang.Error"
		default:
			c = "java.lang.Exception"
		}
	}
	return false
}
