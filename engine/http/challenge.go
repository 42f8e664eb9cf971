package http

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"strings"

	"github.com/Azure/go-ntlmssp"

	"github.com/gojm/gojm/engine/http/wire"
)

// challenge is one WWW-Authenticate or Proxy-Authenticate header.
type challenge struct {
	scheme string // lower case
	token  string // what follows the scheme
	params map[string]string
}

// challenges reads all headers of that name.
func challenges(res *wire.Response, name string) []challenge {
	var out []challenge
	res.Each(func(n, value []byte) bool {
		if equalFold(n, name) {
			scheme, rest, _ := strings.Cut(strings.TrimSpace(latin1(value)), " ")
			out = append(out, challenge{strings.ToLower(scheme), strings.TrimSpace(rest), authParams(rest)})
		}
		return true
	})
	return out
}

// authParams reads name=value parts (RFC 9110, section 11.2).
func authParams(s string) map[string]string {
	out := map[string]string{}
	for s = strings.TrimLeft(s, " \t,"); s != ""; s = strings.TrimLeft(s, " \t,") {
		i := strings.IndexAny(s, "=,")
		if i < 0 || s[i] == ',' {
			if i < 0 {
				break
			}
			s = s[i:]
			continue
		}
		name := strings.ToLower(strings.TrimSpace(s[:i]))
		s = strings.TrimLeft(s[i+1:], " \t")
		var value strings.Builder
		if strings.HasPrefix(s, `"`) {
			j := 1
			for ; j < len(s) && s[j] != '"'; j++ {
				if s[j] == '\\' && j+1 < len(s) {
					j++
				}
				value.WriteByte(s[j])
			}
			s = s[min(j+1, len(s)):]
		} else {
			j := strings.IndexByte(s, ',')
			if j < 0 {
				j = len(s)
			}
			value.WriteString(strings.TrimSpace(s[:j]))
			s = s[j:]
		}
		out[name] = value.String()
	}
	return out
}

// dialogue answers the challenges of one server during one request.
type dialogue struct {
	scheme string // what was answered last
	steps  int
}

// maxSteps bounds how often a server may ask.
const maxSteps = 5

// answer is the value of the header to send, "" to give up. HttpClient prefers
// NTLM to Digest to Basic and answers each of them once, NTLM twice.
func (d *dialogue) answer(list []challenge, of func(realm string) (credentials, bool), r *wire.Request) string {
	if d.steps++; d.steps > maxSteps {
		return ""
	}
	for _, scheme := range []string{"ntlm", "digest", "basic"} {
		for i := range list {
			c := &list[i]
			if c.scheme != scheme || d.scheme != "" && d.scheme != scheme {
				continue
			}
			again := scheme == "ntlm" && c.token != "" || scheme == "digest" && strings.EqualFold(c.params["stale"], "true")
			if d.scheme == scheme && !again {
				return ""
			}
			who, ok := of(c.params["realm"])
			if !ok {
				continue
			}
			value := ""
			switch scheme {
			case "basic":
				value = who.basic()
			case "digest":
				value = who.digest(c, r)
			case "ntlm":
				value = who.ntlm(c)
			}
			if value != "" {
				d.scheme = scheme
				return value
			}
		}
	}
	return ""
}

// ntlm answers with the first or the third message of NTLM.
func (c *credentials) ntlm(ch *challenge) string {
	if ch.token == "" {
		m, err := ntlmssp.NewNegotiateMessage(c.domain, "")
		if err != nil {
			return ""
		}
		return "NTLM " + base64.StdEncoding.EncodeToString(m)
	}
	second, err := base64.StdEncoding.DecodeString(ch.token)
	if err != nil {
		return ""
	}
	m, err := ntlmssp.NewAuthenticateMessage(second, c.principal(), c.password, nil)
	if err != nil {
		return ""
	}
	return "NTLM " + base64.StdEncoding.EncodeToString(m)
}

// digest answers a Digest challenge (RFC 7616). The nonce is not reused: JMeter
// asks anew for each sample.
func (c *credentials) digest(ch *challenge, r *wire.Request) string {
	realm, nonce := ch.params["realm"], ch.params["nonce"]
	algorithm := ch.params["algorithm"]
	if algorithm == "" {
		algorithm = "MD5"
	}
	newHash := hashOf(algorithm)
	if newHash == nil {
		return ""
	}
	sum := summer(newHash)
	qop := ""
	if asked, ok := ch.params["qop"]; ok {
		for q := range strings.SplitSeq(asked, ",") {
			switch q = strings.ToLower(strings.TrimSpace(q)); {
			case q == "auth-int" && (len(r.Body) > 0 || r.Stream != nil), q == "auth" && qop == "":
				qop = q
			}
		}
		if qop == "" {
			return ""
		}
	}
	user := c.principal()
	uri := r.Target
	cnonce := newNonce()
	h1 := sum(user, realm, c.password)
	if strings.HasSuffix(strings.ToLower(algorithm), "-sess") {
		h1 = sum(h1, nonce, cnonce)
	}
	h2 := sum(r.Method, uri)
	if qop == "auth-int" {
		h2 = sum(r.Method, uri, bodySum(sum, r))
	}
	const count = "00000001"
	response := sum(h1, nonce, h2)
	if qop != "" {
		response = sum(h1, nonce, count, cnonce, qop, h2)
	}
	q := strings.NewReplacer(`"`, `\"`, `\`, `\\`)
	b := `Digest username="` + q.Replace(user) + `", realm="` + q.Replace(realm) + `", nonce="` + q.Replace(nonce) + `", uri="` + q.Replace(uri) + `", response="` + response + `"`
	if qop != "" {
		b += `, qop=` + qop + `, nc=` + count + `, cnonce="` + cnonce + `"`
	}
	b += `, algorithm=` + algorithm
	if opaque, ok := ch.params["opaque"]; ok {
		b += `, opaque="` + q.Replace(opaque) + `"`
	}
	return b
}

// hashOf is the hash of an algorithm, nil for an unknown one.
func hashOf(algorithm string) func() hash.Hash {
	switch base, _ := strings.CutSuffix(strings.ToUpper(algorithm), "-SESS"); base {
	case "", "MD5":
		return md5.New
	case "SHA-256":
		return sha256.New
	}
	return nil
}

// summer hashes texts joined by colons.
func summer(newHash func() hash.Hash) func(parts ...string) string {
	return func(parts ...string) string {
		h := newHash()
		io.WriteString(h, strings.Join(parts, ":"))
		return hex.EncodeToString(h.Sum(nil))
	}
}

func bodySum(sum func(...string) string, r *wire.Request) string {
	if r.Stream == nil {
		return sum(string(r.Body))
	}
	var b strings.Builder
	r.Stream.WriteTo(&b)
	return sum(b.String())
}

func newNonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
