package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// resumeXML cuts an XML result file so that samples can be appended: before its
// end tag or, when a crash left it without, after its last whole sample. A file
// that is no XML result file is an error and stays as it is.
func resumeXML(f *os.File, size int64) error {
	const tail = 1024
	start := max(0, size-tail)
	b := make([]byte, size-start)
	if _, err := f.ReadAt(b, start); err != nil {
		return err
	}
	if i := bytes.LastIndex(b, []byte("</testResults>")); i >= 0 {
		return f.Truncate(start + int64(i))
	}
	for window := int64(blockSize); ; window *= 4 {
		start = max(0, size-window)
		b = make([]byte, size-start)
		if _, err := f.ReadAt(b, start); err != nil {
			return err
		}
		if end := lastSampleEnd(b, start == 0); end >= 0 {
			return f.Truncate(start + int64(end))
		}
		if start == 0 {
			break
		}
	}
	if i := bytes.Index(b, []byte("<testResults")); i >= 0 {
		if j := bytes.IndexByte(b[i:], '\n'); j >= 0 {
			return f.Truncate(int64(i + j + 1))
		}
	}
	return fmt.Errorf("%s: %w", f.Name(), errors.New("exists and is no XML result file"))
}

// lastSampleEnd finds where the line ends that ends the last whole top-level
// sample; -1 is nowhere. Such a line begins in the first column, as nothing
// inside a sample does: its texts have no bare <. Unless whole, b may begin inside
// a line, which is then passed over.
func lastSampleEnd(b []byte, whole bool) int {
	for end := len(b); end > 0; {
		nl := bytes.LastIndexByte(b[:end], '\n')
		if nl < 0 {
			return -1
		}
		begin := bytes.LastIndexByte(b[:nl], '\n') + 1
		if begin == 0 && !whole {
			return -1
		}
		line := b[begin:nl]
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case bytes.Equal(line, []byte("</httpSample>")), bytes.Equal(line, []byte("</sample>")):
			return nl + 1
		case bytes.HasSuffix(line, []byte("/>")) &&
			(bytes.HasPrefix(line, []byte("<httpSample ")) || bytes.HasPrefix(line, []byte("<sample "))):
			return nl + 1
		}
		end = nl
	}
	return -1
}
