package script

import (
	"crypto/md5"
	"encoding/hex"
	"math/rand/v2"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// uuid is java.util.UUID.
type uuid [16]byte

func (u *uuid) JavaClass() *Class { return uuidClass }
func (u *uuid) String() string {
	s := hex.EncodeToString(u[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// Equal compares all bits.
func (u *uuid) Equal(v Value) bool {
	o, ok := v.(*uuid)
	return ok && *u == *o
}

// randomObject is java.util.Random.
type randomObject struct {
	r     *java.Random
	class *Class
}

func (r *randomObject) JavaClass() *Class { return r.class }

func initRandom() {
	make := func(class *Class) *Method {
		return method(0, 1, func(c *Call) (Value, error) {
			r := &randomObject{class: class, r: java.NewUnseededRandom()}
			if c.N() == 1 && isNumber(c.Args[0]) && class == randomClass {
				r.r = java.NewRandom(c.Long(0))
			}
			return r, nil
		})
	}
	randomClass.New, secureRandom.New = make(randomClass), make(secureRandom)
	secureRandom.Static = Methods{"getInstance": method(1, 2, func(c *Call) (Value, error) {
		return &randomObject{class: secureRandom, r: java.NewUnseededRandom()}, nil
	})}
	shared := java.NewUnseededRandom()
	localRandom.Static = Methods{"current": method(0, 0, func(c *Call) (Value, error) { return &randomObject{class: localRandom, r: shared}, nil })}
	r := func(c *Call) *java.Random { return c.Self.(*randomObject).r }
	randomClass.Methods = Methods{
		"nextInt": method(0, 2, func(c *Call) (Value, error) {
			switch c.N() {
			case 0:
				return r(c).Int(), nil
			case 1:
				return errValue(r(c).IntN(int32(c.Int(0))))
			}
			return errValue(r(c).IntRange(int32(c.Int(0)), int32(c.Int(1))))
		}),
		"nextLong": method(0, 2, func(c *Call) (Value, error) {
			if c.N() == 0 {
				return r(c).Long(), nil
			}
			lo, hi := int64(0), c.Long(c.N()-1)
			if c.N() == 2 {
				lo = c.Long(0)
			}
			if lo >= hi {
				return nil, throw("java.lang.IllegalArgumentException", "bound must be greater than origin")
			}
			return lo + int64(uint64(r(c).Long())%uint64(hi-lo)), nil
		}),
		"nextBoolean": method(0, 0, func(c *Call) (Value, error) { return r(c).Bool(), nil }),
		"nextDouble": method(0, 2, func(c *Call) (Value, error) {
			d := r(c).Double()
			switch c.N() {
			case 1:
				return d * c.Double(0), nil
			case 2:
				return c.Double(0) + d*(c.Double(1)-c.Double(0)), nil
			}
			return d, nil
		}),
		"nextFloat":    method(0, 0, func(c *Call) (Value, error) { return r(c).Float(), nil }),
		"nextGaussian": method(0, 0, func(c *Call) (Value, error) { return r(c).Gaussian(), nil }),
		"nextBytes": method(1, 1, func(c *Call) (Value, error) {
			if b, ok := c.Args[0].(*Bytes); ok {
				r(c).Bytes(b.B)
				return nil, nil
			}
			c.fail(0, "byte[]")
			return nil, nil
		}),
		"setSeed": method(1, 1, func(c *Call) (Value, error) { r(c).SetSeed(c.Long(0)); return nil, nil }),
		"ints": method(1, 3, func(c *Call) (Value, error) {
			out := []Value{}
			n := c.Int(0)
			for i := 0; i < min(n, maxItems); i++ {
				v := r(c).Int()
				if c.N() == 3 {
					var err error
					if v, err = r(c).IntRange(int32(c.Int(1)), int32(c.Int(2))); err != nil {
						return nil, err
					}
				}
				out = append(out, v)
			}
			return NewList(out...), nil
		}),
	}
	uuidClass.Static = Methods{
		"randomUUID": method(0, 0, func(c *Call) (Value, error) {
			u := &uuid{}
			for i := 0; i < 16; i += 8 {
				n := rand.Uint64()
				for k := range 8 {
					u[i+k] = byte(n >> (8 * k))
				}
			}
			u[6], u[8] = u[6]&0x0F|0x40, u[8]&0x3F|0x80
			return u, nil
		}),
		"nameUUIDFromBytes": method(1, 1, func(c *Call) (Value, error) {
			u := uuid(md5.Sum(c.bytes(0)))
			u[6], u[8] = u[6]&0x0F|0x30, u[8]&0x3F|0x80
			return &u, nil
		}),
		"fromString": method(1, 1, func(c *Call) (Value, error) {
			parts := strings.Split(c.Str(0), "-")
			if len(parts) != 5 {
				return nil, throw("java.lang.IllegalArgumentException", "Invalid UUID string: %s", c.Str(0))
			}
			s := ""
			for i, n := range []int{8, 4, 4, 4, 12} {
				if len(parts[i]) > n {
					return nil, throw("java.lang.IllegalArgumentException", "Invalid UUID string: %s", c.Str(0))
				}
				s += strings.Repeat("0", n-len(parts[i])) + parts[i]
			}
			b, err := hex.DecodeString(s)
			if err != nil {
				return nil, throw("java.lang.NumberFormatException", "For input string: \"%s\"", c.Str(0))
			}
			u := uuid(b)
			return &u, nil
		}),
	}
	half := func(from int) *Method {
		return method(0, 0, func(c *Call) (Value, error) {
			var n int64
			for _, b := range c.Self.(*uuid)[from : from+8] {
				n = n<<8 | int64(b)
			}
			return n, nil
		})
	}
	uuidClass.Methods = Methods{"getMostSignificantBits": half(0), "getLeastSignificantBits": half(8),
		"version": method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*uuid)[6] >> 4), nil })}
}
