package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__digest", Title: "the digest of a text in hexadecimal", Args: "algorithm, text, salt?, upper case?, var?",
		Min: 2, Max: 5, Compile: compileDigest,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__MD5", Title: "the MD5 digest of a text in hexadecimal", Args: "text, var?",
		Min: 1, Max: -1, Plugin: true, Compile: compileMD5,
	})
}

// digests are those of Java's MessageDigest, by name in upper case.
var digests = map[string]func() hash.Hash{
	"MD2": newMD2, "MD5": md5.New,
	"SHA": sha1.New, "SHA1": sha1.New, "SHA-1": sha1.New,
	"SHA-224": sha256.New224, "SHA224": sha256.New224, "SHA-256": sha256.New, "SHA256": sha256.New,
	"SHA-384": sha512.New384, "SHA384": sha512.New384, "SHA-512": sha512.New, "SHA512": sha512.New,
	"SHA-512/224": sha512.New512_224, "SHA512/224": sha512.New512_224,
	"SHA-512/256": sha512.New512_256, "SHA512/256": sha512.New512_256,
	"SHA3-224": func() hash.Hash { return sha3.New224() }, "SHA3-256": func() hash.Hash { return sha3.New256() },
	"SHA3-384": func() hash.Hash { return sha3.New384() }, "SHA3-512": func() hash.Hash { return sha3.New512() },
}

func compileDigest(c *expr.Call) (expr.Eval, error) {
	algorithm, text, salt := c.Arg(0), c.Arg(1), c.Arg(2)
	upper, variable := expr.NewBool(c.Arg(3)), newTarget(c, 4, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		name, s, more := algorithm.Eval(t), text.Eval(t), salt.Eval(t)
		make_ := digests[strings.ToUpper(name)]
		if make_ == nil {
			errorf(t, "DigestEncodeFunction", "Error calling __digest function with value %s, digest algorithm %s, salt %s",
				s, name, more)
			return append(dst, "null"...)
		}
		from := len(dst)
		h := make_()
		h.Write([]byte(s))
		h.Write([]byte(more))
		dst = hex.AppendEncode(dst, h.Sum(nil))
		if upper.Eval(t) {
			copy(dst[from:], strings.ToUpper(string(dst[from:])))
		}
		return variable.keep(dst, from, t)
	}, nil
}

func compileMD5(c *expr.Call) (expr.Eval, error) {
	text, variable := c.Arg(0), newTarget(c, 1, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		sum := md5.Sum([]byte(text.Eval(t)))
		return variable.keep(hex.AppendEncode(dst, sum[:]), from, t)
	}, nil
}
