package script

import (
	"bufio"
	"io"
	"os"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// reader is any of java.io's readers over text that was read whole.
type reader struct {
	s     string
	class *Class
}

func (r *reader) JavaClass() *Class { return r.class }

func (r *reader) rest() string {
	s := r.s
	r.s = ""
	return s
}

// line takes the next line; ok is false at the end.
func (r *reader) line() (string, bool) {
	if r.s == "" {
		return "", false
	}
	line, rest, _ := strings.Cut(r.s, "\n")
	r.s = rest
	return strings.TrimSuffix(line, "\r"), true
}

// fileWriterObject is any of java.io's writers onto a file.
type fileWriterObject struct {
	w     *bufio.Writer
	f     io.Closer
	class *Class
	cs    *java.Charset
}

func (w *fileWriterObject) JavaClass() *Class { return w.class }

func (w *fileWriterObject) put(s string) error {
	_, err := w.w.Write(w.cs.Encode(s))
	return ioError("", err)
}

func (w *fileWriterObject) close() error {
	if w.f == nil {
		return nil
	}
	err := w.w.Flush()
	if e := w.f.Close(); err == nil {
		err = e
	}
	w.f = nil
	return ioError("", err)
}

// byteBuffer is a ByteArrayOutputStream.
type byteBuffer struct{ b []byte }

func (*byteBuffer) JavaClass() *Class { return byteOutput }
func (b *byteBuffer) String() string  { return java.UTF8.Decode(b.b) }

// initReaders fills the readers; all of them hold the whole text.
func initReaders() {
	open := func(class *Class) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			switch x := c.Args[0].(type) {
			case *reader:
				return &reader{x.rest(), class}, nil
			case *Bytes:
				return &reader{java.UTF8.Decode(x.B), class}, nil
			case string:
				if class == stringReader || class == scannerClass {
					return &reader{x, class}, nil
				}
			}
			s, err := c.textOf(c.file(0), c.N())
			return &reader{s, class}, err
		})
	}
	for _, class := range []*Class{bufferedReader, fileReader, stringReader, inputReader, fileInput, byteInput, scannerClass} {
		class.New = open(class)
	}
	r := func(c *Call) *reader { return c.Self.(*reader) }
	line := method(0, 0, func(c *Call) (Value, error) {
		if s, ok := r(c).line(); ok {
			return s, nil
		}
		return nil, nil
	})
	readerClass.Methods = Methods{
		"readLine": line, "nextLine": line,
		"read": method(0, 0, func(c *Call) (Value, error) {
			for i, x := range r(c).s {
				r(c).s = r(c).s[i+len(string(x)):]
				return int32(x), nil
			}
			return int32(-1), nil
		}),
		"readAllBytes": method(0, 0, func(c *Call) (Value, error) { return &Bytes{[]byte(r(c).rest())}, nil }),
		"hasNextLine":  method(0, 0, func(c *Call) (Value, error) { return r(c).s != "", nil }),
		"hasNext":      method(0, 0, func(c *Call) (Value, error) { return strings.TrimSpace(r(c).s) != "", nil }),
		"next": method(0, 0, func(c *Call) (Value, error) {
			w := strings.Fields(r(c).s)
			if len(w) == 0 {
				return nil, throw("java.util.NoSuchElementException", "")
			}
			r(c).s = r(c).s[strings.Index(r(c).s, w[0])+len(w[0]):]
			return w[0], nil
		}),
		"ready": method(0, 0, func(c *Call) (Value, error) { return r(c).s != "", nil }),
		"close": method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"lines": method(0, 0, func(c *Call) (Value, error) { return lines(r(c).rest()), nil }),
	}
	readerClass.Groovy = Methods{
		"getText":   method(0, 1, func(c *Call) (Value, error) { return r(c).rest(), nil }),
		"readLines": method(0, 1, func(c *Call) (Value, error) { return lines(r(c).rest()), nil }),
		"eachLine":  method(1, 1, func(c *Call) (Value, error) { return eachLine(c.Run, r(c).rest(), c.fn(0), 1) }),
	}
}

