package config

import "github.com/gojm/gojm/engine/elem"

func init() {
	elem.Register[merged](elem.Spec{
		Class: "ConfigTestElement", GUI: "SimpleConfigGui", Title: "Simple Config Element", Kind: elem.KindConfig, Status: elem.Full,
	})
	elem.Register[merged](elem.Spec{
		Class: "ConfigTestElement", GUI: "LoginConfigGui", Title: "Login Config Element", Kind: elem.KindConfig, Status: elem.Full,
	})
	// the class of plans that programs wrote
	elem.Register[merged](elem.Spec{Class: "LoginConfig", Title: "Login Config Element", Kind: elem.KindConfig, Status: elem.Full})
}

// merged holds properties for the samplers in its scope, which take over those
// that they lack: Simple Config Element any, Login Config Element a user's.
type merged struct{}

func (*merged) Props(p *elem.Props) { p.IgnoreRest() }
