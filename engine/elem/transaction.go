package elem

import (
	"hash/crc32"
	"strconv"

	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// TransactionPrefix begins the message of every transaction's row; JMeter's
// tools recognise the rows by it.
const TransactionPrefix = "Number of samples in transaction : "

// Transaction is one pass of a Transaction Controller in parent mode: while it
// lasts, Sub is what runs inside; once Done, Result is the row.
type Transaction struct {
	Sub    Pick
	Done   bool
	Result *jtl.Sample
	Scope  *TransactionScope
	// Add takes a finished child into the result.
	Add func(s *jtl.Sample)
}

// TransactionScope is what applies to a transaction's own row.
type TransactionScope struct {
	Assertions []Assertion
	Listeners  []Listener
}

// Transactional controllers are given their scope when the plan is compiled.
type Transactional interface{ BindTransaction(s *TransactionScope) }

// LastStepVar is the variable in which JMeter keeps the last sampler's package.
const LastStepVar = "JMeterThread.pack"

// LastStep is the step that the thread ran last, nil before the first.
func LastStep(t *vu.Thread) *Step {
	s, _ := t.Vars.Object(LastStepVar).(*Step)
	return s
}

// String is what JMeter prints of the package; the number behind the @, which
// differs from run to run, stands for the step.
func (s *Step) String() string {
	number := crc32.ChecksumIEEE([]byte(s.Place))&(1<<31-1) | 1<<28
	return "org.apache.jmeter.threads.SamplePackage@" + strconv.FormatUint(uint64(number), 16)
}
