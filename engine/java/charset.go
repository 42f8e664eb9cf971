package java

import "github.com/gojm/gojm/jtl/charset"

// Charset is java.nio.charset.Charset.
type Charset = charset.Charset

// UTF8 is the charset UTF-8.
var UTF8 = charset.UTF8

// LookupCharset is Charset.forName.
func LookupCharset(name string) (*Charset, bool) { return charset.Lookup(name) }
