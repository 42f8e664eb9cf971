package keystore

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const password = "changeit"

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every store holds what keytool and OpenSSL put into it, in Java's order, and
// each key is that of its certificate.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, password string
		aliases        string
		subjects       string
	}{
		{"three.p12", password, "kappa alpha omega", "kappa alpha omega"},
		{"one.p12", password, "one", "one"},
		{"two.jks", password, "gamma beta", "gamma beta"},
		{"two.jceks", password, "gamma beta", "gamma beta"},
		{"legacy.p12", password, "from openssl", "one"},
		{"rc2.p12", password, "1", "one"},
		{"modern.p12", password, "1", "one"},
		{"nomac.p12", password, "1", "one"},
		{"empty.p12", "", "1", "one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(filepath.Join("testdata", test.name), test.password)
			if err != nil {
				t.Fatal(err)
			}
			checkStore(t, s, test.aliases, test.subjects)
		})
	}
}

func checkStore(t *testing.T, s *Store, aliases, subjects string) {
	t.Helper()
	ca, _ := pem.Decode(file(t, "ca.pem"))
	var names, owners []string
	for i := range s.Len() {
		names = append(names, s.Alias(i))
		c, err := s.Certificate(i)
		if err != nil {
			t.Fatal(err)
		}
		owners = append(owners, c.Leaf.Subject.CommonName)
		if len(c.Certificate) != 2 || !bytes.Equal(c.Certificate[1], ca.Bytes) {
			t.Errorf("%s: a chain of %d, want that of two with the issuer", names[i], len(c.Certificate))
		}
		var public any
		switch private := c.PrivateKey.(type) {
		case *rsa.PrivateKey:
			public = &private.PublicKey
		case *ecdsa.PrivateKey:
			public = &private.PublicKey
		}
		key, err := x509.MarshalPKIXPublicKey(public)
		if err != nil || !bytes.Equal(key, c.Leaf.RawSubjectPublicKeyInfo) {
			t.Errorf("%s: the key is not that of the certificate", names[i])
		}
	}
	if got := strings.Join(names, " "); got != aliases {
		t.Errorf("aliases %q, want %q", got, aliases)
	}
	if got := strings.Join(owners, " "); got != subjects {
		t.Errorf("subjects %q, want %q", got, subjects)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	cut := file(t, "three.p12")
	for _, test := range []struct{ name, password, want string }{
		{"testdata/three.p12", "wrong", ErrPassword.Error()},
		{"testdata/three.p12", "", ErrPassword.Error()},
		{"testdata/two.jks", "wrong", ErrPassword.Error()},
		{"testdata/nomac.p12", "wrong", ErrPassword.Error()},
		{"testdata/absent.p12", password, "no such file or directory"},
		{"testdata", password, "is a directory"},
		{"testdata/ca.pem", password, "is no key store, neither PKCS12 nor JKS nor JCEKS"},
		{write("empty", nil), password, "is no key store, neither PKCS12 nor JKS nor JCEKS"},
		{"testdata/two.jceks", "wrong", ErrPassword.Error()},
		{"testdata/secret.jceks", password, "is a JCEKS key store with secret keys, which are not supported"},
		{write("version", digested([]byte("\xfe\xed\xfe\xed\x00\x00\x00\x03\x00\x00\x00\x00"))), password, "is a JKS key store of version 3, which is not known"},
		{write("entry", digested([]byte("\xfe\xed\xfe\xed\x00\x00\x00\x02\xff\xff\xff\xff"))), password, "is a damaged JKS key store"},
		{write("short", []byte("\xfe\xed\xfe\xed\x00\x00\x00\x02")), password, "is a damaged JKS key store"},
		{write("cut", cut[:len(cut)-100]), password, "is no PKCS12 key store: bad encoding"},
		{write("large", make([]byte, MaxSize+1)), password, "is larger than 16 MiB"},
	} {
		if _, err := Open(test.name, test.password); err == nil || err.Error() != test.want {
			t.Errorf("%s with %q: %v, want %s", test.name, test.password, err, test.want)
		}
	}
	for _, test := range []struct{ name, password, want string }{
		{"testdata/otherkey.jks", password, `key "one": ` + ErrPassword.Error()},
	} {
		s, err := Open(test.name, test.password)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Certificate(0); !errors.Is(err, ErrPassword) || err.Error() != test.want {
			t.Errorf("key of %s: %v, want %s", test.name, err, test.want)
		}
	}
}

// digested ends a JKS store as it must.
func digested(body []byte) []byte {
	sum := sha1.Sum(slices.Concat(utf16BE(password), []byte(whitener), body))
	return append(slices.Clip(body), sum[:]...)
}

// The orders are those of Java 17's Hashtable.
func TestHashtableOrder(t *testing.T) {
	for _, want := range []string{
		"user0 Straße1 user4",
		"user0 user16 Straße49 Straße25 Straße1 user36 Straße9 user4",
		"user0 Straße9 user36 user64 Straße1 Straße25 Straße49 user4 user16",
		"user324 Straße121 Straße529 Straße729 Straße9 user196 Straße169 user784 user100 user676 Straße441 Straße49 Straße1 user256 Straße289 " +
			"Straße361 Straße225 user144 Straße841 user484 user36 user64 Straße625 user576 Straße25 user4 Straße81 user400 user16 user0",
	} {
		var names []string
		for i := range strings.Count(want, " ") + 1 {
			name := []string{"user", "Straße"}[i%2]
			names = append(names, name+strconv.Itoa(i*i))
		}
		if got := strings.Join(hashtableOrder(names), " "); got != want {
			t.Errorf("%d names:\n%s\nwant\n%s", len(names), got, want)
		}
	}
}

// ber writes a value of DER with open lengths and octet strings in pieces, as
// some programs do.
func ber(t *testing.T, data []byte) []byte {
	t.Helper()
	var out []byte
	for len(data) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(data, &v)
		if err != nil {
			t.Fatal(err)
		}
		tag := data[0]
		data = rest
		switch {
		case v.IsCompound:
			out = append(append(append(out, tag, 0x80), ber(t, v.Bytes)...), 0, 0)
		case tag == asn1.TagOctetString && len(v.Bytes) > 30, tag == 0x80 && len(v.Bytes) > 30:
			out = append(out, tag|0x20, 0x80)
			for piece := range slices.Chunk(v.Bytes, 100) {
				out = append(append(out, asn1.TagOctetString, byte(len(piece))), piece...)
			}
			out = append(out, 0, 0)
		default:
			out = append(out, v.FullBytes...)
		}
	}
	return out
}

