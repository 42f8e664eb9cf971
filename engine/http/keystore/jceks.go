package keystore

import (
	"crypto/des"
	"crypto/md5"
	"encoding/asn1"
	"fmt"
	"slices"
)

// JCEKS (com.sun.crypto.provider.JceKeyStore) is JKS with another magic number,
// another way to encrypt private keys, and secret keys, which no server asks for.

// oidJCEKS is PBEWithMD5AndTripleDES, as Sun made it up.
var oidJCEKS = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 42, 2, 19, 1}

// openJCEKS undoes com.sun.crypto.provider.KeyProtector.
func openJCEKS(encrypted []byte, password string) ([]byte, error) {
	var info encryptedPrivateKeyInfo
	if err := unmarshal(encrypted, &info); err != nil {
		return nil, err
	}
	if !info.Algorithm.Algorithm.Equal(oidJCEKS) {
		return nil, fmt.Errorf("encryption %s is not supported", info.Algorithm.Algorithm)
	}
	var p struct {
		Salt       []byte
		Iterations int
	}
	if err := unmarshal(info.Algorithm.Parameters.FullBytes, &p); err != nil {
		return nil, err
	}
	if len(p.Salt) != 8 || p.Iterations < 1 || p.Iterations > maxIterations {
		return nil, errJKS
	}
	key := jceksKey(password, p.Salt, p.Iterations)
	block, err := des.NewTripleDESCipher(key[:24])
	if err != nil {
		return nil, err
	}
	return unpad(block, key[24:], info.EncryptedData)
}

// jceksKey is a key of 24 bytes and a vector of 8: each half of the salt is
// digested with the password again and again.
func jceksKey(password string, salt []byte, iterations int) (key []byte) {
	halves := [][]byte{slices.Clone(salt[:4]), salt[4:]}
	if slices.Equal(halves[0], halves[1]) {
		slices.Reverse(halves[0])
	}
	for _, sum := range halves {
		for range iterations {
			next := md5.Sum(append(slices.Clip(sum), password...))
			sum = next[:]
		}
		key = append(key, sum...)
	}
	return key
}
