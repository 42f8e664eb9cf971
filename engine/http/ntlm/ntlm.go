// Package ntlm makes the messages of NTLM (MS-NLMP) as HttpClient 4.5 does, which
// JMeter uses: version 2 where the server names itself, else version 1. Message for
// message they have the same fields in the same order, so that sizes agree too.
package ntlm

import (
	"crypto/des"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/rc4"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"golang.org/x/crypto/md4" //lint:ignore SA1019 NTLM is made of it
)

// Flags of MS-NLMP, section 2.2.2.5.
const (
	flagUnicode     = 0x00000001
	flagSign        = 0x00000010
	flagLMKey       = 0x00000080
	flagVersion1    = 0x00000200
	flagAlwaysSign  = 0x00008000
	flagSession2    = 0x00080000
	flagTargetInfo  = 0x00800000
	flagVersion     = 0x02000000
	flag128         = 0x20000000
	flagKeyExchange = 0x40000000
	flag56          = 0x80000000
)

var (
	signature = []byte("NTLMSSP\x00")
	// system stands for Windows XP.
	system = []byte{5, 1, 0x28, 0x0a, 0, 0, 0, 0x0f}
)

// Negotiate returns message 1, always the same.
func Negotiate() []byte {
	b := binary.LittleEndian.AppendUint32(append([]byte(nil), signature...), 1)
	b = binary.LittleEndian.AppendUint32(b, flagVersion1|flagSession2|flagVersion|flagAlwaysSign|flag128|flag56|flagUnicode)
	none := []byte{0, 0, 0, 0, 40, 0, 0, 0} // a text without length
	return append(append(append(b, none...), none...), system...)
}

// challenge is what message 2 says.
type challenge struct {
	flags        uint32
	nonce        []byte
	target, info []byte // nil where there is none
}

func readChallenge(m []byte) (c challenge, err error) {
	switch {
	case len(m) < 32 || string(m[:8]) != string(signature):
		return c, errors.New("NTLM message expected - instead got unrecognized bytes")
	case binary.LittleEndian.Uint32(m[8:]) != 2:
		return c, errors.New("NTLM type 2 message expected")
	}
	field := func(at int) []byte {
		if len(m) < at+8 {
			return nil
		}
		length, offset := int(binary.LittleEndian.Uint16(m[at:])), binary.LittleEndian.Uint32(m[at+4:])
		switch {
		case length == 0:
			return nil
		case int64(offset)+int64(length) > int64(len(m)):
			return make([]byte, length) // as HttpClient has it
		}
		return m[offset:][:length]
	}
	return challenge{binary.LittleEndian.Uint32(m[20:]), m[24:32], field(12), field(40)}, nil
}

// Credentials are what message 3 is made of.
type Credentials struct{ User, Password, Domain string }

// Authenticate returns message 3, the answer to message 2. It fails where that is
// none.
func Authenticate(message2 []byte, who Credentials) ([]byte, error) {
	var random [32]byte
	rand.Read(random[:])
	return authenticate(message2, who, random, time.Now())
}

