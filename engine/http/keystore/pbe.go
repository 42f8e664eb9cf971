package keystore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"hash"
	"math/big"
)

// The algorithms of RFC 7292, appendix C, and of RFC 8018.
var (
	oid3DES   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 3}
	oidRC2128 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 5}
	oidRC240  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 1, 6}
	oidPBES2  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
)

// hashes are the digests of MACs and those of HMACs in PBKDF2.
var hashes = []struct {
	digest, hmac asn1.ObjectIdentifier
	new          func() hash.Hash
	block        int
}{
	{asn1.ObjectIdentifier{1, 3, 14, 3, 2, 26}, asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 7}, sha1.New, sha1.BlockSize},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 4}, asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 8}, sha256.New224, sha256.BlockSize},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}, sha256.New, sha256.BlockSize},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}, asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 10}, sha512.New384, sha512.BlockSize},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}, asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 11}, sha512.New, sha512.BlockSize},
}

// aesKeys are the key sizes of AES in CBC mode.
var aesKeys = []struct {
	oid  asn1.ObjectIdentifier
	size int
}{
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 2}, 16},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 22}, 24},
	{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}, 32},
}

// maxIterations is what Java takes at most.
const maxIterations = 5_000_000

func checkIterations(n int) error {
	if n < 1 || n > maxIterations {
		return fmt.Errorf("%d iterations", n)
	}
	return nil
}

func unknown(what string, oid asn1.ObjectIdentifier) error {
	return fmt.Errorf("%s %s is not supported", what, oid)
}

// verify checks the MAC of a store. One without is taken as it is: the password
// shows when something is decrypted.
func (m *macData) verify(content []byte, password string) error {
	if len(m.Digest.Algorithm.Algorithm) == 0 {
		return nil
	}
	if err := checkIterations(m.Iterations); err != nil {
		return err
	}
	for _, h := range hashes {
		if !h.digest.Equal(m.Digest.Algorithm.Algorithm) {
			continue
		}
		for _, pass := range passwords(password) {
			sum := hmac.New(h.new, derive(h.new, h.block, m.Salt, pass, m.Iterations, 3, h.new().Size()))
			sum.Write(content)
			if subtle.ConstantTimeCompare(sum.Sum(nil), m.Digest.Digest) == 1 {
				return nil
			}
		}
		return ErrPassword
	}
	return unknown("MAC", m.Digest.Algorithm.Algorithm)
}

// passwords are the forms of a password for derive. Programs disagree about the
// empty one.
func passwords(password string) [][]byte {
	terminated := append(utf16BE(password), 0, 0)
	if password == "" {
		return [][]byte{terminated, nil}
	}
	return [][]byte{terminated}
}

// derive makes size bytes of a password (RFC 7292, appendix B.2). id is 1 for a
// key, 2 for an initial vector, 3 for a MAC.
func derive(h func() hash.Hash, v int, salt, password []byte, iterations int, id byte, size int) []byte {
	fill := func(b []byte) []byte { // up to a multiple of v
		if len(b) == 0 {
			return nil
		}
		n := (len(b) + v - 1) / v * v
		return bytes.Repeat(b, n/len(b)+1)[:n]
	}
	in := append(fill(salt), fill(password)...)
	var out []byte
	for {
		d := h()
		d.Write(bytes.Repeat([]byte{id}, v))
		d.Write(in)
		a := d.Sum(nil)
		for range iterations - 1 {
			d.Reset()
			d.Write(a)
			a = d.Sum(a[:0])
		}
		if out = append(out, a...); len(out) >= size {
			return out[:size]
		}
		plus := new(big.Int).SetBytes(fill(a))
		plus.Add(plus, big.NewInt(1))
		for at := 0; at < len(in); at += v {
			block := new(big.Int).SetBytes(in[at : at+v])
			sum := block.Add(block, plus).Bytes() // modulo 2^8v
			sum = sum[max(0, len(sum)-v):]
			clear(in[at : at+v-len(sum)])
			copy(in[at+v-len(sum):], sum)
		}
	}
}

