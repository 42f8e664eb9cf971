package http

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
)

// digestScheme is Digest (RFC 2617) as HttpClient 4.5 has it: of the later RFC
// 7616 it knows other hashes, but neither userhash nor sessions with them.
type digestScheme struct {
	params map[string]string
	asked  bool

	nonce, cnonce string // of the last answer
	count         int    // of answers to the nonce
}

func (*digestScheme) name() string { return "digest" }

func (d *digestScheme) realm() (string, bool) {
	realm, ok := d.params["realm"]
	return realm, ok
}

func (d *digestScheme) challenge(rest string) error {
	d.params, d.asked = authParams(rest), true
	if len(d.params) == 0 {
		return errors.New("Authentication challenge is empty")
	}
	return nil
}

func (d *digestScheme) complete() bool {
	return d.asked && !strings.EqualFold(d.params["stale"], "true")
}

func (*digestScheme) perConnection() bool { return false }

func (d *digestScheme) answer(c *claim) (string, error) {
	realm, ok := d.params["realm"]
	if !ok {
		return "", errors.New("missing realm in challenge")
	}
	nonce, ok := d.params["nonce"]
	if !ok {
		return "", errors.New("missing nonce in challenge")
	}
	qop, err := d.qop(c)
	if err != nil {
		return "", err
	}
	algorithm, ok := d.params["algorithm"]
	if !ok {
		algorithm = "MD5"
	}
	session := strings.EqualFold(algorithm, "MD5-sess")
	newHash := digestHashes[strings.ToUpper(algorithm)]
	if session {
		newHash = md5.New
	}
	if newHash == nil {
		return "", errors.New("Unsuppported digest algorithm: " + algorithm)
	}
	if c.who.kind == ticketOnly {
		return "", errNoPrincipal
	}
	if nonce != d.nonce || d.cnonce == "" {
		d.nonce, d.cnonce, d.count = nonce, newNonce(), 0
	}
	d.count++
	response, err := d.response(c, newHash, realm, qop, session)
	if err != nil {
		return "", err
	}
	return d.credentials(c, realm, qop, algorithm, response), nil
}

// ncValue is the count of answers as it is sent and hashed.
func (d *digestScheme) ncValue() string { return fmt.Sprintf("%08x", d.count) }

// response is the hash that proves that the password is known (RFC 2617, 3.2.2.1).
func (d *digestScheme) response(c *claim, newHash func() hash.Hash, realm, qop string, session bool) (string, error) {
	sum := summer(newHash, d.params["charset"])
	h1 := sum(c.who.principal(), realm, c.who.password)
	if session {
		h1 = sum(h1, d.nonce, d.cnonce)
	}
	h2 := sum(c.method, c.target)
	if qop == "auth-int" {
		body, err := bodySum(newHash, c)
		if err != nil {
			return "", err
		}
		h2 = sum(c.method, c.target, body)
	}
	if qop == "" {
		return sum(h1, d.nonce, h2), nil
	}
	return sum(h1, d.nonce, d.ncValue(), d.cnonce, qop, h2), nil
}

// credentials is the value of the header, its parameters in HttpClient's order.
func (d *digestScheme) credentials(c *claim, realm, qop, algorithm, response string) string {
	b := []byte("Digest ")
	quoted := func(name, value string) {
		b = append(append(b, name...), `="`...)
		b = append(appendHeaderText(b, digestQuoter.Replace(value)), `", `...)
	}
	quoted("username", c.who.principal())
	quoted("realm", realm)
	quoted("nonce", d.nonce)
	quoted("uri", c.target)
	quoted("response", response)
	if qop != "" {
		b = append(append(append(append(b, "qop="...), qop...), ", nc="...), d.ncValue()...)
		b = append(b, ", "...)
		quoted("cnonce", d.cnonce)
	}
	if strings.ContainsAny(algorithm, " ;,:@()<>\\\"/[]?={}\t") {
		quoted("algorithm", algorithm)
	} else {
		b = append(appendHeaderText(append(b, "algorithm="...), algorithm), ", "...)
	}
	if opaque, ok := d.params["opaque"]; ok {
		quoted("opaque", opaque)
	}
	return string(b[:len(b)-len(", ")])
}

var digestQuoter = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// qop is the quality of protection to use; a challenge need not name any.
func (d *digestScheme) qop(c *claim) (string, error) {
	asked, ok := d.params["qop"]
	if !ok {
		return "", nil
	}
	auth := false
	for q := range strings.SplitSeq(asked, ",") {
		switch strings.ToLower(strings.TrimSpace(q)) {
		case "auth-int":
			if c.body {
				return "auth-int", nil
			}
		case "auth":
			auth = true
		}
	}
	if !auth {
		return "", errors.New("None of the qop methods is supported: " + asked)
	}
	return "auth", nil
}

// digestHashes are those of Java's MessageDigest, by their names in capitals.
var digestHashes = map[string]func() hash.Hash{
	"MD5":         md5.New,
	"SHA":         sha1.New,
	"SHA1":        sha1.New,
	"SHA-1":       sha1.New,
	"SHA-224":     sha256.New224,
	"SHA-256":     sha256.New,
	"SHA-384":     sha512.New384,
	"SHA-512":     sha512.New,
	"SHA-512/224": sha512.New512_224,
	"SHA-512/256": sha512.New512_256,
	"SHA3-224":    func() hash.Hash { return sha3.New224() },
	"SHA3-256":    func() hash.Hash { return sha3.New256() },
	"SHA3-384":    func() hash.Hash { return sha3.New384() },
	"SHA3-512":    func() hash.Hash { return sha3.New512() },
}

// summer hashes texts joined by colons. What the charset of the challenge does not
// have is a question mark; without one it is ASCII.
func summer(newHash func() hash.Hash, charset string) func(parts ...string) string {
	encode := func(s string) []byte { return wire.AppendASCII(nil, s) }
	if charset != "" {
		cs, ok := java.LookupCharset(charset)
		if !ok {
			cs = java.UTF8 // the platform's
		}
		encode = cs.Encode
	}
	return func(parts ...string) string {
		h := newHash()
		h.Write(encode(strings.Join(parts, ":")))
		return hex.EncodeToString(h.Sum(nil))
	}
}

func bodySum(newHash func() hash.Hash, c *claim) (string, error) {
	h := newHash()
	if c.content == nil || c.content.stream == nil {
		if c.content != nil {
			h.Write(c.content.body)
		}
	} else if _, err := c.content.stream.WriteTo(h); err != nil {
		return "", fmt.Errorf("I/O error reading entity content: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func newNonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
