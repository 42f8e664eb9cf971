package http

import (
	"bytes"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// typeOf tells what JMeter makes of a Content-Type: text or bin, and a charset.
func (k *known) typeOf(kind []byte) (dataType, charset string) {
	if !bytes.Equal(kind, k.kind) || k.dataType == "" {
		k.kind = append(k.kind[:0], kind...)
		k.dataType = dataTypeOf(string(kind))
		k.charset = charsetIn(string(kind))
	}
	return k.dataType, k.charset
}

// binary are the types whose bodies are no text, and those that look so.
var (
	binary    = []string{"image/", "audio/", "video/"}
	nonBinary = []string{"audio/x-mpegurl", "audio/mpegurl", "video/f4m", "image/svg+xml"}
)

func dataTypeOf(kind string) string {
	for _, b := range binary {
		if strings.HasPrefix(kind, b) {
			for _, n := range nonBinary {
				if strings.HasPrefix(kind, n) {
					return "text"
				}
			}
			return "bin"
		}
	}
	return "text"
}

// charsetIn is the charset parameter of a content type as JMeter reads it, ""
// for none.
func charsetIn(kind string) string {
	i := strings.Index(strings.ToLower(kind), "charset=")
	if i < 0 {
		return ""
	}
	name, _, _ := strings.Cut(kind[i+len("charset="):], ";")
	if len(name) >= 2 && (name[0] == '"' || name[0] == '\'') {
		name = name[1 : len(name)-1]
	}
	return name
}

const metaPrefix = `<meta http-equiv="content-type" content="`

// charsetInPage looks into the first 2000 bytes of a page for one spelling of
// the meta element, in any case, as JMeter does.
func charsetInPage(page []byte) string {
	page = page[:min(len(page), pageStart)]
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 || len(page)-i < len(metaPrefix) {
			return ""
		}
		page = page[i:]
		if equalFold(page[:len(metaPrefix)], metaPrefix) {
			kind, _, ok := bytes.Cut(page[len(metaPrefix):], []byte{'"'})
			if !ok {
				return ""
			}
			return charsetIn(string(kind))
		}
		page = page[1:]
	}
}

// mediaType is what stands before the parameters, in lower case.
func mediaType(kind []byte) string {
	kind, _, _ = bytes.Cut(kind, []byte{';'})
	return strings.ToLower(java.Trim(string(kind)))
}