// decrypt undoes an encryption by a password.
func decrypt(algorithm pkix.AlgorithmIdentifier, data []byte, password string) ([]byte, error) {
	if algorithm.Algorithm.Equal(oidPBES2) {
		return decryptPBES2(algorithm, data, password)
	}
	var p struct {
		Salt       []byte
		Iterations int
	}
	var size int
	newCipher := newRC2
	switch oid := algorithm.Algorithm; {
	case oid.Equal(oid3DES):
		size, newCipher = 24, des.NewTripleDESCipher
	case oid.Equal(oidRC2128):
		size = 16
	case oid.Equal(oidRC240):
		size = 5
	default:
		return nil, unknown("encryption", oid)
	}
	if err := unmarshal(algorithm.Parameters.FullBytes, &p); err != nil {
		return nil, err
	}
	if err := checkIterations(p.Iterations); err != nil {
		return nil, err
	}
	var plain []byte
	var err error
	for _, pass := range passwords(password) {
		var block cipher.Block
		if block, err = newCipher(derive(sha1.New, sha1.BlockSize, p.Salt, pass, p.Iterations, 1, size)); err != nil {
			return nil, err
		}
		iv := derive(sha1.New, sha1.BlockSize, p.Salt, pass, p.Iterations, 2, block.BlockSize())
		if plain, err = unpad(block, iv, data); err == nil {
			return plain, nil
		}
	}
	return nil, err
}

// decryptPBES2 is for PBKDF2 with AES, RFC 8018.
func decryptPBES2(algorithm pkix.AlgorithmIdentifier, data []byte, password string) ([]byte, error) {
	var params struct{ KDF, Cipher pkix.AlgorithmIdentifier }
	if err := unmarshal(algorithm.Parameters.FullBytes, &params); err != nil {
		return nil, err
	}
	if !params.KDF.Algorithm.Equal(oidPBKDF2) {
		return nil, unknown("key derivation", params.KDF.Algorithm)
	}
	var kdf struct {
		Salt       []byte
		Iterations int
		Size       int                      `asn1:"optional"`
		PRF        pkix.AlgorithmIdentifier `asn1:"optional"`
	}
	if err := unmarshal(params.KDF.Parameters.FullBytes, &kdf); err != nil {
		return nil, err
	}
	if err := checkIterations(kdf.Iterations); err != nil {
		return nil, err
	}
	prf := sha1.New
	if oid := kdf.PRF.Algorithm; len(oid) > 0 {
		prf = nil
		for _, h := range hashes {
			if h.hmac.Equal(oid) {
				prf = h.new
			}
		}
		if prf == nil {
			return nil, unknown("HMAC", oid)
		}
	}
	for _, a := range aesKeys {
		if !a.oid.Equal(params.Cipher.Algorithm) {
			continue
		}
		var iv []byte
		if err := unmarshal(params.Cipher.Parameters.FullBytes, &iv); err != nil {
			return nil, err
		}
		secret, err := pbkdf2.Key(prf, password, kdf.Salt, kdf.Iterations, a.size)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(secret)
		if err != nil {
			return nil, err
		}
		return unpad(block, iv, data)
	}
	return nil, unknown("encryption", params.Cipher.Algorithm)
}

// unpad decrypts blocks in CBC mode and takes the padding off.
func unpad(block cipher.Block, iv, data []byte) ([]byte, error) {
	size := block.BlockSize()
	if len(iv) != size || len(data) == 0 || len(data)%size != 0 {
		return nil, errors.New("encrypted data of the wrong length")
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, data)
	n := int(plain[len(plain)-1])
	if n < 1 || n > size {
		return nil, ErrPassword
	}
	for _, c := range plain[len(plain)-n:] {
		if int(c) != n {
			return nil, ErrPassword
		}
	}
	return plain[:len(plain)-n], nil
}
