package script

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// java.io and the little of java.nio that scripts use. Relative names start at the run's Dir.

var (
	fileClass      = NewClass("java.io.File", objectClass, "java.lang.Comparable")
	readerClass    = NewClass("java.io.Reader", objectClass)
	bufferedReader = NewClass("java.io.BufferedReader", readerClass)
	fileReader     = NewClass("java.io.FileReader", readerClass)
	stringReader   = NewClass("java.io.StringReader", readerClass)
	inputReader    = NewClass("java.io.InputStreamReader", readerClass)
	fileInput      = NewClass("java.io.FileInputStream", readerClass, "java.io.InputStream")
	byteInput      = NewClass("java.io.ByteArrayInputStream", readerClass, "java.io.InputStream")
	scannerClass   = NewClass("java.util.Scanner", readerClass)
	writerClass    = NewClass("java.io.Writer", objectClass)
	fileWriter     = NewClass("java.io.FileWriter", writerClass)
	bufferedWriter = NewClass("java.io.BufferedWriter", writerClass)
	printWriter    = NewClass("java.io.PrintWriter", writerClass)
	fileOutput     = NewClass("java.io.FileOutputStream", writerClass, "java.io.OutputStream")
	outputWriter   = NewClass("java.io.OutputStreamWriter", writerClass)
	byteOutput     = NewClass("java.io.ByteArrayOutputStream", objectClass, "java.io.OutputStream")
	filesClass     = NewClass("java.nio.file.Files", objectClass)
	pathsClass     = NewClass("java.nio.file.Paths", objectClass)
	fileTypeClass  = NewClass("groovy.io.FileType", objectClass)
	fileUtils      = NewClass("org.apache.commons.io.FileUtils", objectClass)
)

// file is a java.io.File, or a Path.
type file struct{ name string }

func (*file) JavaClass() *Class { return fileClass }
func (f *file) String() string  { return f.name }

// Equal compares names.
func (f *file) Equal(v Value) bool {
	o, ok := v.(*file)
	return ok && o.name == f.name
}

// HashCode is the name's, as on Unix.
func (f *file) HashCode() int32 { return java.HashCode(f.name) ^ 1234321 }

// CompareTo orders by name.
func (f *file) CompareTo(v Value) (int, bool) {
	o, ok := v.(*file)
	if !ok {
		return 0, false
	}
	return java.Compare(f.name, o.name), true
}

// at is where the file lies for this run.
func (f *file) at(r *Run) string {
	if filepath.IsAbs(f.name) || r.env.Dir == "" {
		return f.name
	}
	return filepath.Join(r.env.Dir, f.name)
}

// ioError words an error as Java does.
func ioError(name string, err error) error {
	if err == nil {
		return nil
	}
	why := "Input/output error"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "No such file or directory"
	case errors.Is(err, fs.ErrPermission):
		why = "Permission denied"
	default:
		var pe *fs.PathError
		if errors.As(err, &pe) {
			if why = pe.Err.Error(); why == "is a directory" {
				why = "Is a directory"
			}
		}
	}
	return throw("java.io.FileNotFoundException", "%s (%s)", name, why)
}

func (f *file) read(r *Run) ([]byte, error) {
	b, err := os.ReadFile(f.at(r))
	return b, ioError(f.name, err)
}

