package xml

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html/charset"
)

// decode makes UTF-8 of data, with line ends of one \n.
func decode(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xfe\xff")), bytes.HasPrefix(data, []byte("\xff\xfe")):
		return convert(data, "utf-16")
	default:
		if name := declaredEncoding(data); name != "" && !strings.EqualFold(name, "utf-8") && !strings.HasPrefix(strings.ToLower(name), "utf-16") {
			return convert(data, name)
		}
	}
	return unixLines(string(data)), nil
}

func convert(data []byte, label string) (string, error) {
	e, _ := charset.Lookup(label)
	if e == nil {
		return "", &Error{Text: fmt.Sprintf("The encoding \"%s\" is not supported.", label), Line: 1, Column: 1}
	}
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", &Error{Text: err.Error(), Line: 1, Column: 1}
	}
	return unixLines(strings.TrimPrefix(string(out), "\ufeff")), nil
}

func unixLines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func declaredEncoding(data []byte) string {
	head := data[:min(len(data), 200)]
	end := bytes.Index(head, []byte("?>"))
	if !bytes.HasPrefix(head, []byte("<?xml")) || end < 0 {
		return ""
	}
	_, rest, ok := bytes.Cut(head[:end], []byte("encoding"))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t\r\n=")
	if len(rest) < 2 {
		return ""
	}
	name, _, _ := bytes.Cut(rest[1:], rest[:1])
	return string(name)
}
