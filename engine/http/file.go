package http

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// fileArg is one row of the files table.
type fileArg struct{ path, param, kind expr.Text }

func readFiles(p *elem.Props, dst *[]fileArg) {
	*dst = nil
	p.Elem("HTTPsampler.Files", "files to send", func(m *elem.Props) {
		m.Each("HTTPFileArgs.files", "rows of path, parameter and type", func(m *elem.Props) {
			var f fileArg
			m.Text(&f.path, "File.path", "", "path, from the working directory or that of the plan")
			m.Text(&f.param, "File.paramname", "", "parameter name; without one a single file is the body")
			m.Text(&f.kind, "File.mimetype", "", "MIME type")
			*dst = append(*dst, f)
		})
	})
}

// file is a row, evaluated.
type file struct {
	path, param, kind string
	stream            fileStream
}

// fillFiles evaluates the files: those of the table behind the one that plans of
// JMeter 2.3 hold in properties of their own.
func (c *call) fillFiles(t *vu.Thread, get func(prop) string) {
	if path := get(propOldFile); path != "" {
		c.files = append(c.files, file{path: path, param: get(propOldField), kind: get(propOldType)})
	}
	for i := range c.s.files {
		a := &c.s.files[i]
		c.files = append(c.files, file{path: a.path.Eval(t), param: a.param.Eval(t), kind: a.kind.Eval(t)})
	}
	for i := range c.files {
		f := &c.files[i]
		f.stream = newFileStream(t.Run, f.path)
	}
}

// partFiles says whether files make the body a multipart one.
func (c *call) partFiles(t *vu.Thread) bool {
	for i := range c.files {
		if c.files[i].path == "" {
			t.Log().Warn("File is invalid as no path is defined", "logger", logSampler, "place", c.files[i].param)
			return false
		}
	}
	return len(c.files) > 0 && !c.singleFile()
}

const logSampler = "o.a.j.p.h.s.HTTPSamplerBase"

// singleFile says whether there is one file and it has no parameter name.
func (c *call) singleFile() bool {
	return len(c.files) == 1 && c.files[0].path != "" && c.files[0].param == ""
}

// fileIsBody says whether a file is the whole body.
func (c *call) fileIsBody() bool { return !c.multipart && len(c.args) == 0 && c.singleFile() }

// resolve finds a file: in the working directory, else in the plan's. shown is how
// messages name it.
func resolve(r *vu.Run, path string) (found, shown string) {
	path = java.FilePath(path)
	if filepath.IsAbs(path) {
		return path, path
	}
	found = filepath.Join(r.WorkDir, path)
	if _, err := os.Stat(found); err == nil {
		return found, path
	}
	found = filepath.Join(r.BaseDir, path)
	return found, found
}

// fileStream is a file as a body, read anew for each request.
type fileStream struct {
	path  string
	shown string // in messages
}

func newFileStream(r *vu.Run, path string) fileStream {
	found, shown := resolve(r, path)
	return fileStream{path: found, shown: shown}
}

// Size is the file's length, 0 where it cannot be read.
func (f *fileStream) Size() int64 {
	info, err := os.Stat(f.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// WriteTo sends the file.
func (f *fileStream) WriteTo(w io.Writer) (int64, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return 0, f.notFound(err)
	}
	defer in.Close()
	n, err := io.Copy(w, in)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = f.notFound(err)
	}
	return n, err
}

// notFound words the error as Java's FileInputStream does.
func (f *fileStream) notFound(err error) error {
	why := "No such file or directory"
	switch {
	case errors.Is(err, fs.ErrPermission):
		why = "Permission denied"
	case !errors.Is(err, fs.ErrNotExist):
		why = "Is a directory"
	}
	return &wire.Error{Class: "java.io.FileNotFoundException", Message: f.shown + " (" + why + ")", Cause: err}
}

// readFile is a sample of the protocol file: the file is the response, of a folder
// its list.
func (c *call) readFile(t *vu.Thread, r *jtl.Sample) bool {
	r.Method, r.URL = "GET", c.to.text
	name := c.to.path()
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	f := workFile(t.Run, name)
	r.Start = time.Now().UnixMilli()
	b, err := f.content()
	r.End = time.Now().UnixMilli()
	r.Elapsed = r.End - r.Start
	if err != nil {
		failed(r, f.notFound(err))
		return true
	}
	r.Latency = r.Elapsed
	r.BodySize = int64(len(b))
	if most := c.s.sh.maxStored; most > 0 {
		b = b[:min(len(b), most)]
	}
	r.Body = append(r.Body[:0], b...)
	r.Code, r.Message, r.Success = "200", "OK", true
	r.DataType, r.Encoding = "text", c.encoding
	sizes(r, 0)
	return true
}

// workFile is a file that is never looked for beside the plan.
func workFile(r *vu.Run, path string) fileStream {
	shown := java.FilePath(path)
	f := fileStream{path: shown, shown: shown}
	if !filepath.IsAbs(shown) {
		f.path = filepath.Join(r.WorkDir, shown)
	}
	return f
}

// content is the file, or the names in a folder, each with a line feed.
func (f *fileStream) content() ([]byte, error) {
	if f.shown == "" { // which Java never finds
		return nil, fs.ErrNotExist
	}
	if info, err := os.Stat(f.path); err != nil || !info.IsDir() {
		return os.ReadFile(f.path)
	}
	all, err := os.ReadDir(f.path)
	var b []byte
	for _, e := range all {
		b = append(append(b, e.Name()...), '\n')
	}
	return b, err
}
