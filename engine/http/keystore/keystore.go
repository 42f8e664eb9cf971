// Package keystore reads the key stores of Java programs: PKCS12 (RFC 7292), JKS
// and JCEKS, to present their certificates to servers.
package keystore

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/asn1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxSize is the largest file that Open reads, in bytes.
const MaxSize = 16 << 20

// ErrPassword says that the password does not open a store or a key, which
// cannot be told from a damaged file.
var ErrPassword = errors.New("the password is wrong, or the file is damaged")

// Store is a key store. It is immutable: keys are decrypted when they are asked
// for, and nothing is kept of them.
type Store struct {
	password string
	keys     []key
}

// key is an entry with a private key.
type key struct {
	alias     string
	encrypted []byte // EncryptedPrivateKeyInfo of PKCS #8
	open      func(encrypted []byte, password string) (pkcs8 []byte, err error)
	chain     [][]byte
}

// Open reads the file of that name. Its errors do not name the file.
func Open(name, password string) (*Store, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, cause(err)
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("is larger than %d MiB", MaxSize>>20)
	}
	return Read(data, password)
}

// cause is an error without operation and path.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// The first bytes of the formats that begin with a number.
const (
	magicJKS   = 0xFEEDFEED
	magicJCEKS = 0xCECECECE
)

// Read reads a store. Its format is told by its content, as Java does,
// whatever type the user names.
func Read(data []byte, password string) (*Store, error) {
	magic := uint32(0)
	if len(data) >= 4 {
		magic = binary.BigEndian.Uint32(data)
	}
	var keys []key
	var err error
	switch {
	case magic == magicJKS:
		keys, err = readJKS(data, password, openJKS)
	case magic == magicJCEKS:
		keys, err = readJKS(data, password, openJCEKS)
	case len(data) > 0 && data[0] == asn1.TagSequence|0x20:
		keys, err = readPKCS12(data, password)
	default:
		return nil, errors.New("is no key store, neither PKCS12 nor JKS nor JCEKS")
	}
	if err != nil {
		return nil, err
	}
	return &Store{password, keys}, nil
}

// Len is the number of private keys.
func (s *Store) Len() int { return len(s.keys) }

// Alias is the name of a private key, in lower case as Java has it. The order
// of keys is that in which Java counts them.
func (s *Store) Alias(i int) string { return s.keys[i].alias }

// Certificate returns a private key with its certificates, the key's own first.
func (s *Store) Certificate(i int) (*tls.Certificate, error) {
	k := &s.keys[i]
	if len(k.chain) == 0 {
		return nil, fmt.Errorf("key %q has no certificate", k.alias)
	}
	pkcs8, err := k.open(k.encrypted, s.password)
	if err != nil {
		return nil, fmt.Errorf("key %q: %w", k.alias, err)
	}
	private, err := x509.ParsePKCS8PrivateKey(pkcs8)
	if err != nil {
		return nil, fmt.Errorf("key %q: %w", k.alias, err)
	}
	leaf, err := x509.ParseCertificate(k.chain[0])
	if err != nil {
		return nil, fmt.Errorf("certificate of %q: %w", k.alias, err)
	}
	return &tls.Certificate{Certificate: k.chain, PrivateKey: private, Leaf: leaf}, nil
}
