package engine

// unsupportedFunctions are functions of JMeter 5.6.3 and of its usual plug-ins.
// A reference to one that is not registered would do something in the user's
// JMeter, so it is refused; any other unknown name stays text there as well.
var unsupportedFunctions = set(
	"__BeanShell", "__char", "__changeCase", "__counter", "__CSVRead", "__dateTimeConvert", "__digest",
	"__escapeHtml", "__escapeOroRegexpChars", "__escapeXml", "__eval", "__evalVar", "__FileToString",
	"__groovy", "__intSum", "__isPropDefined", "__isVarDefined", "__javaScript", "__jexl2", "__jexl3",
	"__log", "__logn", "__longSum", "__machineIP", "__machineName", "__P", "__property", "__Random",
	"__RandomDate", "__RandomFromMultipleVars", "__RandomString", "__regexFunction", "__samplerName",
	"__setProperty", "__split", "__StringFromFile", "__StringToFile", "__TestPlanName", "__threadGroupName",
	"__threadNum", "__time", "__timeShift", "__unescape", "__unescapeHtml", "__urldecode", "__urlencode",
	"__UUID", "__V", "__XPath",
	"__chooseRandom", "__doubleSum", "__isDefined", "__MD5", "__base64Encode", "__base64Decode", "__strLen",
	"__substring", "__strReplace", "__strReplaceRegex", "__uppercase", "__lowercase", "__caseFormat", "__if",
	"__env", "__iterationNum", "__fifoPut", "__fifoPop", "__fifoGet", "__fifoSize", "__tstFeedback",
)

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}
