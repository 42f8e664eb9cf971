package jtl

// Column is one of the columns JMeter can write to a CSV result file, in the
// order in which it writes them.
type Column uint8

// The columns of JMeter 5.6.3 (manual, "Listeners", section "CSV Log format").
const (
	ColTimeStamp Column = iota
	ColElapsed
	ColLabel
	ColCode
	ColMessage
	ColThreadName
	ColDataType
	ColSuccess
	ColFailureMessage
	ColBytes
	ColSentBytes
	ColGroupThreads
	ColAllThreads
	ColURL
	ColFileName
	ColLatency
	ColEncoding
	ColSampleCount
	ColErrorCount
	ColHostname
	ColIdleTime
	ColConnect

	numColumns
	// colExtra marks a column that JMeter does not know: a sample variable, or
	// what another tool added.
	colExtra
)

var columnNames = [numColumns]string{
	"timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success",
	"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Filename", "Latency", "Encoding",
	"SampleCount", "ErrorCount", "Hostname", "IdleTime", "Connect",
}

// String is the name of the column in a header line.
func (c Column) String() string {
	if c < numColumns {
		return columnNames[c]
	}
	return "extra"
}

// columnByName finds a column by its exact name.
func columnByName(name string) (Column, bool) {
	for c, n := range columnNames {
		if n == name {
			return Column(c), true
		}
	}
	return 0, false
}

// defaultLayouts holds, by number of fields, what each JMeter wrote by default;
// it is how a file without a header is understood.
var defaultLayouts = map[int][]Column{
	// 1.9 to 2.2
	8: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess},
	// 2.3 to 2.11
	10: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess,
		ColBytes, ColLatency},
	// 2.12 and 2.13
	12: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess,
		ColBytes, ColGroupThreads, ColAllThreads, ColLatency},
	// 3.0
	14: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess,
		ColFailureMessage, ColBytes, ColGroupThreads, ColAllThreads, ColLatency, ColIdleTime},
	// 3.1 to 4.0
	16: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess,
		ColFailureMessage, ColBytes, ColSentBytes, ColGroupThreads, ColAllThreads, ColLatency, ColIdleTime, ColConnect},
	// 5.0 to 5.6.3
	17: {ColTimeStamp, ColElapsed, ColLabel, ColCode, ColMessage, ColThreadName, ColDataType, ColSuccess,
		ColFailureMessage, ColBytes, ColSentBytes, ColGroupThreads, ColAllThreads, ColURL, ColLatency, ColIdleTime, ColConnect},
}
