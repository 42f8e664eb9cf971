package http

import (
	"crypto/tls"
	"sync"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// user is what a thread keeps for all its HTTP samplers: one browser.
type user struct {
	own       worker
	interrupt func() // made once, since a method value costs memory
	renew     bool   // the next sample is a new user's
	noted     bool   // the thread has the variable that JMeter\'s client sets
	jar       *jar   // for the next sample, in place of the cookie manager's
	proxies   map[string]*proxyState
	turn      sync.Mutex // of workers that download at once

	mu   sync.Mutex // of what follows, which an interrupt reads
	more []*worker  // for parallel downloads
}

// worker makes one request at a time.
type worker struct {
	client *wire.Client
	java   *wire.Client // of the Java implementation, nil until it is needed
	hired  bool         // downloads at the moment
	*desk               // during a sample
}

// desk is what a worker needs for the time of a sample only. Desks are borrowed:
// of thousands of users most do nothing at a time.
type desk struct {
	req   wire.Request
	res   wire.Response
	keep  wire.Keep
	head  []byte
	parts headParts
	none  content // of a request without a body

	talk dialogue

	connected int64 // when the last new connection of the request was there, 0 for none
	cut       bool  // the response began and was not read to its end
	peek      peek
	known     known

	// For the thread's own worker.
	call     call // the one at hand, where the sampler has none that is fixed
	builder  builder
	exchange exchange
}

var desks = sync.Pool{New: func() any { return new(desk) }}

// maxDesk is how much memory for the texts of a request goes back with a desk.
const maxDesk = 64 << 10

func (w *worker) sit() {
	if w.desk == nil {
		w.desk = desks.Get().(*desk)
	}
}

// rise gives the desk back, without what belongs to the user.
func (w *worker) rise() {
	d := w.desk
	if w.desk = nil; d == nil {
		return
	}
	d.peek.end()
	d.peek.w, d.keep.B, d.exchange, d.talk = nil, nil, exchange{}, dialogue{}
	if cap(d.head) > maxDesk {
		d.head = nil
	}
	if cap(d.builder.body) > maxDesk {
		d.builder = builder{}
	}
	desks.Put(d)
}

// begin readies the user for a sample.
func (u *user) begin(sh *shared, t *vu.Thread) {
	if u.own.client == nil {
		u.own.client = u.newClient(&sh.wire, sh, t)
		u.interrupt = func() { u.cut(t) }
	}
	if u.renew {
		u.renew = false
		u.reset()
	}
	u.own.sit()
}

func (u *user) newClient(o *wire.Options, sh *shared, t *vu.Thread) *wire.Client {
	c := wire.NewClient(o)
	if !sh.certificates.none() {
		c.Certificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			u.turn.Lock() // of the variables, while several download at once
			defer u.turn.Unlock()
			return sh.certificates.choose(t, asked)
		}
	}
	return c
}

// clientOf is the client that w makes a request of c with.
func (u *user) clientOf(w *worker, c *call, sh *shared, t *vu.Thread) *wire.Client {
	if !c.java {
		return w.client
	}
	if w.java == nil {
		u.mu.Lock()
		w.java = u.newClient(&sh.java, sh, t)
		u.mu.Unlock()
		if t.Stopped() { // maybe told before there was a client
			w.java.Stop()
		}
	}
	return w.java
}

// end is for after a sample.
func (u *user) end() {
	u.own.rise()
	for _, w := range u.more {
		w.rise()
	}
}

// cut ends the requests under way; of a thread that is to stop, later ones too.
// It is called from other goroutines.
func (u *user) cut(t *vu.Thread) {
	end := func(w *worker) {
		for _, c := range []*wire.Client{w.client, w.java} {
			switch {
			case c == nil:
			case t.Stopped():
				c.Stop()
			default:
				c.Interrupt()
			}
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	end(&u.own)
	for _, w := range u.more {
		end(w)
	}
}

func (u *user) reset() {
	u.own.client.Reset()
	u.proxies = nil
	for _, w := range u.more {
		w.client.Reset()
	}
}

func (u *user) close() {
	if u.own.client == nil {
		return
	}
	u.reset()
	// New users do not reset those of the Java implementation.
	for _, w := range append(u.more, &u.own) {
		if w.java != nil {
			w.java.Close()
		}
	}
}

// hire returns n more workers, none of whom has anything to do.
func (u *user) hire(n int) []*worker {
	u.mu.Lock()
	defer u.mu.Unlock()
	var hired []*worker
	for _, w := range u.more {
		if len(hired) < n && !w.hired {
			hired = append(hired, w)
		}
	}
	for len(hired) < n {
		w := &worker{client: u.own.client.Sibling()}
		u.more, hired = append(u.more, w), append(hired, w)
	}
	for _, w := range hired {
		w.hired = true
		w.sit()
	}
	return hired
}

func (u *user) release(hired []*worker) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, w := range hired {
		w.hired = false
	}
}

// known remembers the last texts made of response headers, which rarely change.
type known struct {
	reason            string
	kind              []byte // a Content-Type
	dataType, charset string
}

// reasonText is the reason phrase as text.
func (k *known) reasonText(b []byte) string {
	if string(b) != k.reason {
		k.reason = latin1(b)
	}
	return k.reason
}

// latin1 reads header bytes as HTTP has them.
func latin1(b []byte) string {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			r := make([]rune, len(b))
			for i, c := range b {
				r[i] = rune(c)
			}
			return string(r)
		}
	}
	return string(b)
}
