package target

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
)

const realm, nonce = "target", "0123456789abcdef"

// digest asks for user:pass in the way of RFC 2617, section 3.2, with qop.
func digest(_ *Server, r *request) *response {
	return challenge(r, fmt.Sprintf(`realm="%s", nonce="%s", qop="auth", algorithm=MD5`, realm, nonce),
		nonce, "nc", "cnonce", "qop")
}

// digestOld asks without qop: the answer holds no client nonce and so is the
// same each time.
func digestOld(_ *Server, r *request) *response {
	return challenge(r, fmt.Sprintf(`realm="%s", nonce="%s", opaque="op"`, realm, nonce), nonce)
}

// challenge compares the client's answer with the digest of the secret, the
// nonce, the named fields of the answer, and the request.
func challenge(r *request, ask, nonce string, fields ...string) *response {
	authorization := r.header("Authorization")
	field := func(name string) string {
		for f := range strings.SplitSeq(strings.TrimPrefix(authorization, "Digest "), ",") {
			k, v, _ := strings.Cut(strings.TrimSpace(f), "=")
			if k == name {
				return strings.Trim(v, `"`)
			}
		}
		return ""
	}
	parts := []string{hash("user:" + realm + ":pass"), nonce}
	for _, f := range fields {
		parts = append(parts, field(f))
	}
	parts = append(parts, hash(r.method+":"+field("uri")))
	if authorization == "" || field("response") != hash(strings.Join(parts, ":")) {
		return text(401, "digest auth required", "WWW-Authenticate: Digest "+ask)
	}
	return text(200, "digest ok")
}

func hash(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}
