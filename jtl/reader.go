package jtl

import (
	"bufio"
	"fmt"
	"runtime"
)

// Format is the form of a result file.
type Format uint8

const (
	CSV Format = iota
	XML
	JSON // a sample a line, as Config.AppendJSON writes it
)

func (f Format) String() string {
	switch f {
	case XML:
		return "xml"
	case JSON:
		return "json"
	}
	return "csv"
}

// Row is one sample as a result file tells it. Text fields point into the
// reader's buffer and Row itself is reused: both are valid until the visit
// returns, which must not change them. Quotes and escapes are undone.
//
// A field whose column the file does not have is empty or 0; Info.Has tells.
type Row struct {
	Label, Code, Message, Thread, DataType []byte
	FailureMessage                         []byte
	URL                                    []byte // "null" of CSV is given as empty
	FileName, Encoding, Hostname           []byte
	Extra                                  [][]byte // values of Info.Extra, in its order

	// TimeStamp is what the file says; Start and End follow from it, from
	// Elapsed and from sampleresult.timestamp.start. All epoch milliseconds.
	TimeStamp, Start, End int64

	// Milliseconds.
	Elapsed, Latency, IdleTime, Connect int64

	Bytes, SentBytes         int64
	GroupThreads, AllThreads int64
	// SampleCount and ErrorCount are as the file has them; without those columns
	// they are 1, and 0 or 1 as Success tells.
	SampleCount, ErrorCount int64

	Success bool
	// HTTP tells httpSample from sample in XML, and is told in JSON.
	HTTP bool
	// Depth is 0 for a top-level sample. In CSV, which does not say, it is
	// always 0.
	Depth int

	// Chunk and Line place the row in the file: chunks are numbered from 0 in
	// file order, each is given to one worker from its first row to its last,
	// and Line is the number of the row's first line, from 1.
	Chunk int
	Line  int64

	// Raw is the row as the file has it, without the end of its line; of XML the
	// element of a top-level sample with all that is in it. Only with
	// ReadOptions.Raw.
	Raw []byte
}

// IsTransaction tells whether the row is that of a Transaction Controller, which
// in a result file only its message shows.
func (r *Row) IsTransaction() bool {
	const prefix = "Number of samples in transaction"
	return len(r.Message) >= len(prefix) && string(r.Message[:len(prefix)]) == prefix
}

// Extra is a column that JMeter does not know by name.
type Extra struct {
	Name string // without quotes
	// Variable is set for a sample variable, whose header name stands in quotes.
	// (In XML every extra attribute is one.)
	Variable bool
}

// Info is what a look at the beginning of a result file tells about it.
type Info struct {
	Format     Format
	Compressed string // "", "gz", "zst", "bz2" or "zip"
	// Charset is what the file is in where it is not UTF-8: "UTF-16", or the name
	// that XML gives. What of a file in UTF-8 is not is read as windows-1252.
	Charset string
	// Delimiter, Header and Columns are of CSV. Columns holds the columns in
	// file order; those unknown to JMeter are in Extra, again in file order.
	Delimiter byte
	Header    bool
	Columns   []Column
	Extra     []Extra
	// TimeFormat is "ms", or the date pattern that fits the time stamps, or
	// "none" when there are none.
	TimeFormat string
	// Version is of XML: "1.0" to "1.2", or "" for the form of JMeter 1 and 2.0.
	Version string

	has  [numColumns]bool
	tags [numXMLTags]bool // what XML samples have inside them, as far as looked at
	date *DateFormat
}

// Has tells whether the file holds column c. For XML it goes by the attributes
// seen in the first part of the file.
func (i *Info) Has(c Column) bool { return c < numColumns && i.has[c] }

