package jmx

import (
	"slices"
	"strings"
)

// This file is the declared table of JMeter 5.6.3's names: the aliases of
// bin/saveservice.properties and the renames of bin/upgrade.properties. A name
// in a plan may be an alias or a full class name, everywhere.

const core = "org.apache.jmeter." // prefix of every package below

// ClassInfo is one test element class of JMeter 5.6.3.
type ClassInfo struct {
	Alias string // the short name, canonical in this package
	Full  string // the class with its package
	Inner bool   // only found inside another element, or inside JMeter itself: never a node of a plan
}

// Classes lists every test element class that JMeter 5.6.3 ships, by alias.
// (It ships none without an alias.)
func Classes() []ClassInfo { return slices.Clone(classes) }

// elements, by package; * marks those that are never a node of a plan.
var elements = []struct{ pkg, names string }{
	{"assertions", "BSFAssertion BeanShellAssertion CompareAssertion DurationAssertion HTMLAssertion JSONPathAssertion JSR223Assertion MD5HexAssertion ResponseAssertion SizeAssertion SubstitutionElement* XMLAssertion XMLSchemaAssertion XPath2Assertion XPathAssertion SMIMEAssertion=SMIMEAssertionTestElement"},
	{"assertions.jmespath", "JMESPathAssertion"},
	{"config", "Argument* Arguments CSVDataSet ConfigTestElement KeystoreConfig LoginConfig RandomVariableConfig"},
	{"control", "CriticalSectionController ForeachController GenericController IfController IncludeController InterleaveControl LoopController ModuleController OnceOnlyController RandomController RandomOrderController RunTime SwitchController TestFragmentController ThroughputController TransactionController TransactionSampler* WhileController"},
	{"extractor", "BSFPostProcessor BeanShellPostProcessor BoundaryExtractor DebugPostProcessor HtmlExtractor JSR223PostProcessor RegexExtractor XPath2Extractor XPathExtractor"},
	{"extractor.json.jmespath", "JMESPathExtractor"},
	{"extractor.json.jsonpath", "JSONPostProcessor"},
	{"modifiers", "BSFPreProcessor BeanShellPreProcessor CounterConfig JSR223PreProcessor SampleTimeout UserParameters"},
	{"protocol.bolt.config", "BoltConnectionElement"},
	{"protocol.bolt.sampler", "BoltSampler"},
	{"protocol.ftp.sampler", "FTPSampler"},
	{"protocol.http.control", "AuthManager Authorization* CacheManager Cookie* CookieManager DNSCacheManager Header* HeaderManager HttpMirrorControl RecordingController StaticHost*"},
	{"protocol.http.modifier", "AnchorModifier RegExUserParameters URLRewritingModifier"},
	{"protocol.http.proxy", "ProxyControl"},
	{"protocol.http.sampler", "AccessLogSampler AjpSampler HTTPSamplerProxy HTTPSampler_=HTTPSampler"},
	{"protocol.http.util", "HTTPArgument* HTTPFileArg* HTTPFileArgs*"},
	{"protocol.java.config", "JavaConfig"},
	{"protocol.java.sampler", "BSFSampler BeanShellSampler JSR223Sampler JUnitSampler JavaSampler"},
	{"protocol.jdbc.config", "JDBCDataSource=DataSourceElement"},
	{"protocol.jdbc.processor", "JDBCPostProcessor JDBCPreProcessor"},
	{"protocol.jdbc.sampler", "JDBCSampler"},
	{"protocol.jms.sampler", "JMSProperties* JMSProperty* JMSSampler PublisherSampler SubscriberSampler"},
	{"protocol.ldap.config.gui", "LDAPArgument* LDAPArguments*"},
	{"protocol.ldap.sampler", "LDAPExtSampler LDAPSampler"},
	{"protocol.mail.sampler", "MailReaderSampler"},
	{"protocol.mongodb.config", "MongoSourceElement"},
	{"protocol.mongodb.sampler", "MongoScriptSampler"},
	{"protocol.smtp.sampler", "SmtpSampler"},
	{"protocol.system", "SystemSampler"},
	{"protocol.tcp.sampler", "TCPSampler"},
	{"reporters", "MailerModel* MailerResultCollector ResultAction ResultCollector ResultSaver Summariser"},
	{"sampler", "DebugSampler TestAction"},
	{"samplers", "RemoteListenerWrapper* RemoteSampleListenerWrapper* RemoteTestListenerWrapper*"},
	{"testelement", "TestPlan WorkBench"},
	{"threads", "PostThreadGroup RemoteThreadsListenerWrapper* SetupThreadGroup ThreadGroup"},
	{"threads.openmodel", "OpenModelThreadGroup OpenModelThreadGroupController*"},
	{"timers", "BSFTimer BeanShellTimer ConstantThroughputTimer ConstantTimer GaussianRandomTimer JSR223Timer PoissonRandomTimer SyncTimer UniformRandomTimer"},
	{"timers.poissonarrivals", "PreciseThroughputTimer"},
	{"visualizers", "BSFListener BeanShellListener JSR223Listener"},
	{"visualizers.backend", "BackendListener"},
}

