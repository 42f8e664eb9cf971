package keystore

import (
	"bytes"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The object identifiers of RFC 7292 and RFC 2985.
var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncryptedData = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidShroudedKey   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidCertificate   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidSecret        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 5}
	oidX509          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 22, 1}
	oidFriendlyName  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 20}
	oidLocalKeyID    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 21}
	// with which Java marks a certificate that is trusted and no part of a chain
	oidTrusted = asn1.ObjectIdentifier{2, 16, 840, 1, 113894, 746875, 1, 1}
)

// The structures of RFC 7292, with those of RFC 5652 in them.
type (
	pfx struct {
		Version  int
		AuthSafe contentInfo
		Mac      macData `asn1:"optional"`
	}
	contentInfo struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"tag:0,explicit,optional"`
	}
	macData struct {
		Digest struct {
			Algorithm pkix.AlgorithmIdentifier
			Digest    []byte
		}
		Salt       []byte
		Iterations int `asn1:"optional,default:1"`
	}
	encryptedData struct {
		Version int
		Content struct {
			Type      asn1.ObjectIdentifier
			Algorithm pkix.AlgorithmIdentifier
			Content   asn1.RawValue `asn1:"tag:0,optional"`
		}
	}
	safeBag struct {
		Type       asn1.ObjectIdentifier
		Value      asn1.RawValue  `asn1:"tag:0,explicit"`
		Attributes []bagAttribute `asn1:"set,optional"`
	}
	bagAttribute struct {
		Type   asn1.ObjectIdentifier
		Values asn1.RawValue
	}
	certBag struct {
		Type asn1.ObjectIdentifier
		Data []byte `asn1:"tag:0,explicit"`
	}
	encryptedPrivateKeyInfo struct {
		Algorithm     pkix.AlgorithmIdentifier
		EncryptedData []byte
	}
)

// unmarshal is asn1.Unmarshal that takes all of data.
func unmarshal(data []byte, to any) error {
	rest, err := asn1.Unmarshal(data, to)
	if err == nil && len(rest) > 0 {
		err = errors.New("trailing data")
	}
	return err
}

// octets are the bytes of an explicitly tagged OCTET STRING.
func (c *contentInfo) octets() (b []byte, err error) { return b, unmarshal(c.Content.Bytes, &b) }

// readPKCS12 reads a store that is protected by a password, of any number of
// keys, as sun.security.pkcs12.PKCS12KeyStore does.
func readPKCS12(data []byte, password string) ([]key, error) {
	data, err := der(data)
	if err != nil {
		return nil, fmt.Errorf("is no PKCS12 key store: %w", err)
	}
	var p pfx
	if err := unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("is no PKCS12 key store: %w", err)
	}
	if p.Version != 3 || !p.AuthSafe.Type.Equal(oidData) {
		return nil, errors.New("is a PKCS12 key store that is not protected by a password, which is not supported")
	}
	damaged := func(err error) error {
		if errors.Is(err, ErrPassword) {
			return err
		}
		return fmt.Errorf("is a damaged PKCS12 key store: %w", err)
	}
	safe, err := p.AuthSafe.octets()
	if err != nil {
		return nil, damaged(err)
	}
	if err := p.Mac.verify(safe, password); err != nil {
		return nil, damaged(err)
	}
	if safe, err = der(safe); err != nil {
		return nil, damaged(err)
	}
	var parts []contentInfo
	if err := unmarshal(safe, &parts); err != nil {
		return nil, damaged(err)
	}
	var s safes
	for i := range parts {
		bags, err := parts[i].bags(password)
		if err == nil {
			err = s.add(bags)
		}
		if err != nil {
			return nil, damaged(err)
		}
	}
	return s.keys(), nil
}

// bags are the contents of a safe.
func (c *contentInfo) bags(password string) (bags []safeBag, err error) {
	var content []byte
	switch {
	case c.Type.Equal(oidData):
		content, err = c.octets()
	case c.Type.Equal(oidEncryptedData):
		var e encryptedData
		if err = unmarshal(c.Content.Bytes, &e); err == nil {
			if content, err = joined(e.Content.Content); err == nil {
				content, err = decrypt(e.Content.Algorithm, content, password)
			}
		}
	default:
		return nil, nil // encrypted for a public key; Java fails
	}
	if err == nil {
		content, err = der(content)
	}
	if err == nil {
		err = unmarshal(content, &bags)
	}
	return bags, err
}

// safes collects what the safes of a store hold.
type safes struct {
	private   []privateBag
	certs     []chainCert
	bySubject map[string]*chainCert
	aliases   []string // of keys and trusted certificates, in the order of the file
	seen      map[string]bool
	nameless  int
}

type privateBag struct {
	key
	id []byte
}

type chainCert struct {
	raw, id []byte
	alias   string
	*x509.Certificate
}

func (s *safes) add(bags []safeBag) error {
	for i := range bags {
		b := &bags[i]
		alias, id, trusted, err := b.attributes()
		if err != nil {
			return err
		}
		switch {
		case b.Type.Equal(oidShroudedKey):
			alias = s.name(alias)
			s.private = append(s.private, privateBag{key{alias: alias, encrypted: b.Value.Bytes, open: openShrouded}, id})
		case b.Type.Equal(oidSecret):
			s.name(alias)
		case b.Type.Equal(oidCertificate):
			var c certBag
			if err := unmarshal(b.Value.Bytes, &c); err != nil {
				return err
			}
			if !c.Type.Equal(oidX509) {
				continue
			}
			parsed, err := x509.ParseCertificate(c.Data)
			if err != nil {
				return err
			}
			if trusted {
				alias = s.name(alias)
			}
			s.certs = append(s.certs, chainCert{c.Data, id, strings.ToLower(alias), parsed})
		}
	}
	return nil
}

// name makes an alias of a friendly name; what has none gets a number.
func (s *safes) name(friendly string) string {
	if friendly == "" {
		s.nameless++
		friendly = strconv.Itoa(s.nameless)
	}
	alias := strings.ToLower(friendly)
	if !s.seen[alias] {
		if s.seen == nil {
			s.seen = map[string]bool{}
		}
		s.seen[alias] = true
		s.aliases = append(s.aliases, alias)
	}
	return alias
}

// keys joins each key with its certificate and those above it.
func (s *safes) keys() []key {
	s.bySubject = map[string]*chainCert{}
	for i := range s.certs {
		subject := string(s.certs[i].RawSubject)
		if s.bySubject[subject] == nil {
			s.bySubject[subject] = &s.certs[i]
		}
	}
	var keys []key
	for _, k := range s.private {
		if k.id == nil && len(s.private) > 1 {
			continue // Java cannot tell its certificate either
		}
		k.chain = s.chain(s.own(k))
		keys = append(keys, k.key)
	}
	return inOrder(keys, s.aliases)
}

// own is the certificate of a key; one that names no key belongs to the only
// key there is. nil when there is none.
func (s *safes) own(k privateBag) (own *chainCert) {
	for i := range s.certs {
		switch c := &s.certs[i]; {
		case k.id == nil && c.id == nil:
			return c
		case k.id == nil || !bytes.Equal(c.id, k.id):
		case c.alias == k.alias:
			return c
		default:
			own = c
		}
	}
	return own
}

// chain goes from a certificate to its issuers, as far as the store has them.
func (s *safes) chain(c *chainCert) (chain [][]byte) {
	been := map[*chainCert]bool{}
	for c != nil && !been[c] {
		been[c] = true
		chain = append(chain, c.raw)
		if bytes.Equal(c.RawIssuer, c.RawSubject) {
			break
		}
		c = s.bySubject[string(c.RawIssuer)]
	}
	return chain
}

// attributes are those of a bag that count.
func (b *safeBag) attributes() (alias string, id []byte, trusted bool, err error) {
	for _, a := range b.Attributes {
		switch {
		case a.Type.Equal(oidFriendlyName):
			var name asn1.RawValue
			if err = unmarshal(a.Values.Bytes, &name); err == nil {
				alias, err = bmpString(name)
			}
		case a.Type.Equal(oidLocalKeyID):
			err = unmarshal(a.Values.Bytes, &id)
		case a.Type.Equal(oidTrusted):
			trusted = true
		}
		if err != nil {
			break
		}
	}
	return alias, id, trusted, err
}

// openShrouded decrypts the key of a bag.
func openShrouded(encrypted []byte, password string) ([]byte, error) {
	var info encryptedPrivateKeyInfo
	if err := unmarshal(encrypted, &info); err != nil {
		return nil, err
	}
	return decrypt(info.Algorithm, info.EncryptedData, password)
}
