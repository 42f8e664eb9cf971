package backend

import (
	"bufio"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/elem/elemtest"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

func sample(label string, elapsed int64, ok bool) *jtl.Sample {
	s := &jtl.Sample{Label: label, Elapsed: elapsed, Success: ok, Code: "200", Message: "OK", SampleCount: 1, Bytes: 10, SentBytes: 2,
		ThreadName: "Users 1-1", End: 1700000000123, Latency: 4, Connect: 1}
	if !ok {
		s.Code, s.Message = "500", "Broken, badly"
	}
	return s
}

// arguments as a plan has them, name and value in turn.
func argumentTable(pairs ...string) *jmx.Prop {
	rows := &jmx.Prop{Kind: jmx.Collection, Name: "Arguments.arguments"}
	for i := 0; i+1 < len(pairs); i += 2 {
		rows.Props = append(rows.Props, Element(pairs[i], Text("Argument.name", pairs[i]), Text("Argument.value", pairs[i+1])))
	}
	return Element("arguments", rows)
}

var numbers = regexp.MustCompile(`(?m) \d{10,}$`)

// run feeds samples to a client and returns what it sends at the end, the time
// left out.
func run(t *testing.T, b *Bench, class string, args []string, samples ...*jtl.Sample) string {
	t.Helper()
	e := Decode(b, new(listener), Text("classname", class), argumentTable(args...))
	if len(b.Problems) > 0 {
		t.Fatal(b.Problems)
	}
	a := arguments{values: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		a.names = append(a.names, args[i])
		a.values[args[i]] = args[i+1]
	}
	c, _, err := kinds[class].open(a, e.settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		c.add(s, 3)
	}
	b.Run.Started.Store(5)
	b.Run.Finished.Store(2)
	return numbers.ReplaceAllString(string(c.render(nil, b.Run, true)), " T")
}

func TestInfluxDB(t *testing.T) {
	asserted := sample("pay", 30, false)
	asserted.Assertions = []jtl.Assertion{{Name: "a", Failure: true, Message: "no = sign", HasMessage: true}}
	tx := sample("tx", 60, true)
	tx.Message = "Number of samples in transaction : 2, number of failing samples : 0"
	got := run(t, New(t), own+"influxdb.InfluxdbBackendListenerClient",
		[]string{"influxdbUrl", "http://h:8086/write?db=jmeter", "application", "my app", "measurement", "jmeter", "percentiles", "99;x;50.5", "testTitle", `A "test"`,
			"eventTags", "a,b", "TAG_env", "pre prod", "TAG_none", " ", "samplersRegex", "ay|log", "summaryOnly", "false"},
		sample("log in", 10, true), sample("log in", 20, true), sample("pay", 40, false), asserted, tx)
	want := `events,application=my\ app,title=ApacheJMeter,env=pre\ prod,tags=a\,b text="A \"test\" started" T
events,application=my\ app,title=ApacheJMeter,env=pre\ prod,tags=a\,b text="A \"test\" ended" T
jmeter,application=my\ app,transaction=all,statut=all,env=pre\ prod count=5,countError=2,avg=30.0,min=10.0,max=60.0,hit=4,sb=8,rb=40,pct99.0=60.0,pct50.5=30.299999999999997 T
jmeter,application=my\ app,transaction=log\ in,statut=all,env=pre\ prod count=2,avg=15.0,min=10.0,max=20.0,hit=2,sb=4,rb=20,pct99.0=20.0,pct50.5=15.149999999999999 T
jmeter,application=my\ app,transaction=log\ in,statut=ok,env=pre\ prod count=2,avg=15.0,min=10.0,max=20.0,hit=2,sb=4,rb=20,pct99.0=20.0,pct50.5=15.149999999999999 T
jmeter,application=my\ app,transaction=pay,statut=all,env=pre\ prod count=2,avg=35.0,min=30.0,max=40.0,hit=2,sb=4,rb=20,pct99.0=40.0,pct50.5=35.15 T
jmeter,application=my\ app,transaction=pay,statut=ko,env=pre\ prod count=2,avg=35.0,min=30.0,max=40.0,hit=2,sb=4,rb=20,pct99.0=40.0,pct50.5=35.15 T
jmeter,application=my\ app,transaction=pay,responseCode=500,responseMessage=Broken\,\ badly,env=pre\ prod count=1 T
jmeter,application=my\ app,transaction=pay,responseCode=Assertion\ failed,responseMessage=no\ \=\ sign,env=pre\ prod count=1 T
jmeter,application=my\ app,transaction=internal,env=pre\ prod minAT=3,maxAT=3,meanAT=3,startedT=5,endedT=2 T
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestInfluxDBRaw(t *testing.T) {
	b := New(t)
	got := run(t, b, own+"influxdb.InfluxDBRawBackendListenerClient", []string{"influxdbUrl", "http://h/"}, sample(` "log in" `, 10, true), sample("pay", 40, false))
	want := `jmeter,status=ok,transaction=log\ in,threadName=Users1-1 duration=10,ttfb=4,connectTime=1 T
jmeter,status=ko,transaction=pay,threadName=Users1-1 duration=40,ttfb=4,connectTime=1 T
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestGraphite(t *testing.T) {
	got := run(t, New(t), own+"graphite.GraphiteBackendListenerClient",
		[]string{"graphiteHost", "h", "rootMetricsPrefix", "p.", "percentiles", "99.9", "summaryOnly", "false", "samplersList", "a b.c;x"},
		sample("a b.c", 10, true), sample("other", 30, false))
	want := `p.all.ok.count 1 T
p.all.ko.count 1 T
p.all.a.count 2 T
p.all.h.count 2 T
p.all.sb.bytes 4 T
p.all.rb.bytes 20 T
p.all.ok.min 10.0 T
p.all.ok.max 10.0 T
p.all.ok.avg 10.0 T
p.all.ok.pct99_9 10.0 T
p.all.ko.min 30.0 T
p.all.ko.max 30.0 T
p.all.ko.avg 30.0 T
p.all.ko.pct99_9 30.0 T
p.all.a.min 10.0 T
p.all.a.max 30.0 T
p.all.a.avg 20.0 T
p.all.a.pct99_9 30.0 T
p.a-b_c.ok.count 1 T
p.a-b_c.ko.count 0 T
p.a-b_c.a.count 1 T
p.a-b_c.h.count 1 T
p.a-b_c.sb.bytes 2 T
p.a-b_c.rb.bytes 10 T
p.a-b_c.ok.min 10.0 T
p.a-b_c.ok.max 10.0 T
p.a-b_c.ok.avg 10.0 T
p.a-b_c.ok.pct99_9 10.0 T
p.a-b_c.a.min 10.0 T
p.a-b_c.a.max 10.0 T
p.a-b_c.a.avg 10.0 T
p.a-b_c.a.pct99_9 10.0 T
p.test.minAT 3 T
p.test.maxAT 3 T
p.test.meanAT 3 T
p.test.startedT 5 T
p.test.endedT 2 T
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestGraphiteChoosesLabels(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false}, // the summary only
		{[]string{"summaryOnly", "false"}, false},
		{[]string{"summaryOnly", "false", "samplersList", "log.*", "useRegexpForSamplersList", "true"}, true},
		{[]string{"summaryOnly", "false", "samplersList", "lo", "useRegexpForSamplersList", "true"}, false},
		{[]string{"summaryOnly", "true", "samplersList", "login"}, false},
	} {
		got := run(t, New(t), own+"graphite.GraphiteBackendListenerClient", c.args, sample("login", 1, true))
		if strings.Contains(got, "jmeter.login.") != c.want || !strings.Contains(got, "jmeter.all.a.count 1 T") {
			t.Errorf("%q:\n%s", c.args, got)
		}
	}
}

// Counts begin anew with each interval, statistics only where they are timed.
func TestIntervals(t *testing.T) {
	for _, mode := range []string{"fixed", "timed"} {
		p := Decode(New(t, "backend_metrics_window_mode", mode, "backend_metrics_window", "3"), new(listener)).settings
		f := newFigures(p)
		for _, ms := range []int64{1, 2, 3, 4} {
			f.add(sample("x", ms, true), true)
		}
		f.interval()
		f.add(sample("x", 5, true), true)
		want := 4.0 // of 3, 4 and 5
		if mode == "timed" {
			want = 5
		}
		if f.total() != 1 || f.hits != 1 || f.all.mean() != want || f.percentiles.percentile(50) != 4 {
			t.Errorf("%s: %+v", mode, f)
		}
	}
}

func TestWindow(t *testing.T) {
	w := window{size: 4}
	if !math.IsNaN(w.min()) || !math.IsNaN(w.max()) || !math.IsNaN(w.mean()) || !math.IsNaN(w.percentile(50)) {
		t.Error("figures of nothing")
	}
	for _, v := range []float64{9, 1, 2, 3, 4} {
		w.add(v)
	}
	for p, want := range map[float64]float64{0.1: 1, 20: 1, 50: 2.5, 60: 3, 79: 3.95, 80: 4, 100: 4} {
		if got := w.percentile(p); math.Abs(got-want) > 1e-12 {
			t.Errorf("percentile %v: %v, want %v", p, got, want)
		}
	}
	if w.min() != 1 || w.max() != 4 || w.mean() != 2.5 {
		t.Errorf("%v %v %v", w.min(), w.max(), w.mean())
	}
}

func TestRefused(t *testing.T) {
	for _, props := range [][]*jmx.Prop{
		{Text("classname", "com.example.Client")},
		{Text("classname", own+"graphite.GraphiteBackendListenerClient"), argumentTable("graphiteMetricsSender", own+"graphite.PickleGraphiteMetricsSender")},
	} {
		b := New(t)
		e := Decode(b, new(listener), props...)
		if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
			t.Errorf("%v", b.Problems)
		}
		if err := e.TestStart(b.Run); err != nil {
			t.Error(err)
		}
		if err := e.TestEnd(b.Run); err != nil {
			t.Error(err)
		}
	}
	for _, address := range []string{"", "h:8086", "ftp://h/", "http://"} {
		b := New(t)
		e := Decode(b, new(listener), Text("classname", own+"influxdb.InfluxdbBackendListenerClient"), argumentTable("influxdbUrl", address))
		if err := e.TestStart(b.Run); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
}

// The whole way: two listeners of one name share a client, which posts.
func TestPosts(t *testing.T) {
	got := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.Method + " " + r.URL.String() + " " + r.Header.Get("Authorization") + "\n" + string(body)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	b := New(t)
	var es []*listener
	for range 2 {
		e := Decode(b, new(listener), Text("classname", own+"influxdb.InfluxdbBackendListenerClient"),
			argumentTable("influxdbUrl", server.URL+"/write?db=x", "influxdbToken", "secret", "samplersRegex", "."))
		if err := e.TestStart(b.Run); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	if first := <-got; !strings.HasPrefix(first, "POST /write?db=x Token secret\nevents,") || !strings.Contains(first, "transaction=internal") {
		t.Errorf("at the start: %s", first)
	}
	for _, e := range es {
		e.Sampled(b.Thread, sample("x", 1, true))
	}
	for _, e := range es {
		if err := e.TestEnd(b.Run); err != nil {
			t.Error(err)
		}
	}
	if last := <-got; !strings.Contains(last, " ended\"") || !strings.Contains(last, "count=2,") {
		t.Errorf("at the end: %s", last)
	}
	if len(got) > 0 || b.Log.Len() > 0 {
		t.Errorf("%d more, log %s", len(got), b.Log)
	}
}

func TestFailuresAreTold(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such database", http.StatusNotFound) }))
	defer server.Close()
	b := New(t)
	e := Decode(b, new(listener), Text("classname", own+"influxdb.InfluxdbBackendListenerClient"), argumentTable("influxdbUrl", server.URL))
	if err := e.TestStart(b.Run); err != nil {
		t.Fatal(err)
	}
	if err := e.TestEnd(b.Run); err != nil {
		t.Error(err)
	}
	if n := strings.Count(b.Log.String(), "no such database"); n != 2 {
		t.Errorf("logged %d times: %s", n, b.Log)
	}
	if n := strings.Count(b.Console.String(), "metrics are not sent"); n != 1 {
		t.Errorf("shown %d times: %s", n, b.Console)
	}
}

func TestGraphiteConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		for s := bufio.NewScanner(conn); s.Scan(); {
			lines <- s.Text()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	b := New(t)
	e := Decode(b, new(listener), Text("classname", own+"graphite.GraphiteBackendListenerClient"), argumentTable("graphiteHost", "127.0.0.1", "graphitePort", port))
	if err := e.TestStart(b.Run); err != nil {
		t.Fatal(err)
	}
	e.Sampled(b.Thread, sample("x", 1, true))
	if err := e.TestEnd(b.Run); err != nil {
		t.Error(err)
	}
	first := <-lines
	if !strings.HasPrefix(first, "jmeter.all.ok.count 1 ") {
		t.Error(first)
	}
	for range lines { // until the connection is closed
	}
}

// idle is a sender that counts.
type idle struct{ sent atomic.Int64 }

func (s *idle) send([]byte) error { s.sent.Add(1); return nil }
func (s *idle) close()            {}

func TestSendsAtEachInterval(t *testing.T) {
	b := New(t)
	s := &idle{}
	synctest.Test(t, func(t *testing.T) {
		f := &feed{run: b.Run, sender: s, client: &graphite{table: newTable(settings{window: 1})}, quit: make(chan struct{}), done: make(chan struct{})}
		go f.loop(5*time.Second, true)
		synctest.Wait()
		if n := s.sent.Load(); n != 1 {
			t.Errorf("%d at once", n)
		}
		time.Sleep(11 * time.Second)
		close(f.quit)
		<-f.done
	})
	if n := s.sent.Load(); n != 3 {
		t.Errorf("%d in 11 seconds", n)
	}
}