// others are the aliases of classes that are no test elements: the GUI classes,
// the classes of values, and those removed since (which renamed leads on).
var others = []struct{ pkg, names string }{
	{"assertions.gui", "AssertionGui BeanShellAssertionGui DurationAssertionGui HTMLAssertionGui JSONPathAssertionGui MD5HexAssertionGUI SMIMEAssertionGui SizeAssertionGui XMLAssertionGui XMLSchemaAssertionGUI XPath2AssertionGui XPathAssertionGui"},
	{"assertions.jmespath.gui", "JMESPathAssertionGui"},
	{"config.gui", "ArgumentsPanel LoginConfigGui ObsoleteGui SimpleConfigGui"},
	{"control.gui", "CriticalSectionControllerGui ForeachControlPanel IfControllerPanel IncludeControllerGui InterleaveControlGui LogicControllerGui LoopControlPanel ModuleControllerGui OnceOnlyControllerGui RandomControlGui RandomOrderControllerGui RunTimeGui SwitchControllerGui TestFragmentControllerGui TestPlanGui ThroughputControllerGui TransactionControllerGui WhileControllerGui WorkBenchGui"},
	{"extractor.gui", "BoundaryExtractorGui HtmlExtractorGui RegexExtractorGui XPath2ExtractorGui XPathExtractorGui"},
	{"extractor.json.jmespath.gui", "JMESPathExtractorGui"},
	{"extractor.json.jsonpath.gui", "JSONPostProcessorGui"},
	{"gui", "NamePanel"},
	{"modifiers.gui", "CounterConfigGui SampleTimeoutGui UserParametersGui"},
	{"protocol.ftp.config.gui", "FtpConfigGui"},
	{"protocol.ftp.control.gui", "FtpTestSamplerGui"},
	{"protocol.http.config.gui", "HttpDefaultsGui"},
	{"protocol.http.control.gui", "AjpSamplerGui GraphQLHTTPSamplerGui HttpMirrorControlGui HttpTestSampleGui RecordController SoapSamplerGui WebServiceSamplerGui"},
	{"protocol.http.gui", "AuthPanel CacheManagerGui CookiePanel DNSCachePanel HTTPArgumentsPanel HeaderPanel"},
	{"protocol.http.modifier", "ParamMask ParamModifier UserParameterModifier"},
	{"protocol.http.modifier.gui", "AnchorModifierGui ParamModifierGui RegExUserParametersGui URLRewritingModifierGui UserParameterModifierGui"},
	{"protocol.http.proxy.gui", "ProxyControlGui"},
	{"protocol.http.sampler", "HTTPSampler2_=HTTPSampler2 SoapSampler WebServiceSampler"},
	{"protocol.java.config.gui", "JavaConfigGui"},
	{"protocol.java.control.gui", "BSFSamplerGui BeanShellSamplerGui JUnitTestSamplerGui JavaTestSamplerGui"},
	{"protocol.java.test", "JavaTest"},
	{"protocol.jdbc.config.gui", "SqlConfigGui"},
	{"protocol.jms.control.gui", "JMSConfigGui JMSPublisherGui JMSSamplerGui JMSSubscriberGui JndiDefaultsGui"},
	{"protocol.ldap.config.gui", "LDAPArgumentsPanel LdapConfigGui LdapExtConfigGui"},
	{"protocol.ldap.control.gui", "LdapExtTestSamplerGui LdapTestSamplerGui"},
	{"protocol.mail.sampler.gui", "MailReaderSamplerGui"},
	{"protocol.smtp.sampler.gui", "SmtpSamplerGui"},
	{"protocol.system.gui", "SystemSamplerGui"},
	{"protocol.tcp.config.gui", "TCPConfigGui"},
	{"protocol.tcp.control.gui", "TCPSamplerGui"},
	{"reporters.gui", "ResultActionGui ResultSaverGui SummariserGui"},
	{"sampler.gui", "TestActionGui"},
	{"samplers", "SampleSaveConfiguration"},
	{"testbeans.gui", "TestBeanGUI"},
	{"threads", "ReflectionThreadGroup"},
	{"threads.gui", "PostThreadGroupGui SetupThreadGroupGui ThreadGroupGui"},
	{"threads.openmodel.gui", "OpenModelThreadGroupGui"},
	{"timers.gui", "ConstantTimerGui GaussianRandomTimerGui PoissonRandomTimerGui UniformRandomTimerGui"},
	{"visualizers", "AssertionVisualizer ComparisonVisualizer DistributionGraphVisualizer GraphAccumVisualizer GraphVisualizer MailerVisualizer MonitorHealthVisualizer PropertyControlGui RespTimeGraphVisualizer SimpleDataWriter SplineVisualizer StatGraphVisualizer StatVisualizer SummaryReport TableVisualizer ViewResultsFullVisualizer monitorStats=MonitorStats"},
	{"visualizers.backend", "BackendListenerGui"},
}

