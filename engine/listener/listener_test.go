package listener

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/elem/elemtest"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

func sampled() *jtl.Sample {
	s := &jtl.Sample{Label: "login", ThreadName: "Users 1-1", Code: "200", Message: "OK", URL: "http://h/", Start: 1700000000123, End: 1700000001005,
		Elapsed: 882, Latency: 40, Connect: 3, GroupThreads: 2, AllThreads: 5, SampleCount: 1, Success: true,
		SamplerData: "sent", RequestHeaders: "Req: 1", ResponseHeaders: "Res: 1", HeaderSize: 7}
	s.SetBody("body")
	return s
}

func TestResultAction(t *testing.T) {
	for action, want := range map[string]string{
		"0": "", "": "", "9": "", "1": "thread", "2": "thread test", "3": "thread test now", "4": "next thread loop", "5": "next loop", "6": "break",
	} {
		b := New(t)
		stopped := ""
		b.Run.Stop = func(now bool, _ string) {
			stopped = " test"
			if now {
				stopped += " now"
			}
		}
		e := Decode(b, new(resultAction), Text("OnError.action", action))
		told := func(s *jtl.Sample) string {
			e.Sampled(b.Thread, s)
			switch b.Thread.Action {
			case vu.NextThreadIteration:
				return "next thread loop"
			case vu.NextLoopIteration:
				return "next loop"
			case vu.BreakLoop:
				return "break"
			}
			if b.Thread.Stopped() {
				return "thread" + stopped
			}
			return ""
		}
		if got := told(&jtl.Sample{Success: true}); got != "" {
			t.Errorf("%s after a success: %s", action, got)
		}
		if got := told(&jtl.Sample{Transaction: true}); got != "" {
			t.Errorf("%s after a transaction: %s", action, got)
		}
		if got := told(&jtl.Sample{}); got != want {
			t.Errorf("%s: %q, want %q", action, got, want)
		}
	}
}