// authenticate is given what varies; random are two challenges of the client's,
// and a key.
func authenticate(message2 []byte, who Credentials, random [32]byte, now time.Time) ([]byte, error) {
	c, err := readChallenge(message2)
	if err != nil {
		return nil, err
	}
	nonce, nonce2, key := random[:8], random[8:16], random[16:]
	domain, _, _ := strings.Cut(strings.ToUpper(who.Domain), ".")
	hash := ntHash(who.Password)
	var lm, nt, session []byte
	switch {
	case c.flags&flagTargetInfo != 0 && c.info != nil && c.target != nil:
		owner := hmacMD5(hash, utf16le(strings.ToUpper(who.User)+domain))
		blob := binary.LittleEndian.AppendUint64([]byte{1, 1, 0, 0, 0, 0, 0, 0}, fileTime(now))
		blob = append(append(append(append(blob, nonce2...), 0, 0, 0, 0), c.info...), 0, 0, 0, 0)
		nt = append(hmacMD5(owner, c.nonce, blob), blob...)
		lm = append(hmacMD5(owner, c.nonce, nonce), nonce...)
		session = hmacMD5(owner, nt[:16])
	case c.flags&flagSession2 != 0:
		sum := md5.Sum(append(append([]byte(nil), c.nonce...), nonce...))
		nt = desResponse(hash, sum[:8])
		lm = append(append([]byte(nil), nonce...), make([]byte, 16)...)
		session = hmacMD5(md4Sum(hash), c.nonce, lm)
	default:
		nt, lm = desResponse(hash, c.nonce), desResponse(lmHash(who.Password), c.nonce)
		session = md4Sum(hash)
	}
	switch {
	case c.flags&flagSign == 0:
		session = nil
	case c.flags&flagLMKey != 0:
		session = lanManagerKey(who.Password, c.nonce)
	}
	if session != nil && c.flags&flagKeyExchange != 0 {
		cipher, err := rc4.NewCipher(session)
		if err != nil {
			return nil, err
		}
		session = make([]byte, len(key))
		cipher.XORKeyStream(session, key)
	}
	text := utf16le
	if c.flags&flagUnicode == 0 {
		text = func(s string) []byte { return ascii(s) }
	}
	fields := [][]byte{lm, nt, text(domain), text(who.User), text(workstation()), session}
	b := binary.LittleEndian.AppendUint32(append([]byte(nil), signature...), 3)
	at := 72
	for _, f := range fields {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(f)))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(f)))
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(f)
	}
	b = append(binary.LittleEndian.AppendUint32(b, c.flags), system...)
	for _, f := range fields {
		b = append(b, f...)
	}
	return b, nil
}

// workstation is this machine's name, in capitals and without a domain.
var workstation = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	name, _, _ = strings.Cut(strings.ToUpper(name), ".")
	return name
})

// fileTime is in tenths of microseconds since 1601, whole milliseconds.
func fileTime(t time.Time) uint64 { return uint64(t.UnixMilli()+11644473600000) * 10000 }

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// ascii has a question mark for every other character, like Java.
func ascii(s string) []byte {
	var b []byte
	for _, r := range s {
		if r > '~' {
			r = '?'
		}
		b = append(b, byte(r))
	}
	return b
}

func ntHash(password string) []byte { return md4Sum(utf16le(password)) }

func md4Sum(b []byte) []byte {
	h := md4.New()
	h.Write(b)
	return h.Sum(nil)
}

func hmacMD5(key []byte, parts ...[]byte) []byte {
	h := hmac.New(md5.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// lmHash is that of the first 14 letters, in capitals.
func lmHash(password string) []byte {
	key := make([]byte, 14)
	copy(key, ascii(strings.ToUpper(password)))
	magic := []byte("KGS!@#$%")
	return append(desEncrypt(key[:7], magic), desEncrypt(key[7:], magic)...)
}

// desResponse is the challenge in three keys made of a hash.
func desResponse(hash, challenge []byte) []byte {
	key := make([]byte, 21)
	copy(key, hash)
	var out []byte
	for i := 0; i < 21; i += 7 {
		out = append(out, desEncrypt(key[i:i+7], challenge)...)
	}
	return out
}

// lanManagerKey is the session key of old servers.
func lanManagerKey(password string, challenge []byte) []byte {
	hash := lmHash(password)
	key := append(append([]byte(nil), hash[:8]...), 0xbd, 0xbd, 0xbd, 0xbd, 0xbd, 0xbd)
	part := desResponse(hash, challenge)[:8]
	return append(desEncrypt(key[:7], part), desEncrypt(key[7:], part)...)
}

// desEncrypt is one block under a key of 56 bits.
func desEncrypt(key, block []byte) []byte {
	var wide [8]byte
	var bits uint64
	for _, b := range key {
		bits = bits<<8 | uint64(b)
	}
	for i := range wide {
		wide[i] = byte(bits>>(49-7*i)) << 1 // the lowest bit, of parity, does not matter
	}
	out := make([]byte, 8)
	cipher, err := des.NewCipher(wide[:])
	if err != nil {
		return out // never: the length is right
	}
	cipher.Encrypt(out, block)
	return out
}