// more are second aliases of a class.
var more = map[string]string{
	"HTTPSampler":        "HTTPSamplerProxy",
	"HTTPSampler2":       "HTTPSamplerProxy",
	"HttpTestSampleGui2": "HttpTestSampleGui",
}

// renamed leads from the full name of a class that is gone, less the core
// prefix, to the alias of the one that stands for it.
var renamed = map[string]string{
	"assertions.Assertion":                  "ResponseAssertion",
	"protocol.http.sampler.HTTPSamplerFull": "HTTPSampler_",

	// These load and do nothing: no sample, no error.
	"protocol.http.modifier.ParamMask":             "ConfigTestElement",
	"protocol.http.modifier.ParamModifier":         "ConfigTestElement",
	"protocol.http.modifier.UserParameterModifier": "ConfigTestElement",
	"protocol.http.sampler.HTTPSampler2":           "ConfigTestElement",
	"protocol.http.sampler.SoapSampler":            "ConfigTestElement",
	"protocol.http.sampler.WebServiceSampler":      "ConfigTestElement",
	"visualizers.MonitorStats":                     "ConfigTestElement",

	"control.gui.RecordController":                  "RecordController",
	"protocol.http.config.gui.UrlConfigGui":         "HttpDefaultsGui",
	"protocol.http.control.gui.AccessLogSamplerGui": "TestBeanGUI",
	"protocol.java.control.gui.BSFSamplerGui":       "TestBeanGUI",
	"protocol.jdbc.config.gui.DbConfigGui":          "TestBeanGUI",
	"protocol.jdbc.config.gui.PoolConfigGui":        "TestBeanGUI",
	"protocol.jdbc.control.gui.JdbcTestSampleGui":   "TestBeanGUI",
	"protocol.jms.control.gui.JMSConfigGui":         "JMSSamplerGui",
	"timers.gui.ConstantThroughputTimerGui":         "TestBeanGUI",

	"protocol.http.control.gui.SoapSamplerGui":            "ObsoleteGui",
	"protocol.http.control.gui.WebServiceSamplerGui":      "ObsoleteGui",
	"protocol.http.modifier.gui.ParamModifierGui":         "ObsoleteGui",
	"protocol.http.modifier.gui.UserParameterModifierGui": "ObsoleteGui",
	"protocol.jdbc.config.gui.SqlConfigGui":               "ObsoleteGui",
	"protocol.jms.control.gui.JndiDefaultsGui":            "ObsoleteGui",
	"threads.ReflectionThreadGroup":                       "ObsoleteGui",
	"visualizers.DistributionGraphVisualizer":             "ObsoleteGui",
	"visualizers.GraphAccumVisualizer":                    "ObsoleteGui",
	"visualizers.MonitorHealthVisualizer":                 "ObsoleteGui",
	"visualizers.SplineVisualizer":                        "ObsoleteGui",
}

// renamedWithGUI holds the renames that depend on both names: class|guiclass.
var renamedWithGUI = map[string]string{
	core + "config.ConfigTestElement|" + core + "protocol.jdbc.config.gui.DbConfigGui":   "JDBCDataSource",
	core + "config.ConfigTestElement|" + core + "protocol.jdbc.config.gui.PoolConfigGui": "JDBCDataSource",
}

