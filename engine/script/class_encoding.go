package script

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net"
	"os"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// charsetObject is java.nio.charset.Charset.
type charsetObject struct{ c *java.Charset }

func (*charsetObject) JavaClass() *Class { return charsetClass }
func (c *charsetObject) String() string  { return c.c.Name() }

// localeObject is java.util.Locale.
type localeObject struct{ l java.Locale }

func (*localeObject) JavaClass() *Class { return localeClass }
func (l *localeObject) String() string  { return l.l.String() }

// coder is a Base64 encoder or decoder.
type coder struct {
	enc    *base64.Encoding
	decode bool
}

func (*coder) JavaClass() *Class { return coderClass }

func initEncodings() {
	get := func(e *base64.Encoding, decode bool) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return &coder{e, decode}, nil })
	}
	base64Class.Static = Methods{
		"getEncoder": get(base64.StdEncoding, false), "getUrlEncoder": get(base64.URLEncoding, false), "getMimeEncoder": get(base64.StdEncoding, false),
		"getDecoder": get(base64.StdEncoding, true), "getUrlDecoder": get(base64.URLEncoding, true), "getMimeDecoder": get(base64.StdEncoding, true),
	}
	NewClass("java.util.Base64.Decoder", coderClass)
	coderClass.Methods = Methods{
		"encodeToString": method(1, 1, func(c *Call) (Value, error) { return c.Self.(*coder).enc.EncodeToString(c.bytes(0)), nil }),
		"encode": method(1, 1, func(c *Call) (Value, error) {
			return &Bytes{[]byte(c.Self.(*coder).enc.EncodeToString(c.bytes(0)))}, nil
		}),
		"decode": method(1, 1, func(c *Call) (Value, error) {
			b, err := decodeBase64(string(c.bytes(0)))
			if err != nil {
				return nil, throw("java.lang.IllegalArgumentException", "Illegal base64 character")
			}
			return &Bytes{b}, nil
		}),
		"withoutPadding": method(0, 0, func(c *Call) (Value, error) {
			return &coder{enc: c.Self.(*coder).enc.WithPadding(base64.NoPadding)}, nil
		}),
	}
	encode := func(text bool, e *base64.Encoding) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			s := e.EncodeToString(c.bytes(0))
			if text {
				return s, nil
			}
			return &Bytes{[]byte(s)}, nil
		})
	}
	decode := method(1, 1, func(c *Call) (Value, error) {
		b, _ := decodeBase64(string(c.bytes(0)))
		return &Bytes{b}, nil
	})
	codecBase64.New = method(0, 1, func(c *Call) (Value, error) { return &enumValue{class: codecBase64, name: "Base64"}, nil })
	codecBase64.Static = Methods{"encodeBase64String": encode(true, base64.StdEncoding), "encodeBase64": encode(false, base64.StdEncoding),
		"encodeBase64URLSafeString": encode(true, base64.RawURLEncoding), "decodeBase64": decode}
	codecBase64.Methods = Methods{"encode": encode(false, base64.StdEncoding), "encodeToString": encode(true, base64.StdEncoding), "encodeAsString": encode(true, base64.StdEncoding), "decode": decode}
	codecHex.Static = Methods{
		"encodeHexString": method(1, 2, func(c *Call) (Value, error) { return hex.EncodeToString(c.bytes(0)), nil }),
		"encodeHex":       method(1, 2, func(c *Call) (Value, error) { return charArray(hex.EncodeToString(c.bytes(0))), nil }),
		"decodeHex": method(1, 1, func(c *Call) (Value, error) {
			b, err := hex.DecodeString(groovyString(c.Args[0]))
			if err != nil {
				return nil, throw("org.apache.commons.codec.DecoderException", "%s", err.Error())
			}
			return &Bytes{b}, nil
		}),
	}
	urlEncoder.Static = Methods{"encode": method(1, 2, func(c *Call) (Value, error) {
		cs, err := charset(c, 1)
		if err != nil {
			return nil, err
		}
		return java.URLEncode(c.Str(0), cs), nil
	})}
	urlDecoder.Static = Methods{"decode": method(1, 2, func(c *Call) (Value, error) {
		cs, err := charset(c, 1)
		if err != nil {
			return nil, err
		}
		return errValue(java.URLDecode(c.Str(0), cs))
	})}
	standardSets.Fields = map[string]Value{}
	for field, n := range map[string]string{"UTF_8": "UTF-8", "ISO_8859_1": "ISO-8859-1", "US_ASCII": "US-ASCII", "UTF_16": "UTF-16", "UTF_16BE": "UTF-16BE", "UTF_16LE": "UTF-16LE"} {
		if c, ok := java.LookupCharset(n); ok {
			standardSets.Fields[field] = &charsetObject{c}
		}
	}
	charsetClass.Static = Methods{
		"forName": method(1, 1, func(c *Call) (Value, error) {
			cs, ok := java.LookupCharset(c.Str(0))
			if !ok {
				return nil, throw("java.nio.charset.UnsupportedCharsetException", "%s", c.Str(0))
			}
			return &charsetObject{cs}, nil
		}),
		"defaultCharset": method(0, 0, func(c *Call) (Value, error) { return &charsetObject{java.UTF8}, nil }),
	}
	charsetClass.Methods = Methods{"name": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*charsetObject).c.Name(), nil })}
	localeClass.Fields = map[string]Value{}
	for n, l := range map[string]java.Locale{"ENGLISH": {Language: "en"}, "US": {Language: "en", Country: "US"}, "UK": {Language: "en", Country: "GB"}, "ROOT": {},
		"GERMAN": {Language: "de"}, "GERMANY": {Language: "de", Country: "DE"}, "FRENCH": {Language: "fr"}, "FRANCE": {Language: "fr", Country: "FR"}, "ITALY": {Language: "it", Country: "IT"}} {
		localeClass.Fields[n] = &localeObject{l}
	}
	localeClass.New = method(1, 2, func(c *Call) (Value, error) {
		l := java.Locale{Language: strings.ToLower(c.Str(0))}
		if c.N() == 2 {
			l.Country = strings.ToUpper(c.Str(1))
		}
		return &localeObject{l}, nil
	})
	localeClass.Static = Methods{"getDefault": method(0, 0, func(c *Call) (Value, error) { return &localeObject{java.JMeter}, nil })}
	inetClass.Static = Methods{"getLocalHost": method(0, 0, func(c *Call) (Value, error) { return &enumValue{class: inetClass}, nil })}
	inetClass.Methods = Methods{
		"getHostName": method(0, 0, func(c *Call) (Value, error) { return errValue(os.Hostname()) }),
		"getHostAddress": method(0, 0, func(c *Call) (Value, error) {
			n, _ := os.Hostname()
			if a, err := net.LookupIP(n); err == nil && len(a) > 0 {
				return a[0].String(), nil
			}
			return "127.0.0.1", nil
		}),
	}
	arrayEncoders()
}

// arrayEncoders are Groovy's encodeBase64() and encodeHex() of byte arrays.
func arrayEncoders() {
	for n, e := range map[string]func([]byte) string{"encodeBase64": base64.StdEncoding.EncodeToString, "encodeBase64Url": base64.RawURLEncoding.EncodeToString, "encodeHex": hex.EncodeToString,
		"md5": func(b []byte) string { s := md5.Sum(b); return hex.EncodeToString(s[:]) }, "sha256": func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }} {
		arrayBase.Groovy[n] = method(0, 1, func(c *Call) (Value, error) {
			b, ok := c.Self.(*Bytes)
			if !ok {
				return nil, missingMethod(c.Self, n, c.Args)
			}
			return e(b.B), nil
		})
	}
}
