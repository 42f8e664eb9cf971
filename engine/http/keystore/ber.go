package keystore

import (
	"encoding/asn1"
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

var errBER = errors.New("bad encoding")

// maxDepth bounds how deep values may be nested.
const maxDepth = 32

// der makes DER of the part of BER that PKCS12 files are written in beside it:
// lengths that are left open, and octet strings in pieces. DER is returned as
// it is.
func der(data []byte) ([]byte, error) {
	out, rest, err := appendDER(make([]byte, 0, len(data)), data, 0)
	if err == nil && len(rest) > 0 {
		err = errors.New("trailing data")
	}
	return out, err
}

// appendDER appends the first value of data in DER, and returns what follows it.
func appendDER(dst, data []byte, depth int) (out, rest []byte, err error) {
	tag, content, open, rest, err := cutValue(data)
	if err != nil {
		return nil, nil, err
	}
	if tag[0]&0x20 == 0 {
		return appendValue(dst, tag, content), rest, nil
	}
	if depth > maxDepth {
		return nil, nil, errBER
	}
	var inner []byte
	pieces := tag[0] == asn1.TagOctetString|0x20
	for len(content) > 0 {
		if open && len(content) >= 2 && content[0] == 0 && content[1] == 0 {
			break
		}
		from := len(inner)
		if inner, content, err = appendDER(inner, content, depth+1); err != nil {
			return nil, nil, err
		}
		if pieces {
			piece, b, _, _, err := cutValue(inner[from:])
			if err != nil || piece[0] != asn1.TagOctetString {
				return nil, nil, errBER
			}
			inner = append(inner[:from], b...)
		}
	}
	if open {
		if len(content) < 2 {
			return nil, nil, errBER
		}
		rest = content[2:]
	}
	if pieces {
		tag = []byte{asn1.TagOctetString}
	}
	return appendValue(dst, tag, inner), rest, nil
}

// cutValue cuts data after its first value. Of a value whose length is open,
// content is all that follows, to the end.
func cutValue(data []byte) (tag, content []byte, open bool, rest []byte, err error) {
	n := 1
	if len(data) > 0 && data[0]&0x1F == 0x1F { // a tag of several bytes
		for n < len(data) && data[n]&0x80 != 0 {
			n++
		}
		n++
	}
	if len(data) <= n {
		return nil, nil, false, nil, errBER
	}
	tag, size, data := data[:n], uint64(data[n]), data[n+1:]
	switch {
	case size == 0x80:
		if tag[0]&0x20 == 0 {
			return nil, nil, false, nil, errBER
		}
		return tag, data, true, nil, nil
	case size > 0x80:
		width := int(size & 0x7F)
		if width > 8 || width > len(data) {
			return nil, nil, false, nil, errBER
		}
		var b [8]byte
		copy(b[8-width:], data[:width])
		size, data = binary.BigEndian.Uint64(b[:]), data[width:]
	}
	if size > uint64(len(data)) {
		return nil, nil, false, nil, errBER
	}
	return tag, data[:size], false, data[size:], nil
}

func appendValue(dst, tag, content []byte) []byte {
	dst = append(dst, tag...)
	if n := len(content); n < 0x80 {
		dst = append(dst, byte(n))
	} else {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], uint64(n))
		i := 0
		for b[i] == 0 {
			i++
		}
		dst = append(append(dst, 0x80|byte(8-i)), b[i:]...)
	}
	return append(dst, content...)
}

// joined are the bytes of an implicitly tagged octet string, which in BER may
// have come in pieces.
func joined(v asn1.RawValue) ([]byte, error) {
	if !v.IsCompound {
		return v.Bytes, nil
	}
	var out []byte
	for rest := v.Bytes; len(rest) > 0; {
		var piece []byte
		var err error
		if rest, err = asn1.Unmarshal(rest, &piece); err != nil {
			return nil, err
		}
		out = append(out, piece...)
	}
	return out, nil
}

// bmpString is text of two bytes a character.
func bmpString(v asn1.RawValue) (string, error) {
	if v.Tag != asn1.TagBMPString || len(v.Bytes)%2 != 0 {
		return "", errors.New("a name is no BMPString")
	}
	units := make([]uint16, len(v.Bytes)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(v.Bytes[2*i:])
	}
	return string(utf16.Decode(units)), nil
}
