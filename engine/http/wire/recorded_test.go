package wire

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// recorded is a response from testdata/responses.json, and what JMeter 5.6.3
// made of it: GET (or HEAD) with keep-alive and a response timeout of 400 ms,
// then a second request to a well-behaved address of the same server.
type recorded struct {
	Name   string   `json:"name"`
	Send   []string `json:"send"` // pieces 20 ms apart, one character a byte
	End    string   `json:"end"`  // keep open, fin, rst, or hold without a word
	Method string   `json:"method"`
	JMeter struct {
		Class, Message string
		Status         int
		Reason, Head   string
		Body           *string
		Bytes          int64
		Latency        bool
		Next           string // the second request: reused, new, or no response
	} `json:"jmeter"`
}

func TestRecordedResponses(t *testing.T) {
	data, err := os.ReadFile("testdata/responses.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []recorded
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 150 {
		t.Fatalf("only %d cases", len(cases))
	}
	var current atomic.Pointer[recorded]
	p := serve(t, "", func(c net.Conn) { playRecorded(c, &current) })
	c := newTestClient(t, nil)
	files := openFiles(t)
	for i := range cases {
		test := &cases[i]
		current.Store(test)
		t.Run(test.Name, func(t *testing.T) {
			want := test.JMeter
			req := p.get("/case")
			req.Method = test.Method
			if test.End == "hold" {
				req.ResponseTimeout = shortly
			}
			var res Response
			var body Keep
			err := c.Do(req, &res, &body)
			if want.Class != "" {
				e, _ := err.(*Error)
				if e == nil {
					t.Fatalf("status %d, error %v; want %s: %s", res.Status, err, want.Class, want.Message)
				}
				message := e.Message
				if e.NoMessage {
					message = "null"
				}
				text := strings.ReplaceAll(want.Message, "{port}", strconv.Itoa(p.port))
				if e.Class != want.Class || message != text {
					t.Errorf("error %s: %s\nwant  %s: %s", e.Class, message, want.Class, text)
				}
			} else {
				if err != nil {
					t.Fatalf("error %v, want status %d", err, want.Status)
				}
				if res.Status != want.Status {
					t.Errorf("status %d, want %d", res.Status, want.Status)
				}
				if r := string(appendLatin1(nil, res.Reason())); r != want.Reason {
					t.Errorf("reason %q, want %q", r, want.Reason)
				}
				if h := string(res.AppendHead(nil)); want.Head != "" && h != want.Head {
					t.Errorf("head %q, want %q", h, want.Head)
				}
				if want.Body != nil && string(body.B) != *want.Body {
					t.Errorf("body %q, want %q", body.B, *want.Body)
				}
				bytes := res.HeaderSize + res.BodySize()
				if res.BodySize() == 0 {
					bytes += int64(len(body.B))
				}
				if bytes != want.Bytes {
					t.Errorf("%d bytes, want %d", bytes, want.Bytes)
				}
				if res.HasBody != want.Latency || (res.FirstByte != 0) != want.Latency {
					t.Errorf("body %v, first byte at %d, want latency %v", res.HasBody, res.FirstByte, want.Latency)
				}
			}
			err = c.Do(p.get("/next"), &res, nil)
			next := "new"
			switch {
			case err != nil:
				next = "no response"
				if e, _ := err.(*Error); e == nil || e.Class != classNoResponse {
					t.Errorf("second request: %v", err)
				}
			case res.Reused:
				next = "reused"
			}
			if next != want.Next {
				t.Errorf("connection %s, want %s", next, want.Next)
			}
		})
	}
	c.Close()
	p.close()
	if n := openFiles(t); n > files {
		t.Errorf("%d open files, %d before", n, files)
	}
}

func playRecorded(c net.Conn, current *atomic.Pointer[recorded]) {
	r := bufio.NewReader(c)
	for {
		req, err := readRequest(r)
		if err != nil {
			return
		}
		if strings.Contains(req, " /next ") {
			c.Write([]byte(ok("next")))
			continue
		}
		test := current.Load()
		for i, piece := range test.Send {
			if i > 0 {
				time.Sleep(5 * time.Millisecond)
			}
			b := make([]byte, 0, len(piece))
			for _, r := range piece {
				b = append(b, byte(r))
			}
			c.Write(b)
		}
		switch test.End {
		case "keep":
			continue
		case "hold":
			r.ReadByte() // until the client gives up
		case "rst":
			time.Sleep(5 * time.Millisecond)
			reset(c)
		default:
			finish(c)
		}
		return
	}
}
