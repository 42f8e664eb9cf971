package function

import (
	"io"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__FileToString", Title: "a whole file", Args: "file, charset=UTF-8, var?",
		Min: 1, Max: 3, Compile: compileFileToString,
	})
}

func compileFileToString(c *expr.Call) (expr.Eval, error) {
	file, charset, variable := c.Arg(0), c.Arg(1), newTarget(c, 2, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		name, cs := file.Eval(t), java.Trim(charset.Eval(t))
		text, err := readText(t, name, cs)
		if err != nil {
			warnf(t, "FileToString", "Could not read file %s: %v", name, err)
			text = failedFile
		}
		return variable.yield(dst, t, text)
	}, nil
}

// readText reads a file. An unknown charset is thrown, but only once the file is
// there, as in JMeter.
func readText(t *vu.Thread, name, charset string) (string, error) {
	f, err := openFile(inWorkDir(t, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	cs, err := charsetOr(charset, java.UTF8)
	if err != nil {
		throwJava(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return "", err
	}
	return cs.Decode(b), nil
}
