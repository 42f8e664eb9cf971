package java

import (
	_ "embed"
	"os"
	"strings"
	"sync"
	"time"
)

//go:embed zones.txt
var zonesText string

// zoneNames is a time zone's name in English: short and long, each standard, summer and generic.
// Short names are the same in all languages at hand; long ones are English in all of them, where
// Java would translate.
type zoneNames struct {
	short, long [3]string
}

type zoneTable struct {
	byID   map[string]*zoneNames
	byName map[string]string // a name to a zone that has it
}

// zoneNamesTable reads zones.txt once: a line holds six names, then the zones that have them.
var zoneNamesTable = sync.OnceValue(func() *zoneTable {
	t := &zoneTable{make(map[string]*zoneNames), make(map[string]string)}
	for line := range strings.Lines(zonesText) {
		c := strings.Split(strings.TrimRight(line, "\n"), "|")
		n := &zoneNames{[3]string{c[0], c[1], c[2]}, [3]string{c[3], c[4], c[5]}}
		ids := strings.Fields(c[6])
		for _, id := range ids {
			t.byID[id] = n
		}
		for _, name := range c[:6] {
			if _, ok := t.byName[name]; !ok {
				t.byName[name] = best(ids)
			}
		}
	}
	// Where several zones share an abbreviation the best known one is meant.
	for name, id := range map[string]string{
		"UTC": "UTC", "GMT": "GMT", "EST": "America/New_York", "EDT": "America/New_York",
		"CST": "America/Chicago", "CDT": "America/Chicago", "MST": "America/Denver", "MDT": "America/Denver",
		"PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "CET": "Europe/Paris",
		"CEST": "Europe/Paris", "EET": "Europe/Athens", "EEST": "Europe/Athens", "BST": "Europe/London",
		"IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney",
	} {
		t.byName[name] = id
	}
	return t
})

// best picks the zone a shared name stands for.
func best(ids []string) string {
	for _, known := range []string{"Europe/Paris", "Europe/London", "Europe/Athens", "America/New_York",
		"America/Chicago", "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "Australia/Sydney", "UTC"} {
		for _, id := range ids {
			if id == known {
				return id
			}
		}
	}
	return ids[0]
}

// ZoneID returns the name Java gives to a location: its IANA name, an offset ("+05:00", "Z"), and
// for time.Local the name of the system's zone.
func ZoneID(loc *time.Location) string {
	if loc == time.Local {
		return systemZone()
	}
	return loc.String()
}

// systemZone finds the name of time.Local, which Go does not keep.
var systemZone = sync.OnceValue(func() string {
	if s := time.Local.String(); s != "Local" {
		return s
	}
	if tz := strings.TrimPrefix(os.Getenv("TZ"), ":"); tz != "" {
		return tz
	}
	if p, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(p, "zoneinfo/"); ok {
			return name
		}
	}
	if b, err := os.ReadFile("/etc/timezone"); err == nil {
		if name := strings.TrimSpace(string(b)); name != "" {
			return name
		}
	}
	if name, off := time.Now().Zone(); off != 0 {
		return name
	}
	return "UTC"
})

// OffsetZone returns a fixed zone that carries Java's name of a java.time.ZoneOffset.
func OffsetZone(seconds int) *time.Location {
	return time.FixedZone(offsetID(seconds), seconds)
}

// offsetID is java.time.ZoneOffset.getId: "Z", "+05:30", "-01:00:30".
func offsetID(seconds int) string {
	return string(appendOffset(nil, seconds, offsetHHxMMxss, "Z"))
}

func appendOffset(dst []byte, seconds int, form offsetForm, zero string) []byte {
	sign, s := byte('+'), seconds
	if s < 0 {
		sign, s = '-', -s
	}
	h, m, sec := s/3600%100, s/60%60, s%60
	if h == 0 && m == 0 && (!form.seconds() || sec == 0) {
		return append(dst, zero...)
	}
	dst = append(dst, sign)
	dst = appendPadded(dst, int64(h), 2)
	part := func(v int) {
		if form.colon() {
			dst = append(dst, ':')
		}
		dst = appendPadded(dst, int64(v), 2)
	}
	if form.needMinute() || m > 0 {
		part(m)
	}
	if form.seconds() && sec > 0 {
		part(sec)
	}
	return dst
}

// gmt is what the locale calls Greenwich time in a localized offset.
func (l Locale) gmt() string {
	if l.Language == "fr" {
		return "UTC"
	}
	return "GMT"
}

// appendGMT writes an offset as "GMT+1" or, in full, "GMT+01:00".
func appendGMT(dst []byte, seconds int, full bool, zero string) []byte {
	dst = append(dst, zero...)
	if seconds == 0 {
		return dst
	}
	sign, s := byte('+'), seconds
	if s < 0 {
		sign, s = '-', -s
	}
	h, m, sec := s/3600%100, s/60%60, s%60
	dst = append(dst, sign)
	if full {
		dst = appendPadded(dst, int64(h), 2)
		dst = append(dst, ':')
		dst = appendPadded(dst, int64(m), 2)
	} else {
		dst = appendPadded(dst, int64(h), 1)
		if m != 0 || sec != 0 {
			dst = append(dst, ':')
			dst = appendPadded(dst, int64(m), 2)
		}
	}
	if sec != 0 {
		dst = append(dst, ':')
		dst = appendPadded(dst, int64(sec), 2)
	}
	return dst
}

// appendZone writes the nodes that have to do with the zone.
func (n *node) appendZone(dst []byte, p *Parsed, loc Locale) ([]byte, error) {
	switch n.kind {
	case kindOffset, kindOffsetGMT:
		v, ok := p.Get(OffsetSeconds)
		if !ok {
			return dst, missingError("Unsupported field: OffsetSeconds")
		}
		if n.kind == kindOffset {
			return appendOffset(dst, int(v), n.offset, n.text), nil
		}
		return appendGMT(dst, int(v), n.style == styleFull, loc.gmt()), nil
	}
	if p.zone == nil {
		return dst, missingError("Unable to extract ZoneId from temporal " + p.String())
	}
	id := p.zoneID
	if n.kind == kindZoneID || id == "Z" || strings.HasPrefix(id, "+") || strings.HasPrefix(id, "-") {
		return append(dst, id...), nil
	}
	names := zoneNamesTable().byID[id]
	if names == nil {
		if p.hasDate && !p.instant.IsZero() {
			short, _ := p.instant.Zone()
			return append(dst, short...), nil
		}
		return append(dst, id...), nil
	}
	which := 0
	switch {
	case n.kind == kindZoneGeneric, !p.hasDate:
		which = 2
	case p.dst:
		which = 1
	}
	if n.style == styleFull {
		return append(dst, names.long[which]...), nil
	}
	return append(dst, names.short[which]...), nil
}

// loadZone finds the location of a Java zone id.
func loadZone(id string) (*time.Location, bool) {
	switch id {
	case "", "Local":
		return nil, false
	case "Z":
		return OffsetZone(0), true
	case "UTC", "GMT", "UT":
		return time.FixedZone(id, 0), true
	}
	loc, err := time.LoadLocation(id)
	return loc, err == nil
}