// ReadOptions steers Open. The zero value reads as JMeter with default
// properties would, on all processors.
type ReadOptions struct {
	// Config gives what a file does not say of itself: the delimiter, date
	// pattern and columns of a file without a header, and whether time stamps
	// are start or end times. nil is DefaultConfig().
	Config *Config
	// Workers is the number of goroutines that parse; 0 is one per processor.
	// With 1 all rows are visited in file order, on the goroutine of the caller.
	Workers int
	// TopOnly leaves out the nested samples of XML and JSON, as JMeter's listeners do;
	// without it they follow their parent as in the CSV that JMeter would have
	// written, each a row.
	TopOnly bool
	// Raw gives rows also as they stand in the file.
	Raw bool
	// FirstLine is where to begin: lines before it are passed over, as if the file
	// had none. 0 is 1. See LayoutError.
	FirstLine int64
	// MaxBad is how many bad lines the report names; 0 is 20.
	MaxBad int

	chunk  int // how much a worker parses at a time
	maxRow int
}

func (o ReadOptions) withDefaults() ReadOptions {
	if o.Config == nil {
		o.Config = DefaultConfig()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.FirstLine = max(o.FirstLine, 1)
	if o.MaxBad <= 0 {
		o.MaxBad = 20
	}
	if o.chunk <= 0 {
		o.chunk = chunkSize
	}
	if o.maxRow <= 0 {
		o.maxRow = maxRow
	}
	return o
}

// BadLine is a line that could not be read, and why.
type BadLine struct {
	Line   int64
	Reason string
}

// LayoutError says that a CSV file has a header of other columns among its rows:
// it is two files in one. The second one is read with FirstLine.
type LayoutError struct {
	Line   int64
	Header string
}

func (e *LayoutError) Error() string {
	return fmt.Sprintf("line %d: another header: %.200q; the file holds two layouts, which `gojm repair` makes one", e.Line, e.Header)
}

// Report says how a read went.
type Report struct {
	Rows int64 // rows visited
	// Skipped counts lines that could not be read and were left out; Bad names
	// the first of them, by line.
	Skipped int64
	Bad     []BadLine
	// Blank counts empty lines, which hold nothing and are passed over.
	Blank int64
	// Headers counts header lines that stand once more among the rows, where runs
	// were appended.
	Headers int64
	// Decoded counts rows with text that is not UTF-8 and was read as windows-1252.
	Decoded int64
	// Truncated tells that the file ends inside a row or an element, as after a
	// crash. That rest is not among Rows nor Skipped.
	Truncated bool
	// RowsWhole tells of a Truncated file that the cut left no part of a row: only
	// what compressed it ends too early, or the end tag of XML is missing, and whether
	// rows stood behind is unknown.
	RowsWhole bool
	// Damaged is set where compressed data could not be unpacked to its end, which
	// Read also returns as its error. The rows before it were visited.
	Damaged *DamagedError
}

// Visit receives the rows of a file. Calls for one worker number (0 to
// Workers-1) never overlap; calls for different ones do. An error stops the
// read and is returned by it.
type Visit func(worker int, r *Row) error

// Reader reads one result file, of any form JMeter has ever written.
type Reader struct {
	d       detection
	opt     ReadOptions
	name    string // for errors
	src     *bufio.Reader
	closers []func() error
	read    bool
}

// Info tells what the file is.
func (r *Reader) Info() *Info { return &r.d.info }

// Workers is the number of workers that Read will use: an upper bound of the
// worker numbers its Visit sees.
func (r *Reader) Workers() int { return r.opt.Workers }

// ReadFile opens the file, reads it to its end and closes it.
func ReadFile(path string, opt ReadOptions, visit Visit) (*Report, error) {
	r, err := Open(path, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Read(visit)
}

// ReadSamples reads a result file sample by sample, in file order, with all it
// holds: nested samples of XML stand in Subs; rows of CSV are each a sample of
// their own, whose Vars follow Info.Extra. The Sample is reused for the next.
func ReadSamples(path string, opt ReadOptions, visit func(*Sample) error) (*Report, error) {
	r, err := Open(path, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadSamples(visit)
}
