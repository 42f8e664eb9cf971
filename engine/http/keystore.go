package http

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
)

func init() {
	elem.Register[keystoreConfig](elem.Spec{Class: "KeystoreConfig", Title: "Keystore Configuration", Kind: elem.KindConfig, Status: elem.Partial,
		Note: "without a key store it does nothing, as in JMeter; with one it is refused"})
}

// keyStore is the Java system property that names the file of client
// certificates.
const keyStore = "javax.net.ssl.keyStore"

// keystoreConfig chooses client certificates (JMeter manual, Keystore
// Configuration). Without a key store there are none to choose.
type keystoreConfig struct{ alias expr.Text }

func (c *keystoreConfig) Props(p *elem.Props) {
	var ignored expr.Text
	p.Text(&ignored, "preload", "True", "read the key store at the start")
	p.Text(&c.alias, "clientCertAliasVarName", "", "variable that holds the alias")
	p.Text(&ignored, "startIndex", "0", "first alias")
	p.Text(&ignored, "endIndex", "-1", "last alias")
	refuseKeyStore(p)
}

// refuseKeyStore reports a key store, whose certificates would not be sent.
func refuseKeyStore(p *elem.Props) {
	if p.Run() == nil {
		return
	}
	if name, ok := p.Run().Props.System(keyStore); ok && name != "" {
		p.Refuse("property", keyStore, "client certificates are not supported: %s", name)
	}
}
