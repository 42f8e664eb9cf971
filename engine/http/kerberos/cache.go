package kerberos

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/jcmturner/gofork/encoding/asn1"
	"github.com/jcmturner/gokrb5/v8/types"
)

// ticketCache is a file that kinit writes (MIT Kerberos, Credential cache file
// format, versions 3 and 4).
type ticketCache struct {
	owner   principal
	entries []cacheEntry
}

type principal struct {
	realm string
	name  types.PrincipalName
}

type cacheEntry struct {
	server principal
	key    types.EncryptionKey
	end    time.Time
	flags  asn1.BitString
	ticket []byte
}

// ticket returns the entry for a service of the owner's realm.
func (c *ticketCache) ticket(service ...string) (cacheEntry, bool) {
	want := types.PrincipalName{NameString: service}
	for _, e := range c.entries {
		if e.server.realm == c.owner.realm && e.server.name.PrincipalNameString() == want.PrincipalNameString() {
			return e, true
		}
	}
	return cacheEntry{}, false
}

var errNoCache = errors.New("not a ticket cache, or cut short")

func readCache(b []byte) (*ticketCache, error) {
	r := cacheReader{rest: b}
	version := r.number(2)
	switch version {
	case 0x0503:
	case 0x0504:
		r.take(r.number(2)) // tags
	default:
		return nil, errNoCache
	}
	c := &ticketCache{owner: r.principal()}
	for len(r.rest) > 0 && !r.short {
		r.principal() // client
		e := cacheEntry{server: r.principal()}
		e.key.KeyType = int32(r.number(2))
		if version == 0x0503 {
			r.number(2) // once more
		}
		e.key.KeyValue = r.data()
		r.number(4)
		r.number(4)
		e.end = time.Unix(int64(r.number(4)), 0)
		r.number(4)
		r.number(1)
		e.flags = asn1.BitString{Bytes: r.take(4), BitLength: 32}
		for range 2 { // addresses, and what the KDC has added
			for n := r.number(4); n > 0 && !r.short; n-- {
				r.number(2)
				r.data()
			}
		}
		e.ticket = r.data()
		r.data()
		c.entries = append(c.entries, e)
	}
	if r.short {
		return nil, errNoCache
	}
	return c, nil
}

// cacheReader reads big-endian numbers and counted texts.
type cacheReader struct {
	rest  []byte
	short bool
}

func (r *cacheReader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short = true
		return make([]byte, 8) // enough for any number
	}
	var b []byte
	b, r.rest = r.rest[:n:n], r.rest[n:]
	return b
}

func (r *cacheReader) number(size int) int {
	switch b := r.take(size); size {
	case 1:
		return int(b[0])
	case 2:
		return int(binary.BigEndian.Uint16(b))
	default:
		return int(binary.BigEndian.Uint32(b))
	}
}

func (r *cacheReader) data() []byte { return r.take(r.number(4)) }

func (r *cacheReader) principal() (p principal) {
	p.name.NameType = int32(r.number(4))
	n := r.number(4)
	p.realm = string(r.data())
	for ; n > 0 && !r.short; n-- {
		p.name.NameString = append(p.name.NameString, string(r.data()))
	}
	return p
}
