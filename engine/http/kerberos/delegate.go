package kerberos

import (
	"fmt"
	"time"

	"github.com/jcmturner/gofork/encoding/asn1"
	"github.com/jcmturner/gokrb5/v8/asn1tools"
	"github.com/jcmturner/gokrb5/v8/crypto"
	"github.com/jcmturner/gokrb5/v8/iana"
	"github.com/jcmturner/gokrb5/v8/iana/asnAppTag"
	"github.com/jcmturner/gokrb5/v8/iana/keyusage"
	"github.com/jcmturner/gokrb5/v8/iana/msgtype"
	"github.com/jcmturner/gokrb5/v8/iana/nametype"
	"github.com/jcmturner/gokrb5/v8/iana/patype"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/types"
)

// This file is kerberos.spnego.delegate_cred: the service gets a ticket with
// which it may act for the user.

// krbCred is KRB-CRED (RFC 4120, section 5.8.1).
type krbCred struct {
	PVNO    int                 `asn1:"explicit,tag:0"`
	MsgType int                 `asn1:"explicit,tag:1"`
	Tickets asn1.RawValue       `asn1:"explicit,tag:2"`
	EncPart types.EncryptedData `asn1:"explicit,tag:3"`
}

type krbCredPart struct {
	Info      []krbCredInfo `asn1:"explicit,tag:0"`
	Timestamp time.Time     `asn1:"generalized,explicit,tag:2"`
	Usec      int           `asn1:"explicit,tag:3"`
}

type krbCredInfo struct {
	Key       types.EncryptionKey `asn1:"explicit,tag:0"`
	PRealm    string              `asn1:"generalstring,explicit,tag:1"`
	PName     types.PrincipalName `asn1:"explicit,tag:2"`
	Flags     asn1.BitString      `asn1:"explicit,tag:3"`
	AuthTime  time.Time           `asn1:"generalized,explicit,tag:4"`
	StartTime time.Time           `asn1:"generalized,optional,explicit,tag:5"`
	EndTime   time.Time           `asn1:"generalized,explicit,tag:6"`
	RenewTill time.Time           `asn1:"generalized,optional,explicit,tag:7"`
	SRealm    string              `asn1:"generalstring,explicit,tag:8"`
	SName     types.PrincipalName `asn1:"explicit,tag:9"`
}

// forward returns the message with a forwarded ticket of the user's, encrypted
// for the holder of the service's ticket.
func (l *Login) forward(service ticket) ([]byte, error) {
	c := l.client
	realm := c.Credentials.Domain()
	name := types.PrincipalName{NameType: nametype.KRB_NT_SRV_INST, NameString: []string{"krbtgt", realm}}
	req, err := messages.NewTGSReq(c.Credentials.CName(), realm, c.Config, l.tgt.ticket, l.tgt.key, name, false)
	if err != nil {
		return nil, err
	}
	const forwarded = 2
	types.SetFlag(&req.ReqBody.KDCOptions, flagForwardable)
	types.SetFlag(&req.ReqBody.KDCOptions, forwarded)
	if err := l.sign(&req); err != nil {
		return nil, err
	}
	_, got, err := c.TGSExchange(req, realm, l.tgt.ticket, l.tgt.key, 0)
	if err != nil {
		return nil, fmt.Errorf("forwarded ticket: %w", err)
	}
	d := &got.DecryptedEncPart
	now := time.Now().UTC()
	part, err := asn1.Marshal(krbCredPart{
		Info: []krbCredInfo{{
			Key: d.Key, PRealm: realm, PName: c.Credentials.CName(), Flags: d.Flags,
			AuthTime: d.AuthTime, StartTime: d.StartTime, EndTime: d.EndTime, RenewTill: d.RenewTill,
			SRealm: got.Ticket.Realm, SName: got.Ticket.SName,
		}},
		Timestamp: now, Usec: now.Nanosecond() / 1000,
	})
	if err != nil {
		return nil, err
	}
	part = asn1tools.AddASNAppTag(part, asnAppTag.EncKrbCredPart)
	m := krbCred{PVNO: iana.PVNO, MsgType: msgtype.KRB_CRED}
	if m.EncPart, err = crypto.GetEncryptedData(part, service.key, keyusage.KRB_CRED_ENCPART, 0); err != nil {
		return nil, err
	}
	if m.Tickets, err = messages.MarshalTicketSequence([]messages.Ticket{got.Ticket}); err != nil {
		return nil, err
	}
	m.Tickets.Tag = 2
	b, err := asn1.Marshal(m)
	if err != nil {
		return nil, err
	}
	return asn1tools.AddASNAppTag(b, asnAppTag.KRBCred), nil
}

// sign proves anew that a changed request is the user's (RFC 4120, section
// 7.2.1, PA-TGS-REQ).
func (l *Login) sign(req *messages.TGSReq) error {
	body, err := req.ReqBody.Marshal()
	if err != nil {
		return err
	}
	kind, err := crypto.GetEtype(l.tgt.key.KeyType)
	if err != nil {
		return err
	}
	sum, err := kind.GetChecksumHash(l.tgt.key.KeyValue, body, keyusage.TGS_REQ_PA_TGS_REQ_AP_REQ_AUTHENTICATOR_CHKSUM)
	if err != nil {
		return err
	}
	a, err := types.NewAuthenticator(l.client.Credentials.Domain(), l.client.Credentials.CName())
	if err != nil {
		return err
	}
	a.Cksum = types.Checksum{CksumType: kind.GetHashID(), Checksum: sum}
	ap, err := messages.NewAPReq(l.tgt.ticket, l.tgt.key, a)
	if err != nil {
		return err
	}
	b, err := ap.Marshal()
	if err != nil {
		return err
	}
	req.PAData = types.PADataSequence{{PADataType: patype.PA_TGS_REQ, PADataValue: b}}
	return nil
}
