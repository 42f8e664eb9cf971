package http

import (
	"encoding/base64"
	"errors"

	"github.com/gojm/gojm/engine/http/ntlm"
)

// ntlmScheme is NTLM over HTTP (MS-NTHT): three requests on one connection.
type ntlmScheme struct {
	phase ntlmPhase
	token string // of the server
}

type ntlmPhase uint8

const (
	ntlmNew ntlmPhase = iota
	ntlmAsked
	ntlmNegotiated // message 1 is out
	ntlmChallenged // message 2 is here
	ntlmDone       // message 3 is out
	ntlmFailed
)

func (*ntlmScheme) name() string          { return "ntlm" }
func (*ntlmScheme) realm() (string, bool) { return "", false }
func (*ntlmScheme) perConnection() bool   { return true }
func (n *ntlmScheme) complete() bool      { return n.phase == ntlmDone || n.phase == ntlmFailed }

func (n *ntlmScheme) challenge(rest string) error {
	n.token = rest
	switch {
	case rest == "" && n.phase == ntlmNew:
		n.phase = ntlmAsked
	case rest == "":
		n.phase = ntlmFailed
	case n.phase < ntlmNegotiated:
		n.phase = ntlmFailed
		return errors.New("Out of sequence NTLM response message")
	case n.phase == ntlmNegotiated:
		n.phase = ntlmChallenged
	}
	return nil
}

func (n *ntlmScheme) answer(c *claim) (string, error) {
	if c.who.kind != windows {
		return "", errors.New("Credentials cannot be used for NTLM authentication")
	}
	switch n.phase {
	case ntlmAsked:
		n.phase = ntlmNegotiated
		return "NTLM " + base64.StdEncoding.EncodeToString(ntlm.Negotiate()), nil
	case ntlmChallenged:
		m, err := base64.StdEncoding.DecodeString(n.token)
		if err == nil {
			m, err = ntlm.Authenticate(m, ntlm.Credentials{User: c.who.user, Password: c.who.password, Domain: c.who.domain})
		}
		if err != nil {
			return "", err
		}
		n.phase = ntlmDone
		return "NTLM " + base64.StdEncoding.EncodeToString(m), nil
	case ntlmFailed:
		return "", errors.New("NTLM authentication failed")
	}
	return "", errors.New("Unexpected state of NTLM")
}
