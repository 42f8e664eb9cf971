package http

import (
	"fmt"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[keystoreConfig](elem.Spec{Class: "KeystoreConfig", Title: "Keystore Configuration", Kind: elem.KindConfig, Status: elem.Full})
}

// keystoreConfig says which certificates of the key store are presented to
// servers: those of a range in turn, or that whose alias a variable has (JMeter
// manual, Keystore Configuration). It counts for the whole plan, wherever it
// stands.
type keystoreConfig struct {
	certificates *certificates
	cached       bool   // https.use.cached.ssl.context
	says         string // for the log
}

const logKeystore = "o.a.j.c.KeystoreConfig"

func (c *keystoreConfig) Props(p *elem.Props) {
	c.certificates = sharedOf(p).certificates
	text := func(name, def, doc string) string {
		var t expr.Text
		p.Text(&t, name, def, doc)
		if p.Compiler() == nil {
			return def
		}
		return t.Eval(p.Compiler().Engine)
	}
	number := func(name string, def int64, doc string) int {
		value := text(name, "", doc)
		n, ok := vu.ParseInt(value)
		switch {
		case value == "":
			n = int32(def)
		case !ok:
			n = int32(def)
			p.Note("value", name, "%q is not a number, %d is taken", value, n)
		}
		return int(n)
	}
	preload := text("preload", "True", "read the key store at the start")
	variable := text("clientCertAliasVarName", "", "variable that holds the alias; without one the certificates are presented in turn")
	if p.Run() == nil {
		number("startIndex", 0, "number of the first certificate, from 0")
		number("endIndex", -1, "number of the last certificate; -1 is the last of all")
		return
	}
	first := number("startIndex", p.Run().Props.Int("https.keyStoreStartIndex", 0), "number of the first certificate, from 0")
	last := number("endIndex", p.Run().Props.Int("https.keyStoreEndIndex", -1), "number of the last certificate; -1 is the last of all")
	switch {
	case last != -1 && first > last:
		p.Wrong("startIndex", "%d is more than endIndex, %d", first, last)
	case first < 0:
		p.Wrong("startIndex", "%d is less than 0", first)
	}
	c.certificates.configure(isTrue(preload), first, last, variable)
	cached := p.Property("https.use.cached.ssl.context", "")
	c.cached = cached == "" || cached == "true"
	c.says = fmt.Sprintf("Configuring Keystore with (preload: '%s', startIndex: %d, endIndex: %d, clientCertAliasVarName: '%s')", preload, first, last, variable)
}

// TestStart writes what JMeter writes into its log, and reads the keys.
func (c *keystoreConfig) TestStart(r *vu.Run) error {
	if c.cached {
		r.Log.Warn("https.use.cached.ssl.context property must be set to false to ensure Multiple Certificates are used", "logger", logKeystore)
	}
	r.Log.Info(c.says, "logger", logKeystore)
	return c.certificates.load(r.Log)
}

var _ elem.TestStarter = (*keystoreConfig)(nil)