func (f *file) write(r *Run, b []byte, more bool) error {
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if more {
		mode = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	w, err := os.OpenFile(f.at(r), mode, 0o644)
	if err != nil {
		return ioError(f.name, err)
	}
	_, err = w.Write(b)
	if e := w.Close(); err == nil {
		err = e
	}
	return ioError(f.name, err)
}

// fileArg is an argument that names a file.
func (c *Call) file(i int) *file {
	if f, ok := c.Args[i].(*file); ok {
		return f
	}
	return &file{c.Str(i)}
}

// text of a file in the charset of argument i.
func (c *Call) textOf(f *file, i int) (string, error) {
	b, err := f.read(c.Run)
	if err != nil {
		return "", err
	}
	cs, err := charset(c, i)
	if err != nil {
		return "", err
	}
	return cs.Decode(b), nil
}

func initFile() {
	fileClass.New = method(1, 2, func(c *Call) (Value, error) {
		if c.N() == 1 {
			return &file{java.FilePath(c.file(0).name)}, c.Err()
		}
		child := c.Str(1)
		if c.Args[0] == nil {
			return &file{java.FilePath(child)}, nil
		}
		return &file{java.FilePath(c.file(0).name + "/" + child)}, nil
	})
	fileClass.Fields = map[string]Value{"separator": string(os.PathSeparator), "separatorChar": java.Char(os.PathSeparator), "pathSeparator": string(os.PathListSeparator)}
	fileClass.Static = Methods{"createTempFile": method(2, 3, func(c *Call) (Value, error) {
		suffix := ".tmp"
		if c.Args[1] != nil {
			suffix = c.Str(1)
		}
		w, err := os.CreateTemp("", c.Str(0)+"*"+suffix)
		if err != nil {
			return nil, ioError(c.Str(0), err)
		}
		return &file{w.Name()}, ioError(w.Name(), w.Close())
	})}
	f := func(c *Call) *file { return c.Self.(*file) }
	stat := func(get func(i fs.FileInfo) Value, none Value) *Method {
		return method(0, 0, func(c *Call) (Value, error) {
			i, err := os.Stat(f(c).at(c.Run))
			if err != nil {
				return none, nil
			}
			return get(i), nil
		})
	}
	done := func(least, most int, do func(c *Call) error) *Method {
		return method(least, most, func(c *Call) (Value, error) { return do(c) == nil, nil })
	}
	fileClass.Methods = Methods{
		"getName":          method(0, 0, func(c *Call) (Value, error) { return filepath.Base(f(c).name), nil }),
		"getPath":          method(0, 0, func(c *Call) (Value, error) { return f(c).name, nil }),
		"getAbsolutePath":  method(0, 0, func(c *Call) (Value, error) { p, err := filepath.Abs(f(c).at(c.Run)); return p, err }),
		"getCanonicalPath": method(0, 0, func(c *Call) (Value, error) { p, err := filepath.Abs(f(c).at(c.Run)); return p, err }),
		"toPath":           method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"toFile":           method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"getParent":        method(0, 0, func(c *Call) (Value, error) { return parent(f(c).name), nil }),
		"getParentFile": method(0, 0, func(c *Call) (Value, error) {
			if p, ok := parent(f(c).name).(string); ok {
				return &file{p}, nil
			}
			return nil, nil
		}),
		"exists":       stat(func(fs.FileInfo) Value { return true }, false),
		"isFile":       stat(func(i fs.FileInfo) Value { return i.Mode().IsRegular() }, false),
		"isDirectory":  stat(func(i fs.FileInfo) Value { return i.IsDir() }, false),
		"canRead":      stat(func(fs.FileInfo) Value { return true }, false),
		"canWrite":     stat(func(i fs.FileInfo) Value { return i.Mode()&0o200 != 0 }, false),
		"length":       stat(func(i fs.FileInfo) Value { return i.Size() }, int64(0)),
		"lastModified": stat(func(i fs.FileInfo) Value { return i.ModTime().UnixMilli() }, int64(0)),
		"delete":       done(0, 0, func(c *Call) error { return os.Remove(f(c).at(c.Run)) }),
		"mkdir":        done(0, 0, func(c *Call) error { return os.Mkdir(f(c).at(c.Run), 0o755) }),
		"mkdirs": done(0, 0, func(c *Call) error {
			if _, err := os.Stat(f(c).at(c.Run)); err == nil {
				return fs.ErrExist
			}
			return os.MkdirAll(f(c).at(c.Run), 0o755)
		}),
		"renameTo": done(1, 1, func(c *Call) error { return os.Rename(f(c).at(c.Run), c.file(0).at(c.Run)) }),
		"createNewFile": done(0, 0, func(c *Call) error {
			w, err := os.OpenFile(f(c).at(c.Run), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			return w.Close()
		}),
		"deleteOnExit": method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"list": method(0, 0, func(c *Call) (Value, error) {
			a := &Array{Elem: "java.lang.String"}
			for _, e := range entriesOf(f(c).at(c.Run)) {
				a.Items = append(a.Items, e.Name())
			}
			return a, nil
		}),
		"listFiles": method(0, 1, func(c *Call) (Value, error) {
			a := &Array{Elem: "java.io.File"}
			for _, e := range entriesOf(f(c).at(c.Run)) {
				a.Items = append(a.Items, &file{f(c).name + "/" + e.Name()})
			}
			return a, nil
		}),
	}
	initFileText()
	initReaders()
	initWriters()
}

func parent(s string) Value {
	i := strings.LastIndexByte(s, '/')
	switch {
	case i < 0:
		return nil
	case i == 0:
		return "/"
	}
	return s[:i]
}

func entriesOf(dir string) []fs.DirEntry {
	list, _ := os.ReadDir(dir)
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list
}

// initFileText fills what Groovy adds to File: text, lines, and writers that close themselves.
func initFileText() {
	f := func(c *Call) *file { return c.Self.(*file) }
	write := func(more bool) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			cs, err := charset(c, 1)
			if err != nil {
				return nil, err
			}
			if b, ok := c.Args[0].(*Bytes); ok {
				return c.Self, f(c).write(c.Run, b.B, more)
			}
			return c.Self, f(c).write(c.Run, cs.Encode(groovyString(c.Args[0])), more)
		})
	}
	using := func(class *Class, more bool) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			w, err := openWriter(c.Run, f(c), more, class)
			if err != nil {
				return nil, err
			}
			if c.N() == 2 {
				if w.cs, err = charset(c, 0); err != nil {
					return nil, err
				}
			}
			v, err := c.fn(c.N()-1).Call(c.Run, w)
			if e := w.close(); err == nil {
				err = e
			}
			return v, err
		})
	}
	fileClass.Groovy = Methods{
		"getText": method(0, 1, func(c *Call) (Value, error) { return errValue(c.textOf(f(c), 0)) }),
		"setText": write(false), "write": write(false), "append": write(true), "leftShift": write(true),
		"getBytes": method(0, 0, func(c *Call) (Value, error) {
			b, err := f(c).read(c.Run)
			if err != nil {
				return nil, err
			}
			return &Bytes{b}, nil
		}),
		"readBytes": method(0, 0, func(c *Call) (Value, error) { return c.Run.invoke(c.Self, "getBytes", nil) }),
		"setBytes":  write(false),
		"size":      method(0, 0, func(c *Call) (Value, error) { return c.Run.invoke(c.Self, "length", nil) }),
		"readLines": method(0, 1, func(c *Call) (Value, error) {
			s, err := c.textOf(f(c), 0)
			if err != nil {
				return nil, err
			}
			return lines(s), nil
		}),
		"eachLine": method(1, 3, func(c *Call) (Value, error) {
			first, cs := 1, java.UTF8
			for i := range c.N() - 1 {
				if isNumber(c.Args[i]) {
					first = c.Int(i)
					continue
				}
				k, err := charset(c, i)
				if err != nil {
					return nil, err
				}
				cs = k
			}
			b, err := f(c).read(c.Run)
			if err != nil {
				return nil, err
			}
			return eachLine(c.Run, cs.Decode(b), c.fn(c.N()-1), first)
		}),
		"splitEachLine": method(2, 2, func(c *Call) (Value, error) {
			s, err := c.textOf(f(c), c.N())
			if err != nil {
				return nil, err
			}
			p, err := patternOf(c.Args[0])
			if err != nil {
				return nil, err
			}
			for _, l := range lines(s).all() {
				if _, err := c.fn(1).Call(c.Run, NewList(p.split(l.(string), 0).Items...)); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		"withReader": method(1, 2, func(c *Call) (Value, error) {
			s, err := c.textOf(f(c), map[bool]int{true: 0, false: c.N()}[c.N() == 2])
			if err != nil {
				return nil, err
			}
			return c.fn(c.N()-1).Call(c.Run, &reader{s, bufferedReader})
		}),
		"withWriter": using(bufferedWriter, false), "withWriterAppend": using(bufferedWriter, true), "withPrintWriter": using(printWriter, false),
		"newWriter": method(0, 2, func(c *Call) (Value, error) {
			more := c.N() > 0 && c.Args[c.N()-1] == true
			return openWriter(c.Run, f(c), more, bufferedWriter)
		}),
		"newReader": method(0, 1, func(c *Call) (Value, error) {
			s, err := c.textOf(f(c), 0)
			return &reader{s, bufferedReader}, err
		}),
		"eachFile": method(1, 2, func(c *Call) (Value, error) {
			for _, e := range entriesOf(f(c).at(c.Run)) {
				if _, err := c.fn(c.N()-1).Call(c.Run, &file{f(c).name + "/" + e.Name()}); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		"eachFileRecurse": method(1, 2, func(c *Call) (Value, error) {
			onlyFiles := false
			if e, ok := c.Args[0].(*enumValue); ok {
				onlyFiles = e.name == "FILES"
			}
			return nil, walkFiles(c.Run, f(c), func(x *file, dir bool) error {
				if dir && onlyFiles {
					return nil
				}
				_, err := c.fn(c.N()-1).Call(c.Run, x)
				return err
			})
		}),
		"deleteDir": method(0, 0, func(c *Call) (Value, error) { return os.RemoveAll(f(c).at(c.Run)) == nil, nil }),
	}
	defineEnum(fileTypeClass, "FILES", "DIRECTORIES", "ANY")
	filesClass.Static = Methods{
		"readAllBytes": method(1, 1, func(c *Call) (Value, error) {
			b, err := c.file(0).read(c.Run)
			if err != nil {
				return nil, throw("java.nio.file.NoSuchFileException", "%s", c.file(0).name)
			}
			return &Bytes{b}, nil
		}),
		"readString": method(1, 2, func(c *Call) (Value, error) { return errValue(c.textOf(c.file(0), 1)) }),
		"readAllLines": method(1, 2, func(c *Call) (Value, error) {
			s, err := c.textOf(c.file(0), 1)
			return lines(s), err
		}),
		"exists": method(1, 2, func(c *Call) (Value, error) { _, err := os.Stat(c.file(0).at(c.Run)); return err == nil, nil }),
		"write": method(2, 4, func(c *Call) (Value, error) {
			more := false
			for _, a := range c.Args[2:] {
				more = more || javaString(a) == "APPEND"
			}
			return c.Args[0], c.file(0).write(c.Run, c.bytes(1), more)
		}),
	}
	pathsClass.Static = Methods{"get": method(1, -1, func(c *Call) (Value, error) {
		n := c.file(0).name
		for i := 1; i < c.N(); i++ {
			n += "/" + c.Str(i)
		}
		return &file{java.FilePath(n)}, nil
	})}
	fileUtils.Static = Methods{
		"readFileToString": method(1, 2, func(c *Call) (Value, error) { return errValue(c.textOf(c.file(0), 1)) }),
		"readLines": method(1, 2, func(c *Call) (Value, error) {
			s, err := c.textOf(c.file(0), 1)
			return lines(s), err
		}),
		"writeStringToFile": method(2, 4, func(c *Call) (Value, error) {
			more := c.N() > 2 && c.Args[c.N()-1] == true
			return nil, c.file(0).write(c.Run, []byte(groovyString(c.Args[1])), more)
		}),
		"readFileToByteArray": method(1, 1, func(c *Call) (Value, error) {
			b, err := c.file(0).read(c.Run)
			return &Bytes{b}, err
		}),
		"deleteQuietly": method(1, 1, func(c *Call) (Value, error) { return os.RemoveAll(c.file(0).at(c.Run)) == nil, nil }),
	}
}

func walkFiles(r *Run, dir *file, do func(f *file, dir bool) error) error {
	for _, e := range entriesOf(dir.at(r)) {
		x := &file{dir.name + "/" + e.Name()}
		if err := do(x, e.IsDir()); err != nil {
			return err
		}
		if e.IsDir() {
			if err := walkFiles(r, x, do); err != nil {
				return err
			}
		}
		if err := r.tick(); err != nil {
			return err
		}
	}
	return nil
}
