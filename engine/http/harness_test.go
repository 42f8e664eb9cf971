package http_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine"
	_ "github.com/gojm/gojm/engine/config"
	_ "github.com/gojm/gojm/engine/control"
	"github.com/gojm/gojm/engine/elem"
	_ "github.com/gojm/gojm/engine/function"
	_ "github.com/gojm/gojm/engine/group"
	_ "github.com/gojm/gojm/engine/http"
	_ "github.com/gojm/gojm/engine/listener"
	_ "github.com/gojm/gojm/engine/preproc"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// plan is a test plan of one thread group.
type plan struct {
	loops   int
	threads int
	body    string // elements of the thread group
	props   map[string]string
	system  map[string]string // Java system properties
	format  string            // of the results, csv or xml
	newUser bool              // each iteration is one
	workDir string
}

const planText = `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
<TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Test"/>
<hashTree>
<ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="Users">
<intProp name="ThreadGroup.num_threads">%d</intProp>
<boolProp name="ThreadGroup.same_user_on_next_iteration">%t</boolProp>
<elementProp name="ThreadGroup.main_controller" elementType="LoopController">
<stringProp name="LoopController.loops">%d</stringProp>
<boolProp name="LoopController.continue_forever">false</boolProp>
</elementProp>
</ThreadGroup>
<hashTree>%s</hashTree>
<ResultCollector guiclass="SimpleDataWriter" testclass="ResultCollector" testname="results">
<stringProp name="filename">%s</stringProp>
</ResultCollector><hashTree/>
</hashTree></hashTree></jmeterTestPlan>`

// element is a test element with properties and what stands below it.
func element(class, gui, name, props string, children ...string) string {
	return fmt.Sprintf("<%s guiclass=%q testclass=%q testname=%q>%s</%s><hashTree>%s</hashTree>", class, gui, class, name, props, class, strings.Join(children, ""))
}

// request is an HTTP Request for a URL; more are further properties.
func request(name, method, url string, more ...string) string {
	return element("HTTPSamplerProxy", "HttpTestSampleGui", name,
		str("HTTPSampler.path", url)+str("HTTPSampler.method", method)+boolean("HTTPSampler.use_keepalive", true)+strings.Join(more, ""))
}

func str(name, value string) string {
	var b bytes.Buffer
	for _, r := range value {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '&':
			b.WriteString("&amp;")
		default:
			b.WriteRune(r)
		}
	}
	return fmt.Sprintf("<stringProp name=%q>%s</stringProp>", name, b.String())
}

func boolean(name string, value bool) string {
	return fmt.Sprintf("<boolProp name=%q>%t</boolProp>", name, value)
}

func headerManager(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(`<elementProp name="" elementType="Header">` + str("Header.name", pairs[i]) + str("Header.value", pairs[i+1]) + `</elementProp>`)
	}
	return element("HeaderManager", "HeaderPanel", "Headers", `<collectionProp name="HeaderManager.headers">`+b.String()+`</collectionProp>`)
}

// argument is a row of an HTTP Request's parameters.
type argument struct{ name, value string }

func arguments(encode bool, list ...argument) string {
	var b strings.Builder
	for _, a := range list {
		b.WriteString(`<elementProp name="" elementType="HTTPArgument">` + boolean("HTTPArgument.always_encode", encode) +
			str("Argument.name", a.name) + str("Argument.value", a.value) + str("Argument.metadata", "=") + `</elementProp>`)
	}
	return `<elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments">` + b.String() + `</collectionProp></elementProp>`
}

