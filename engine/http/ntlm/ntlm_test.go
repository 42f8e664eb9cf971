package ntlm

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"
	"time"
)

// message2 is a challenge with the flags, the nonce of MS-NLMP, section 4.2, and
// what the server says of itself.
func message2(flags uint32, target, info string) []byte {
	b := binary.LittleEndian.AppendUint32(append([]byte(nil), signature...), 2)
	at := 48
	field := func(s string) {
		b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, uint16(len(s))), uint16(len(s)))
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(s)
	}
	field(target)
	b = binary.LittleEndian.AppendUint32(b, flags)
	b = append(b, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0, 0, 0, 0, 0, 0, 0, 0)
	field(info)
	return append(append(b, target...), info...)
}

// fields are the parts of message 3.
func fields(t *testing.T, m []byte) (f [6]string) {
	t.Helper()
	if len(m) < 72 || !bytes.HasPrefix(m, append(signature, 3, 0, 0, 0)) || !bytes.Equal(m[64:72], system) {
		t.Fatalf("no message 3: %x", m)
	}
	end := 72
	for i := range f {
		at := 12 + 8*i
		length, offset := int(binary.LittleEndian.Uint16(m[at:])), int(binary.LittleEndian.Uint32(m[at+4:]))
		if offset != end {
			t.Errorf("field %d begins at %d, want %d", i, offset, end)
		}
		f[i], end = hex.EncodeToString(m[offset:offset+length]), offset+length
	}
	if end != len(m) {
		t.Errorf("%d bytes, fields end at %d", len(m), end)
	}
	return f
}

// User, password, nonces and most answers are those of MS-NLMP, section 4.2; there
// the domain is not in capitals, as HttpClient writes it, so version 2 differs.
func TestAuthenticate(t *testing.T) {
	var random [32]byte
	for i := range random {
		random[i] = 0xaa
		if i >= 16 {
			random[i] = 0x55
		}
	}
	who := Credentials{User: "User", Password: "Password", Domain: "Domain.example"}
	for _, c := range []struct {
		name               string
		flags              uint32
		target, info       string
		lm, nt, user, host string
		session            string
	}{
		{name: "version 1", flags: flagUnicode | flagVersion1, target: "S",
			lm: "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13", nt: "67c43011f30298a2ad35ece64f16331c44bdbed927841f94", user: "5500730065007200"},
		{name: "version 1, not Unicode", flags: flagVersion1, target: "S",
			lm: "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13", nt: "67c43011f30298a2ad35ece64f16331c44bdbed927841f94", user: "55736572"},
		{name: "session security", flags: flagUnicode | flagSession2, target: "S",
			lm: "aaaaaaaaaaaaaaaa00000000000000000000000000000000", nt: "7537f803ae367128ca458204bde7caf81e97ed2683267232", user: "5500730065007200"},
		{name: "key exchange of version 1", flags: flagUnicode | flagSign | flagKeyExchange, target: "S",
			lm: "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13", nt: "67c43011f30298a2ad35ece64f16331c44bdbed927841f94", user: "5500730065007200", session: "518822b1b3f350c8958682ecbb3e3cb7"},
		{name: "LAN Manager's key", flags: flagUnicode | flagSign | flagLMKey | flagKeyExchange, target: "S",
			lm: "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13", nt: "67c43011f30298a2ad35ece64f16331c44bdbed927841f94", user: "5500730065007200", session: "4cd7bb57d697ef9b549f02b8f9b37864"},
		{name: "version 2", flags: flagUnicode | flagTargetInfo, target: "S", info: "info",
			lm: "a364ead07e87f76bef07b555d8564bb3aaaaaaaaaaaaaaaa", nt: "b2d127f1ab5f4df0c8d0d22d0cc1e3a801010000000000000000000000000000aaaaaaaaaaaaaaaa00000000696e666f00000000", user: "5500730065007200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := authenticate(message2(c.flags, c.target, c.info), who, random, time.UnixMilli(-11644473600000))
			if err != nil {
				t.Fatal(err)
			}
			f := fields(t, m)
			if got := binary.LittleEndian.Uint32(m[60:]); got != c.flags {
				t.Errorf("flags %x, want those of the server", got)
			}
			if f[0] != c.lm || f[1] != c.nt || f[3] != c.user || f[5] != c.session {
				t.Errorf("lm %s nt %s user %s session %s", f[0], f[1], f[3], f[5])
			}
		})
	}
}

// What is no challenge is an error, not a panic.
func FuzzAuthenticate(f *testing.F) {
	f.Add(message2(flagUnicode|flagTargetInfo|flagSign|flagKeyExchange, "S", "info"))
	f.Add(message2(0, "", ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Authenticate(b, Credentials{User: "u", Password: "p", Domain: "d"})
		if err == nil && !bytes.HasPrefix(m, append(signature, 3, 0, 0, 0)) {
			t.Fatalf("%x", m)
		}
	})
}

// Message 1 is HttpClient's, to the byte.
func TestNegotiate(t *testing.T) {
	const want = "4e544c4d5353500001000000018208a2000000002800000000000000280000000501280a0000000f"
	if got := hex.EncodeToString(Negotiate()); got != want {
		t.Error(got)
	}
}
