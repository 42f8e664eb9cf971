package keystore

import (
	"crypto/sha1"
	"crypto/subtle"
	"encoding/asn1"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// errJKS is a JKS store that is not as it should be.
var errJKS = errors.New("is a damaged JKS key store")

// oidJKS names the way in which JKS encrypts keys.
var oidJKS = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 42, 2, 17, 1, 1}

// whitener is part of each digest of a JKS store.
const whitener = "Mighty Aphrodite"

// readJKS reads the format of sun.security.provider.JavaKeyStore: magic number,
// version, entries, and a digest of all with the password. open undoes what
// encrypts a key.
func readJKS(data []byte, password string, open func(encrypted []byte, password string) ([]byte, error)) ([]key, error) {
	if len(data) < sha1.Size {
		return nil, errJKS
	}
	body, digest := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	h := sha1.New()
	h.Write(utf16BE(password))
	h.Write([]byte(whitener))
	h.Write(body)
	if subtle.ConstantTimeCompare(h.Sum(nil), digest) == 0 {
		return nil, ErrPassword
	}
	r := jksReader{rest: body[4:]}
	version := r.uint32()
	if version != 1 && version != 2 {
		return nil, fmt.Errorf("is a JKS key store of version %d, which is not known", version)
	}
	var keys []key
	var aliases []string
	seen := map[string]bool{}
	for range r.uint32() {
		tag, alias := r.uint32(), strings.ToLower(r.text())
		r.take(8) // time of creation
		switch tag {
		case 1:
			k := key{alias: alias, encrypted: r.block(), open: open}
			for range r.uint32() {
				if r.bad {
					break
				}
				k.chain = append(k.chain, r.certificate(version))
			}
			keys = append(keys, k)
		case 2:
			r.certificate(version)
		case 3:
			return nil, errors.New("is a JCEKS key store with secret keys, which are not supported")
		default:
			r.bad = true
		}
		if r.bad {
			return nil, errJKS
		}
		if !seen[alias] {
			seen[alias] = true
			aliases = append(aliases, alias)
		}
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errJKS
	}
	return inOrder(keys, hashtableOrder(aliases)), nil
}

// jksReader cuts a file into its parts. What is longer than what there is makes
// it bad, and everything after that empty.
type jksReader struct {
	rest []byte
	bad  bool
}

func (r *jksReader) take(n uint32) []byte {
	if r.bad || uint64(n) > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *jksReader) uint32() uint32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

func (r *jksReader) block() []byte { return r.take(r.uint32()) }

func (r *jksReader) text() string {
	b := r.take(2)
	if b == nil {
		return ""
	}
	return string(r.take(uint32(binary.BigEndian.Uint16(b))))
}

func (r *jksReader) certificate(version uint32) []byte {
	if version == 2 {
		r.text() // its type, always X.509
	}
	return r.block()
}

// openJKS undoes sun.security.provider.KeyProtector: after a salt of 20 bytes
// the key, xored with a chain of digests, and its own digest.
func openJKS(encrypted []byte, password string) ([]byte, error) {
	var info encryptedPrivateKeyInfo
	if err := unmarshal(encrypted, &info); err != nil {
		return nil, err
	}
	if !info.Algorithm.Algorithm.Equal(oidJKS) {
		return nil, fmt.Errorf("encryption %s is not supported", info.Algorithm.Algorithm)
	}
	data, pass := info.EncryptedData, utf16BE(password)
	if len(data) < 2*sha1.Size {
		return nil, errJKS
	}
	link, check := data[:sha1.Size], data[len(data)-sha1.Size:]
	plain := slices.Clone(data[sha1.Size : len(data)-sha1.Size])
	for at := 0; at < len(plain); at += sha1.Size {
		sum := sha1.Sum(append(pass[:len(pass):len(pass)], link...))
		link = sum[:]
		subtle.XORBytes(plain[at:], plain[at:], link)
	}
	sum := sha1.Sum(append(pass[:len(pass):len(pass)], plain...))
	if subtle.ConstantTimeCompare(sum[:], check) == 0 {
		return nil, ErrPassword
	}
	return plain, nil
}

// utf16BE is how both formats turn passwords into bytes.
func utf16BE(s string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		out = binary.BigEndian.AppendUint16(out, unit)
	}
	return out
}
