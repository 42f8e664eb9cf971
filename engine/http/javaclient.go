package http

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
)

// This file is what differs when a sampler asks for JMeter's Java
// implementation, which is java.net.HttpURLConnection.

const (
	javaAgent  = "Java/17.0.15"
	javaAccept = "text/html, image/gif, image/jpeg, */*; q=0.2"
)

// javaMethods are those that HttpURLConnection takes.
var javaMethods = []string{"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"}

// javaBody says whether the Java implementation sends a body.
func (c *call) javaBody(method string, h hop) bool {
	return h != redirect && (method == "POST" || method == "PUT" && (c.raw || len(c.files) > 0))
}

// appendJavaHead is appendHead for the Java implementation.
func (c *call) appendJavaHead(dst []byte, p *headParts) []byte {
	kind, agent, accept := false, false, false
	for i := range c.lines.list {
		name, value := c.lines.name(i), c.lines.value(i)
		switch {
		case equalFold(name, "Host"), equalFold(name, "Content-Length"), equalFold(name, "Connection"):
			continue // restricted by Java
		case equalFold(name, "Content-Type"):
			if p.body && p.content.multipart {
				continue
			}
			kind = true
		case equalFold(name, "User-Agent"):
			agent = true
		case equalFold(name, "Accept"):
			accept = true
		}
		dst = append(appendHeaderBytes(dst, name), ": "...)
		dst = append(appendHeaderBytes(dst, value), "\r\n"...)
	}
	line := func(name, value string) {
		if value != "" {
			dst = append(append(dst, name...), ": "...)
			dst = append(appendHeaderText(dst, value), "\r\n"...)
		}
	}
	line("If-Modified-Since", p.conditional.modified)
	line("If-None-Match", p.conditional.etag)
	line("Cookie", p.cookie)
	line("Authorization", p.authorize)
	line("Proxy-Authorization", p.proxyAuth)
	if p.body && !kind {
		if p.content.kind == "" || strings.HasPrefix(p.content.kind, typeForm) || strings.HasPrefix(p.content.kind, typeText) {
			line("Content-Type", typeForm)
		} else {
			line("Content-Type", p.content.kind)
		}
	}
	if !agent {
		line("User-Agent", javaAgent)
	}
	dst = append(p.to.appendHostHeader(append(dst, "Host: "...)), "\r\n"...)
	if !accept {
		line("Accept", javaAccept)
	}
	if c.keepAlive {
		line("Connection", "keep-alive")
	} else {
		line("Connection", "close")
	}
	if p.body {
		line("Content-Length", strconv.FormatInt(p.content.size, 10))
	}
	return dst
}

// javaError words an error as java.net does.
func javaError(err error, host string) error {
	var e *wire.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Class {
	case "org.apache.http.conn.HttpHostConnectException":
		return &wire.Error{Class: "java.net.ConnectException", Message: "Connection refused", Cause: err}
	case "org.apache.http.conn.ConnectTimeoutException":
		return &wire.Error{Class: "java.net.SocketTimeoutException", Message: "Connect timed out", Cause: err}
	case "org.apache.http.NoHttpResponseException":
		return &wire.Error{Class: "java.net.SocketException", Message: "Unexpected end of file from server", Cause: err}
	case "org.apache.http.ConnectionClosedException":
		return &wire.Error{Class: "java.io.IOException", Message: "Premature EOF", Cause: err}
	case "java.net.UnknownHostException":
		return &wire.Error{Class: e.Class, Message: host, Cause: err}
	}
	return err
}

func init() {
	elem.Register[oldSampler](elem.Spec{
		Class: "HTTPSampler_", Title: "HTTP Request (Java)", Kind: elem.KindSampler, Status: elem.Partial, Merge: merged,
		Note: "as an HTTP Request with the Java implementation",
	})
}

// oldSampler is the class of old plans that always was the Java implementation.
type oldSampler struct{ sampler }

func (s *oldSampler) Props(p *elem.Props) {
	s.sampler.Props(p)
	s.text[propImplementation] = expr.Const("Java")
}

var _ elem.Sampler = (*oldSampler)(nil)
