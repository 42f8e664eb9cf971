package target

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"
)

// upload describes what came: each part's headers, length and MD5, or the same
// of the whole body when it has no parts.
func upload(_ *Server, r *request) *response {
	_, params, err := mime.ParseMediaType(r.header("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return text(200, fmt.Sprintf("raw %s %d bytes md5 %x\n", r.header("Content-Type"), len(r.body), md5.Sum(r.body)))
	}
	var b strings.Builder
	parts := multipart.NewReader(bytes.NewReader(r.body), params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return text(200, b.String())
		}
		if err != nil {
			return text(400, "bad multipart: "+err.Error())
		}
		data, _ := io.ReadAll(part)
		var headers []string
		for k, v := range part.Header {
			headers = append(headers, k+": "+strings.Join(v, ","))
		}
		slices.Sort(headers)
		fmt.Fprintf(&b, "[%s] %d bytes md5 %x\n", strings.Join(headers, " | "), len(data), md5.Sum(data))
	}
}
