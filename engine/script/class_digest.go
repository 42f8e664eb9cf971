package script

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"strings"
)

// digest is a MessageDigest, a Mac or a CRC32 under way.
type digest struct {
	h     hash.Hash
	crc   hash.Hash32
	name  string
	class *Class
}

func (d *digest) JavaClass() *Class { return d.class }

// keySpec is a SecretKeySpec.
type keySpec struct {
	key  []byte
	name string
}

func (*keySpec) JavaClass() *Class { return keySpecClass }

func newHash(name string) (hash.Hash, error) {
	switch strings.ToUpper(name) {
	case "MD5":
		return md5.New(), nil
	case "SHA", "SHA1", "SHA-1":
		return sha1.New(), nil
	case "SHA-224":
		return sha256.New224(), nil
	case "SHA-256", "SHA256":
		return sha256.New(), nil
	case "SHA-384":
		return sha512.New384(), nil
	case "SHA-512", "SHA512":
		return sha512.New(), nil
	}
	return nil, throw("java.security.NoSuchAlgorithmException", "%s MessageDigest not available", name)
}

func newMac(name string, key []byte) (hash.Hash, error) {
	base, ok := strings.CutPrefix(strings.ToUpper(name), "HMAC")
	var make func() hash.Hash
	switch base {
	case "MD5":
		make = md5.New
	case "SHA1":
		make = sha1.New
	case "SHA224":
		make = sha256.New224
	case "SHA256":
		make = sha256.New
	case "SHA384":
		make = sha512.New384
	case "SHA512":
		make = sha512.New
	}
	if !ok || make == nil {
		return nil, throw("java.security.NoSuchAlgorithmException", "Algorithm %s not available", name)
	}
	return hmac.New(make, key), nil
}

func initDigests() {
	d := func(c *Call) *digest { return c.Self.(*digest) }
	digestClass.Static = Methods{"getInstance": method(1, 2, func(c *Call) (Value, error) {
		h, err := newHash(c.Str(0))
		return &digest{h: h, name: c.Str(0), class: digestClass}, err
	})}
	update := method(1, 3, func(c *Call) (Value, error) {
		var b []byte
		if isNumber(c.Args[0]) {
			b = []byte{byte(c.Int(0))}
		} else if b = c.bytes(0); c.N() == 3 {
			from, n := c.Int(1), c.Int(2)
			if from < 0 || n < 0 || from+n > len(b) {
				return nil, throw("java.lang.IllegalArgumentException", "Input buffer too short")
			}
			b = b[from : from+n]
		}
		if d(c).h == nil {
			d(c).crc.Write(b)
		} else {
			d(c).h.Write(b)
		}
		return nil, c.Err()
	})
	final := method(0, 1, func(c *Call) (Value, error) {
		if d(c).h == nil {
			return nil, throw("java.lang.IllegalStateException", "MAC not initialized")
		}
		if c.N() == 1 {
			d(c).h.Write(c.bytes(0))
		}
		b := d(c).h.Sum(nil)
		d(c).h.Reset()
		return &Bytes{b}, nil
	})
	digestClass.Methods = Methods{"update": update, "digest": final,
		"reset":        method(0, 0, func(c *Call) (Value, error) { d(c).h.Reset(); return nil, nil }),
		"getAlgorithm": method(0, 0, func(c *Call) (Value, error) { return d(c).name, nil })}
	digestClass.Static["isEqual"] = method(2, 2, func(c *Call) (Value, error) { return bytes.Equal(c.bytes(0), c.bytes(1)), nil })
	macClass.Static = Methods{"getInstance": method(1, 2, func(c *Call) (Value, error) {
		_, err := newMac(c.Str(0), nil)
		return &digest{name: c.Str(0), class: macClass}, err
	})}
	macClass.Methods = Methods{"update": update, "doFinal": final,
		"init": method(1, 2, func(c *Call) (Value, error) {
			k, ok := c.Args[0].(*keySpec)
			if !ok {
				c.fail(0, "java.security.Key")
				return nil, nil
			}
			h, err := newMac(d(c).name, k.key)
			d(c).h = h
			return nil, err
		})}
	keySpecClass.New = method(2, 2, func(c *Call) (Value, error) { return &keySpec{append([]byte(nil), c.bytes(0)...), c.Str(1)}, nil })
	keySpecClass.Methods = Methods{"getEncoded": method(0, 0, func(c *Call) (Value, error) { return &Bytes{c.Self.(*keySpec).key}, nil })}
	crcClass.New = method(0, 0, func(c *Call) (Value, error) { return &digest{crc: crc32.NewIEEE(), class: crcClass}, nil })
	crcClass.Methods = Methods{"update": update, "getValue": method(0, 0, func(c *Call) (Value, error) { return int64(d(c).crc.Sum32()), nil })}
	digestUtils.Static = Methods{}
	for n, alg := range map[string]string{"md5": "MD5", "sha1": "SHA-1", "sha": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"} {
		sum := func(c *Call) []byte {
			h, _ := newHash(alg)
			h.Write(c.bytes(0))
			return h.Sum(nil)
		}
		digestUtils.Static[n+"Hex"] = method(1, 1, func(c *Call) (Value, error) { return hex.EncodeToString(sum(c)), nil })
		digestUtils.Static[n] = method(1, 1, func(c *Call) (Value, error) { return &Bytes{sum(c)}, nil })
	}
}
