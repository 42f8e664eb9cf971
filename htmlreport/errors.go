package htmlreport

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gojm/gojm/jtl"
)

const (
	// maxErrorTypes bounds the different errors told apart: assertion messages
	// may hold a time or an id, and so never repeat.
	maxErrorTypes = 5000
	maxFailures   = 50
	maxSlowest    = 25
	maxText       = 600  // bytes of a text kept in a Record
	maxKey        = 2000 // bytes by which errors are told apart
)

// A Record is one row worth showing.
type Record struct {
	File           int   // index into Report.Sources
	Line           int64 // in that file, from 1
	Start          int64 // epoch ms
	Elapsed        int64 // ms
	Label          string
	Thread         string
	Code           string
	Message        string
	FailureMessage string
	URL            string
	Success        bool
}

func recordOf(r *jtl.Row, file int) Record {
	return Record{
		File: file, Line: r.Line, Start: r.Start, Elapsed: r.Elapsed, Success: r.Success,
		Label: valid(r.Label), Thread: valid(r.Thread), Code: short(r.Code), Message: short(r.Message),
		FailureMessage: short(r.FailureMessage), URL: short(r.URL),
	}
}

func (r *Record) at() position { return position{r.File, r.Line} }

func short(b []byte) string {
	if len(b) > maxText {
		return valid(b[:maxText]) + "…"
	}
	return valid(b)
}

// errorKey appends what JMeter tells kinds of errors apart by (manual,
// "Generating Dashboard Report", Errors): response code and message, or for a
// response that failed only by assertion what the assertion said.
func errorKey(dst []byte, r *jtl.Row, withMessage bool) []byte {
	failure := bytes.TrimSpace(r.FailureMessage)
	if isPassCode(r.Code) || len(r.Code) == 0 && len(failure) > 0 {
		if withMessage && len(failure) > 0 {
			return append(dst, r.FailureMessage...)
		}
		return append(dst, "Assertion failed"...)
	}
	dst = append(dst, r.Code...)
	if len(r.Message) > 0 {
		dst = append(dst, '/')
		dst = append(dst, r.Message...)
	}
	return dst
}

// isPassCode tells whether code is a number from 200 to 399.
func isPassCode(code []byte) bool {
	if len(code) == 0 {
		return false
	}
	n := 0
	for _, c := range code {
		if c < '0' || c > '9' {
			return false
		}
		if n = n*10 + int(c-'0'); n > 399 {
			return false
		}
	}
	return n >= 200
}

// An ErrorType counts the samples that failed in one way.
type ErrorType struct {
	Key         string
	Count       int64
	First, Last Record
}

// failures gathers the failed samples of one worker.
type failures struct {
	scratch   []byte
	types     map[string]*ErrorType // of samples, not transactions
	notListed int64                 // failures beyond maxErrorTypes types
	keys      int                   // errors told apart by label
	first     []Record
}

func (s *shard) addFailure(r *jtl.Row, l *label, k kind) {
	f := &s.failures
	f.scratch = errorKey(f.scratch[:0], r, s.opt.ErrorMessages)
	if len(f.scratch) > maxKey {
		f.scratch = append(f.scratch[:maxKey], "…"...)
	}
	if !l.parts[k].addErrorKey(f.scratch, f.keys < maxErrorKeys) {
		f.keys++
	}
	if k != sample {
		return
	}
	if len(f.first) < maxFailures {
		f.first = append(f.first, recordOf(r, s.file))
	}
	t := f.types[string(f.scratch)]
	if t == nil {
		if len(f.types) >= maxErrorTypes {
			f.notListed++
			return
		}
		if f.types == nil {
			f.types = make(map[string]*ErrorType)
		}
		t = &ErrorType{Key: valid(f.scratch), First: recordOf(r, s.file)}
		f.types[string(f.scratch)] = t
	}
	t.Count++
	// The rest of the last one says little that the first does not.
	t.Last.File, t.Last.Line, t.Last.Start = s.file, r.Line, r.Start
}

func (f *failures) merge(o *failures) {
	for key, t := range o.types {
		mine := f.types[key]
		switch {
		case mine != nil:
			mine.Count += t.Count
			if t.First.at().before(mine.First.at()) {
				mine.First = t.First
			}
			if mine.Last.at().before(t.Last.at()) {
				mine.Last = t.Last
			}
		case len(f.types) >= maxErrorTypes:
			f.notListed += t.Count
		default:
			if f.types == nil {
				f.types = make(map[string]*ErrorType)
			}
			f.types[key] = t
		}
	}
	f.notListed += o.notListed
	f.first = append(f.first, o.first...)
	slices.SortFunc(f.first, func(a, b Record) int { return a.at().compare(b.at()) })
	f.first = f.first[:min(len(f.first), maxFailures)]
}

// sorted lists the types, most frequent first, then by first occurrence.
func (f *failures) sorted() []ErrorType {
	list := make([]ErrorType, 0, len(f.types))
	for _, t := range f.types {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b ErrorType) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.First.at().compare(b.First.at()))
	})
	return list
}

// addErrorKey counts an error and tells whether it was known. One that is not is
// told apart if there is room.
func (p *part) addErrorKey(key []byte, room bool) (known bool) {
	if n := p.errors[string(key)]; n != nil {
		*n++
		return true
	}
	if room {
		p.addError(valid(key), 1)
	} else {
		p.errorsNotListed++
	}
	return false
}

func (p *part) addError(key string, n int64) {
	if t := p.errors[key]; t != nil {
		*t += tally(n)
		return
	}
	if len(p.errors) >= maxErrorTypes {
		p.errorsNotListed += n
		return
	}
	if p.errors == nil {
		p.errors = make(map[string]*tally)
	}
	t := tally(n)
	p.errors[key] = &t
}

// ErrorCount is an error and how often it happened.
type ErrorCount struct {
	Key   string
	Count int64
}

// topErrors are the five most frequent of some errors.
func topErrors(errors map[string]*tally) []ErrorCount {
	list := make([]ErrorCount, 0, len(errors))
	for key, n := range errors {
		list = append(list, ErrorCount{key, int64(*n)})
	}
	slices.SortFunc(list, func(a, b ErrorCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(len(list), 5)]
}

// slowest keeps the samples that took longest, longest first.
type slowest struct{ records []Record }

// takes tells whether a sample this slow would be kept.
func (s *slowest) takes(elapsed int64) bool {
	n := len(s.records)
	return n < maxSlowest || elapsed > s.records[n-1].Elapsed
}

func (s *slowest) add(r Record) {
	i, _ := slices.BinarySearchFunc(s.records, r, compareSlow)
	s.records = slices.Insert(s.records, i, r)
	s.records = s.records[:min(len(s.records), maxSlowest)]
}

func (s *slowest) merge(o *slowest) {
	s.records = append(s.records, o.records...)
	slices.SortFunc(s.records, compareSlow)
	s.records = s.records[:min(len(s.records), maxSlowest)]
}

func compareSlow(a, b Record) int {
	return cmp.Or(cmp.Compare(b.Elapsed, a.Elapsed), a.at().compare(b.at()))
}
