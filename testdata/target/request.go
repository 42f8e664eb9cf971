package target

import (
	"bufio"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// maxHead and maxBody bound what one request may occupy.
const maxHead, maxBody = 1 << 20, 64 << 20

type request struct {
	method, target, path string
	query                url.Values
	head                 string   // request line and header lines as received, CRLF kept
	headers              []string // "Name: value" as received
	body                 []byte
	peer                 string // IP address of the client
	certificate          string // whose it is, and whether it is that of an earlier connection
	nth                  int    // which request of its connection this is
}

// header returns the first value of a header, whatever the case of its name.
func (r *request) header(name string) string {
	for _, h := range r.headers {
		k, v, _ := strings.Cut(h, ":")
		if strings.EqualFold(k, name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func readRequest(br *bufio.Reader) (*request, error) {
	r := &request{}
	var head strings.Builder
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if head.Len()+len(line) > maxHead {
			return nil, errors.New("request head too large")
		}
		head.WriteString(line)
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" && r.method == "": // empty lines before a request
			head.Reset()
			continue
		case r.method == "":
			if err := r.readLine(line); err != nil {
				return nil, err
			}
			continue
		case line != "":
			r.headers = append(r.headers, line)
			continue
		}
		break
	}
	r.head = head.String()
	return r, r.readBody(br)
}

func (r *request) readLine(line string) error {
	f := strings.SplitN(line, " ", 3)
	if len(f) != 3 || f[0] == "" {
		return errors.New("bad request line " + line)
	}
	r.method, r.target = f[0], f[1]
	u, err := url.ParseRequestURI(r.target)
	if err != nil {
		r.path, r.query = r.target, url.Values{}
		return nil
	}
	r.path = u.Path
	r.query, _ = url.ParseQuery(u.RawQuery)
	return nil
}

func (r *request) readBody(br *bufio.Reader) error {
	if n, err := strconv.Atoi(r.header("Content-Length")); err == nil && n > 0 {
		if n > maxBody {
			return errors.New("request body too large")
		}
		r.body = make([]byte, n)
		_, err := io.ReadFull(br, r.body)
		return err
	}
	if !strings.EqualFold(r.header("Transfer-Encoding"), "chunked") {
		return nil
	}
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(strings.TrimSpace(line), 16, 31)
		if err != nil {
			return err
		}
		if len(r.body)+int(size) > maxBody {
			return errors.New("request body too large")
		}
		chunk := make([]byte, size+2) // and its line end
		if _, err := io.ReadFull(br, chunk); err != nil {
			return err
		}
		if size == 0 {
			return nil
		}
		r.body = append(r.body, chunk[:size]...)
	}
}