func openWriter(r *Run, f *file, more bool, class *Class) (*fileWriterObject, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if more {
		mode = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	w, err := os.OpenFile(f.at(r), mode, 0o644)
	if err != nil {
		return nil, ioError(f.name, err)
	}
	return &fileWriterObject{w: bufio.NewWriter(w), f: w, class: class, cs: java.UTF8}, nil
}

func initWriters() {
	open := func(class *Class) *Method {
		return method(1, 3, func(c *Call) (Value, error) {
			if w, ok := c.Args[0].(*fileWriterObject); ok { // one around another
				w.class = class
				if class == outputWriter {
					cs, err := charset(c, 1)
					if err != nil {
						return nil, err
					}
					w.cs = cs
				}
				return w, nil
			}
			if s, ok := c.Args[0].(*StringBuilder); ok {
				return s, nil
			}
			return openWriter(c.Run, c.file(0), c.N() > 1 && c.Args[c.N()-1] == true, class)
		})
	}
	for _, class := range []*Class{fileWriter, bufferedWriter, printWriter, fileOutput, outputWriter} {
		class.New = open(class)
	}
	w := func(c *Call) *fileWriterObject { return c.Self.(*fileWriterObject) }
	put := func(end string) *Method {
		return method(0, 3, func(c *Call) (Value, error) {
			if c.N() == 0 {
				return nil, w(c).put(end)
			}
			switch x := c.Args[0].(type) {
			case *Bytes:
				_, err := w(c).w.Write(x.B)
				return nil, err
			case int32:
				if end == "" && !c.Run.isGroovy() {
					return nil, w(c).put(string(rune(x)))
				}
			}
			return c.Self, w(c).put(groovyString(c.Args[0]) + end)
		})
	}
	writerClass.Methods = Methods{"write": put(""), "append": put(""), "print": put(""), "println": put("\n"), "newLine": put("\n"),
		"flush": method(0, 0, func(c *Call) (Value, error) { return nil, w(c).w.Flush() }),
		"close": method(0, 0, func(c *Call) (Value, error) { return nil, w(c).close() })}
	writerClass.Groovy = Methods{"leftShift": put(""), "writeLine": put("\n"),
		"withCloseable": method(1, 1, func(c *Call) (Value, error) {
			v, err := c.fn(0).Call(c.Run, c.Self)
			if e := w(c).close(); err == nil {
				err = e
			}
			return v, err
		})}
	b := func(c *Call) *byteBuffer { return c.Self.(*byteBuffer) }
	byteOutput.New = method(0, 1, func(c *Call) (Value, error) { return &byteBuffer{}, nil })
	byteOutput.Methods = Methods{
		"write": method(1, 3, func(c *Call) (Value, error) {
			if isNumber(c.Args[0]) {
				b(c).b = append(b(c).b, byte(c.Int(0)))
				return nil, nil
			}
			x := c.bytes(0)
			if c.N() == 3 {
				from, n := c.Int(1), c.Int(2)
				if from < 0 || n < 0 || from+n > len(x) {
					return nil, indexError(from+n, len(x))
				}
				x = x[from : from+n]
			}
			b(c).b = append(b(c).b, x...)
			return nil, c.Err()
		}),
		"toByteArray": method(0, 0, func(c *Call) (Value, error) { return &Bytes{append([]byte(nil), b(c).b...)}, nil }),
		"toString": method(0, 1, func(c *Call) (Value, error) {
			cs, err := charset(c, 0)
			if err != nil {
				return nil, err
			}
			return cs.Decode(b(c).b), nil
		}),
		"size":  method(0, 0, func(c *Call) (Value, error) { return int32(len(b(c).b)), nil }),
		"reset": method(0, 0, func(c *Call) (Value, error) { b(c).b = nil; return nil, nil }),
		"close": method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"flush": method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
	}
}