func TestFlexibleFileWriter(t *testing.T) {
	b := New(t, "sample_variables", "a,b").Set("a", "A")
	file := filepath.Join(t.TempDir(), "rows.txt")
	write := func(overwrite bool, columns string, samples ...*jtl.Sample) string {
		t.Helper()
		e := Decode(b, new(flexibleWriter), Text("filename", file), Text("columns", columns), Text("header", `head\n`), Text("footer", "foot\n"), Bool("overwrite", overwrite))
		if err := e.Open(b.Run); err != nil {
			t.Fatal(err)
		}
		for _, s := range samples {
			e.Sampled(b.Thread, s)
		}
		if err := e.TestEnd(b.Run); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	failed := sampled()
	failed.Success = false
	for columns, want := range map[string]string{
		`isSuccsessful|\t|isFailed|;|errorCount|\r\n`:                                               "1\t0;0\r\n0\t1;1\r\n",
		`startTime| |endTime| |startTimeMillis| |endTimeMillis|\n`:                                  "1700000000123 1700000001005 1700000000.123 1700000001.005\n",
		`sentBytes| |receivedBytes| |responseTime| |responseTimeMicros| |latency| |latencyMicros`:   "4 4 882 882000 40 40000",
		`responseCode| |responseMessage| |threadName| |sampleLabel| |URL`:                           "200 OK Users 1-1 login http://h/",
		`requestData| |responseData| |requestHeaders| |responseHeaders`:                             "sent body Req: 1 Res: 1",
		`threadsCount| |grpThreads| |sampleCount| |connectTime| |responseHeaderSize| |responseSize`: "5 2 1 3 7 4",
		`variable#0||variable#1|.|variable#2|variable#x|\\t`:                                        `A|.UNDEFINED_variable#2variable#x\t`,
	} {
		rows := []*jtl.Sample{sampled()}
		if columns[0] == 'i' {
			rows = append(rows, failed)
		}
		if got := write(true, columns, rows...); got != "head\n"+want+"foot\n" {
			t.Errorf("%s: %q", columns, got)
		}
	}
	write(true, "sampleLabel", sampled())
	if got := write(false, "responseCode", sampled()); got != "head\nloginfoot\nhead\n200foot\n" {
		t.Errorf("appended: %q", got)
	}
	for columns, want := range map[string]elem.Needs{"sampleLabel|,|URL": 0, "responseData": elem.NeedBody, "requestHeaders|responseHeaders": elem.NeedRequestHeaders | elem.NeedResponseHeaders, "${x}": elem.NeedAll} {
		if got := Decode(b, new(flexibleWriter), Text("columns", columns)).Needs(); got != want {
			t.Errorf("%s needs %v", columns, got)
		}
	}
	e := Decode(b, new(flexibleWriter), Text("filename", filepath.Join(file, "below a file")))
	if err := e.Open(b.Run); err == nil {
		t.Error("a file that cannot be opened is not told")
	}
}

func TestConsoleStatusLogger(t *testing.T) {
	b := New(t)
	synctest.Test(t, func(t *testing.T) {
		e := Decode(b, new(consoleStatus))
		b.Run.Started.Store(7)
		s := sampled()
		e.Sampled(b.Thread, s)
		s.Elapsed, s.Success = 118, false
		e.Sampled(b.Thread, s)
		time.Sleep(time.Second)
		e.Sampled(b.Thread, s)
		time.Sleep(2 * time.Second)
		e.Sampled(b.Thread, s)
	})
	// the first line comes with the second sample
	want := "#0\tThreads: 5/7\tSamples: 1\tLatency: 40\tResp.Time: 882\tErrors: 0\n" +
		"#1\tThreads: 5/7\tSamples: 1\tLatency: 40\tResp.Time: 118\tErrors: 1\n" +
		"#3\tThreads: 5/7\tSamples: 1\tLatency: 40\tResp.Time: 118\tErrors: 1\n"
	if got := b.Console.String(); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestAutoStop(t *testing.T) {
	for _, c := range []struct {
		name  string
		props []*jmx.Prop
		want  string // the console, "" when it never stops
		after int    // seconds
	}{
		{"slow", []*jmx.Prop{Text("avg_response_time", "500"), Text("avg_response_time_length", "2")},
			"AutoStop - Average Response Time is more than 500 for 2s. Auto-shutdown test...\n", 2},
		{"late", []*jmx.Prop{Text("avg_response_latency", "39"), Text("avg_response_latency_length", "x")},
			"AutoStop - Average Latency Time is more than 39 for xs. Auto-shutdown test...\n", 1},
		{"failing", []*jmx.Prop{Text("error_rate", "49.9"), Text("error_rate_length", "3")},
			"AutoStop - Error rate more than 49.9 for 3s. Auto-shutdown test...\n", 3},
		{"fine", []*jmx.Prop{Text("avg_response_time", "882"), Text("error_rate", "50"), Text("avg_response_latency", "0")}, "", 0},
	} {
		b := New(t)
		stopped := -1
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			b.Run.Stop = func(now bool, _ string) {
				if !now || stopped >= 0 {
					t.Errorf("%s: stopped twice or gently", c.name)
				}
				stopped = int(time.Since(begin) / time.Second)
			}
			e := Decode(b, new(autoStop), c.props...)
			if err := e.TestStart(b.Run); err != nil {
				t.Fatal(err)
			}
			s := sampled()
			for range 6 {
				for _, s.Success = range []bool{true, false} {
					e.Sampled(b.Thread, s)
				}
				time.Sleep(time.Second)
			}
		})
		if got := b.Console.String(); got != c.want || c.want != "" && stopped != c.after {
			t.Errorf("%s: after %d s: %q", c.name, stopped, got)
		}
	}
	b := New(t)
	Decode(b, new(autoStop), Text("percentile_response_time", "100"))
	if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
		t.Errorf("%v", b.Problems)
	}
}