// renamedProps holds, by class of the node, the properties that have a new name;
// "" drops the property.
var renamedProps = map[string]map[string]string{
	"AccessLogSampler": {
		"AccessLogSampler.log_file":          "logFile",
		"AccessLogSampler.parser_class_name": "parserClassName",
		"HTTPSampler.domain":                 "domain",
		"HTTPSampler.image_parser":           "imageParsing",
		"HTTPSampler.port":                   "portString",
	},
	"BSFSampler": {
		"BSFSampler.filename":   "filename",
		"BSFSampler.language":   "scriptLanguage",
		"BSFSampler.parameters": "parameters",
		"BSFSampler.query":      "script",
	},
	"ConfigTestElement":       {"JDBCSampler.query": "query"},
	"ConstantThroughputTimer": {"ConstantThroughputTimer.throughput": "throughput"},
	"Header":                  {"TestElement.name": "Header.name"},
	"JDBCDataSource": {
		"ConfigTestElement.password": "password",
		"ConfigTestElement.username": "username",
		"JDBCSampler.connPoolClass":  "",
		"JDBCSampler.connections":    "",
		"JDBCSampler.driver":         "driver",
		"JDBCSampler.maxuse":         "poolMax",
		"JDBCSampler.query":          "query",
		"JDBCSampler.url":            "dbUrl",
	},
	"JDBCSampler": {"JDBCSampler.query": "query"},
}

// kinds leads from the tag of a property, short or full, to its kind.
var kinds = map[string]Kind{}

// tags are the tags of the kinds, kindClasses their Java classes.
var (
	tags        = [...]string{"stringProp", "boolProp", "intProp", "longProp", "doubleProp", "FloatProperty", "collectionProp", "mapProp", "elementProp", "objProp"}
	kindClasses = [...]string{"StringProperty", "BooleanProperty", "IntegerProperty", "LongProperty", "DoubleProperty", "FloatProperty", "CollectionProperty", "MapProperty", "TestElementProperty", "ObjectProperty"}
)

var (
	classes   []ClassInfo
	aliasFull = map[string]string{} // alias -> full
	fullAlias = map[string]string{} // full -> alias, the canonical one
)

func init() {
	declare := func(pkg, names string, element bool) {
		for name := range strings.FieldsSeq(names) {
			name, inner := strings.CutSuffix(name, "*")
			alias, class, ok := strings.Cut(name, "=")
			if !ok {
				class = alias
			}
			full := core + pkg + "." + class
			aliasFull[alias], fullAlias[full] = full, alias
			if element {
				classes = append(classes, ClassInfo{Alias: alias, Full: full, Inner: inner})
			}
		}
	}
	for _, p := range elements {
		declare(p.pkg, p.names, true)
	}
	for _, p := range others {
		declare(p.pkg, p.names, false)
	}
	for alias, of := range more {
		aliasFull[alias] = aliasFull[of]
	}
	slices.SortFunc(classes, func(a, b ClassInfo) int { return strings.Compare(a.Alias, b.Alias) })
	for i, tag := range tags {
		kinds[tag] = Kind(i)
		kinds[core+"testelement.property."+kindClasses[i]] = Kind(i)
	}
}

// FullName is the class with its package that an alias stands for, of a test
// element or a GUI; other names stand for themselves.
func FullName(name string) string { return fullName(name) }

// fullName is the class an alias stands for; other names stand for themselves.
func fullName(name string) string {
	if full, ok := aliasFull[name]; ok {
		return full
	}
	return name
}

// canonical applies the renames to a class name of a file, of a test element or
// a GUI, and gives the alias, or the full name of a class JMeter does not know.
func canonical(name string) string {
	full := fullName(name)
	if rel, ok := strings.CutPrefix(full, core); ok {
		if alias, ok := renamed[rel]; ok {
			return alias
		}
	}
	if alias, ok := fullAlias[full]; ok {
		return alias
	}
	return full
}

// canonicalClass is canonical for a test element of which the guiclass, as in
// the file, may decide too.
func canonicalClass(name, gui string) string {
	if alias, ok := renamedWithGUI[fullName(name)+"|"+fullName(gui)]; ok {
		return alias
	}
	return canonical(name)
}
