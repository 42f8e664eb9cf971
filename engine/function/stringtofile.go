package function

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__StringToFile", Title: "writes a text into a file", Args: "file, text, append=true, charset=UTF-8",
		Min: 2, Max: 4, Compile: compileStringToFile,
	})
}

// writeKey is the key of the lock of one file that functions write.
type writeKey struct{ path string }

func compileStringToFile(c *expr.Call) (expr.Eval, error) {
	file, text, add, charset := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3)
	return func(dst []byte, t *vu.Thread) []byte {
		name := java.Trim(file.Eval(t))
		content := strings.ReplaceAll(text.Eval(t), `\n`, "\n")
		more := java.Trim(add.Eval(t))
		err := writeText(t, name, content, more == "" || truth(more), charset.Eval(t))
		if err != nil {
			errorf(t, "StringToFile", "Error while writing to file %s: %v", name, err)
		}
		return strconv.AppendBool(dst, err == nil)
	}, nil
}

func writeText(t *vu.Thread, name, text string, add bool, charset string) error {
	cs, err := charsetOr(charset, java.UTF8)
	if err != nil {
		return err
	}
	if name == "" {
		return fs.ErrInvalid
	}
	path := filepath.Clean(inWorkDir(t, name))
	lock := vu.Shared(t.Run, writeKey{path}, func() *sync.Mutex { return new(sync.Mutex) })
	lock.Lock()
	defer lock.Unlock()
	flag := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if add {
		flag = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(cs.Encode(text)); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
