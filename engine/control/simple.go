package control

import "github.com/gojm/gojm/engine/elem"

func init() {
	for _, s := range []elem.Spec{
		{Class: "GenericController", Title: "Simple Controller"},
		{Class: "RecordingController", Title: "Recording Controller", Note: "runs as a Simple Controller"},
		{Class: "TestFragmentController", Title: "Test Fragment"},
		{Class: "IncludeController", Title: "Include Controller"},
		{Class: "ModuleController", Title: "Module Controller"},
		{Class: "OpenModelThreadGroupController", Title: "Main controller of an Open Model Thread Group"},
	} {
		s.Kind, s.Status = elem.KindController, elem.Full
		elem.Register[simple](s)
	}
}

// simple runs its children in turn. Includes and modules are Simple Controllers
// by the time a plan is compiled: what they point at stands below them.
type simple struct{ elem.Flow }

func (c *simple) Props(p *elem.Props) {
	p.Ignore("IncludeController.includepath", "ModuleController.node_path")
}

var _ elem.Controller = (*simple)(nil)