// compile makes a plan that writes its results to the file whose name it returns.
func (p plan) compile(t testing.TB) (*engine.Plan, string) {
	t.Helper()
	compiled, problems, out, err := p.attempt(t)
	for _, x := range problems {
		if x.Level != elem.Note {
			t.Error(x.Error())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return compiled, out
}

// refused are the problems of a plan that does not compile.
func (p plan) refused(t testing.TB) string {
	t.Helper()
	_, problems, _, err := p.attempt(t)
	if err == nil {
		t.Error("the plan compiles")
	}
	var all []string
	for _, x := range problems {
		all = append(all, x.Error())
	}
	return strings.Join(all, "\n")
}

func (p plan) attempt(t testing.TB) (compiled *engine.Plan, problems []elem.Problem, out string, err error) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "results")
	tree, err := jmx.Decode(strings.NewReader(fmt.Sprintf(planText, max(p.threads, 1), !p.newUser, max(p.loops, 1), p.body, out)), "plan.jmx")
	if err != nil {
		t.Fatal(err)
	}
	props := vu.NewProperties()
	props.Set("httpclient4.default_user_agent_disabled", "true")
	if p.format == "xml" {
		for _, o := range []string{"output_format=xml", "response_data=true", "samplerData=true", "requestHeaders=true", "responseHeaders=true"} {
			name, value, _ := strings.Cut(o, "=")
			props.Set("jmeter.save.saveservice."+name, value)
		}
	}
	for k, v := range p.props {
		props.Set(k, v)
	}
	for k, v := range p.system {
		props.SetSystem(k, v)
	}
	compiled, problems, err = engine.Compile(tree, engine.Options{Props: props, Log: slog.New(slog.DiscardHandler), WorkDir: p.workDir})
	return compiled, problems, out, err
}

// row is a CSV result by column.
type row map[string]string

// run runs the plan and returns its rows.
func (p plan) run(t testing.TB) []row {
	t.Helper()
	compiled, out := p.compile(t)
	if err := compiled.Start().Run(); err != nil {
		t.Fatal(err)
	}
	return readRows(t, out)
}

func readRows(t testing.TB, out string) []row {
	t.Helper()
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, r := range all[1:] {
		m := row{}
		for i, name := range all[0] {
			m[name] = r[i]
		}
		rows = append(rows, m)
	}
	return rows
}

// text runs the plan with XML results and returns them.
func (p plan) text(t testing.TB) string {
	t.Helper()
	p.format = "xml"
	compiled, out := p.compile(t)
	if err := compiled.Start().Run(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// peer is a server that answers each request with bytes as they are.
type peer struct {
	net.Listener
	answer func(head string, body []byte) string
}

// serve starts a peer; it ends with the test.
func serve(t testing.TB, answer func(head string, body []byte) string) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{l, answer}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.talk(c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return p
}

func (p *peer) url(path string) string { return "http://" + p.Addr().String() + path }

func (p *peer) talk(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		head, length := "", 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			head += line
			if v, ok := strings.CutPrefix(strings.ToLower(line), "content-length:"); ok {
				fmt.Sscan(v, &length)
			}
			if line == "\r\n" {
				break
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		reply := p.answer(head+"X-Peer: "+c.RemoteAddr().String()+"\r\n", body)
		if reply == "" {
			return
		}
		if _, err := io.WriteString(c, reply); err != nil {
			return
		}
	}
}

// reply is a whole response.
func reply(status, body string, headers ...string) string {
	b := "HTTP/1.1 " + status + "\r\n"
	for _, h := range headers {
		b += h + "\r\n"
	}
	return b + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// rawPeer answers the head of one request with first, and then the body with
// second.
type rawPeer struct {
	net.Listener
	early int // bytes that came with the head
}

func serveRaw(t testing.TB, first, second string) *rawPeer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &rawPeer{Listener: l}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 4096)
		n, _ := c.Read(buf)
		_, rest, _ := strings.Cut(string(buf[:n]), "\r\n\r\n")
		p.early = len(rest)
		io.WriteString(c, first)
		c.Read(buf)
		io.WriteString(c, second)
		c.Read(buf)
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return p
}

func (p *rawPeer) url(path string) string { return "http://" + p.Addr().String() + path }
