package config

import "github.com/gojm/gojm/engine/elem"

// inert are elements that do nothing in a run from the command line, in JMeter
// either: tools of its window, and what old versions had and 5.6.3 loads and
// forgets.
var inert = []elem.Spec{
	{Class: "ProxyControl", Title: "HTTP(S) Test Script Recorder", Note: "records in JMeter's window only"},
	{Class: "HttpMirrorControl", Title: "HTTP Mirror Server", Note: "serves from JMeter's window only"},
	{Class: "WorkBench", Title: "WorkBench", Note: "the scratch pad of versions before 4.0"},
	{Class: "ConfigTestElement", GUI: "PropertyControlGui", Title: "Property Display", Note: "shows properties in JMeter's window"},
}

func init() {
	for _, s := range inert {
		s.Kind, s.Status = elem.KindOther, elem.Inert
		elem.RegisterName(s)
	}
	elem.Register[obsolete](elem.Spec{
		Class: "ConfigTestElement", Title: "Element of an old JMeter", Kind: elem.KindOther, Status: elem.Inert,
		Note: "SOAP/XML-RPC Request, WebService Request, HTML Parameter Mask, Monitor Results: JMeter 5.6.3 loads them and does nothing",
	})
	elem.Register[perfMon](elem.Spec{
		Class: "kg.apc.jmeter.perfmon.PerfMonCollector", Title: "jp@gc PerfMon Metrics Collector", Kind: elem.KindListener, Status: elem.Partial,
		Note: "the plan runs, the metrics of servers are not collected",
	})
}

// obsolete stands for what is gone. Where it was a sampler the user is told, since
// the plan does less than it seems to.
type obsolete struct{}

func (*obsolete) Props(p *elem.Props) {
	if p.GUI() == "ObsoleteGui" {
		p.Note("element", "ObsoleteGui", "an element of old JMeters, which JMeter 5.6.3 does not run either")
	}
	p.IgnoreRest()
}

// perfMon would poll agents on the servers under test.
type perfMon struct{}

func (*perfMon) Props(p *elem.Props) {
	p.Note("element", "PerfMonCollector", "the metrics of servers are not collected")
	p.IgnoreRest()
}