// withoutMAC takes away what keeps a store from being changed, and changes its
// safes.
func withoutMAC(t testing.TB, data []byte, change func(safe []byte) []byte) []byte {
	t.Helper()
	var p pfx
	if err := unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	safe, err := p.AuthSafe.octets()
	if err != nil {
		t.Fatal(err)
	}
	octets, err := asn1.Marshal(change(safe))
	if err != nil {
		t.Fatal(err)
	}
	p.AuthSafe.Content = asn1.RawValue{Class: asn1.ClassContextSpecific, IsCompound: true, Bytes: octets}
	whole, err := asn1.Marshal(struct {
		Version  int
		AuthSafe contentInfo
	}{p.Version, p.AuthSafe})
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func TestBER(t *testing.T) {
	s, err := Read(ber(t, file(t, "three.p12")), password)
	if err != nil {
		t.Fatal(err)
	}
	checkStore(t, s, "kappa alpha omega", "kappa alpha omega")

	inside := withoutMAC(t, file(t, "modern.p12"), func(safe []byte) []byte { return ber(t, safe) })
	if s, err = Read(inside, password); err != nil {
		t.Fatal(err)
	}
	checkStore(t, s, "1", "one")
	for _, bad := range []string{"\x30\x80", "\x30\x80\x02\x01", "\x30\x03\x02\x01", "\x04\x80\x00\x00", "\x24\x80\x02\x01\x00\x00\x00", "\x30\x89\x01\x01\x01\x01\x01\x01\x01\x01\x01",
		"\x1f\xff", "\x30\x00\x00", strings.Repeat("\x30\x80", 1000)} {
		if _, err := der([]byte(bad)); err == nil {
			t.Errorf("%x is taken for good", bad)
		}
	}
}

// Whatever the bytes, a store is read or refused, and what it promises it has.
func FuzzRead(f *testing.F) {
	f.Add(file(f, "two.jks"))
	for _, name := range []string{"legacy.p12", "rc2.p12", "modern.p12", "nomac.p12"} {
		f.Add(withoutMAC(f, file(f, name), slices.Clone[[]byte]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4 && data[0] == 0xFE { // nobody guesses the digest
			data = digested(data[:max(4, len(data)-sha1.Size)])
		}
		s, err := Read(data, password)
		if err != nil {
			return
		}
		for i := range s.Len() {
			if a := s.Alias(i); a != strings.ToLower(a) {
				t.Errorf("alias %q", a)
			}
			if c, err := s.Certificate(i); err == nil && (c.PrivateKey == nil || c.Leaf == nil) {
				t.Errorf("half a certificate of %q", s.Alias(i))
			}
		}
	})
}

// Halves of a salt that are the same would make halves of the key so, too.
func TestJCEKSKeyOfEqualHalves(t *testing.T) {
	key := jceksKey(password, []byte("abcdabcd"), 3)
	if want := jceksKey(password, []byte("dcbaabcd"), 3); !bytes.Equal(key, want) || bytes.Equal(key[:16], key[16:]) {
		t.Errorf("%x, want %x", key, want)
	}
}
