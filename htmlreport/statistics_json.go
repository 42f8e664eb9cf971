package htmlreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// statisticsEntry is what statistics.json tells of one label, under JMeter's
// keys and in its order.
type statisticsEntry struct {
	Transaction   string     `json:"transaction"`
	SampleCount   int64      `json:"sampleCount"`
	ErrorCount    int64      `json:"errorCount"`
	ErrorPct      jsonFloat  `json:"errorPct"`
	Mean          jsonNumber `json:"meanResTime"`
	Median        jsonNumber `json:"medianResTime"`
	Min           jsonNumber `json:"minResTime"`
	Max           jsonNumber `json:"maxResTime"`
	Pct1          jsonNumber `json:"pct1ResTime"`
	Pct2          jsonNumber `json:"pct2ResTime"`
	Pct3          jsonNumber `json:"pct3ResTime"`
	Throughput    jsonNumber `json:"throughput"`
	ReceivedKByte jsonNumber `json:"receivedKBytesPerSec"`
	SentKBytes    jsonNumber `json:"sentKBytesPerSec"`
}

// jsonNumber writes what is no number as the words that JMeter's readers know.
type jsonNumber float64

func (n jsonNumber) MarshalJSON() ([]byte, error) { return numberJSON(float64(n), 64) }

// jsonFloat is a jsonNumber that JMeter holds in a float.
type jsonFloat float32

func (n jsonFloat) MarshalJSON() ([]byte, error) { return numberJSON(float64(n), 32) }

func numberJSON(f float64, bits int) ([]byte, error) {
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	}
	if bits == 32 {
		return json.Marshal(float32(f))
	}
	return json.Marshal(f)
}

func (r *Row) entry() statisticsEntry {
	e := statisticsEntry{
		Transaction: r.Label, SampleCount: r.Samples, ErrorCount: r.Errors,
		ErrorPct: jsonFloat(r.ErrorPct),
		Mean:     jsonNumber(r.Mean), Median: jsonNumber(r.Median), Min: jsonNumber(r.Min), Max: jsonNumber(r.Max),
		Pct1: jsonNumber(r.Percentiles[0]), Pct2: jsonNumber(r.Percentiles[1]), Pct3: jsonNumber(r.Percentiles[2]),
		Throughput: jsonNumber(r.Throughput), ReceivedKByte: jsonNumber(r.ReceivedKB), SentKBytes: jsonNumber(r.SentKB),
	}
	if r.Samples == 0 { // as JMeter's minimum and maximum begin
		e.Min, e.Max = math.MaxInt64, math.MinInt64
	}
	return e
}

// StatisticsJSON is the content of statistics.json: an object with an entry a
// label and one named Total. Where a label has that name, too, its own entry is
// at TotalLabelKey: in JMeter's file it replaces the total in silence.
func (r *Report) StatisticsJSON() ([]byte, error) {
	entries := map[string]statisticsEntry{"Total": r.Total.entry()}
	for i := range r.Rows {
		key := r.Rows[i].Label
		if key == "Total" {
			key = r.TotalLabelKey()
		}
		entries[key] = r.Rows[i].entry()
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// TotalLabelKey is where statistics.json has the figures of a label named Total,
// "" when there is no such label.
func (r *Report) TotalLabelKey() string {
	taken := make(map[string]bool)
	for i := range r.Rows {
		taken[r.Rows[i].Label] = true
	}
	if !taken["Total"] {
		return ""
	}
	key := "Total (label)"
	for n := 2; taken[key]; n++ {
		key = fmt.Sprintf("Total (label %d)", n)
	}
	return key
}
