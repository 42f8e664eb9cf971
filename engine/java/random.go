package java

import (
	"math"
	"sync"
	"time"
)

// Random is java.util.Random: the same seed gives the same numbers as in Java. It is safe for
// concurrent use, like Java's, though threads sharing one see each other's numbers interleaved.
type Random struct {
	mu       sync.Mutex
	seed     uint64
	gaussian float64
	hasNext  bool
}

// NewRandom returns a generator that begins as new java.util.Random(seed).
func NewRandom(seed int64) *Random {
	r := &Random{}
	r.SetSeed(seed)
	return r
}

// NewUnseededRandom returns a generator whose start differs from call to call.
func NewUnseededRandom() *Random {
	return NewRandom(time.Now().UnixNano() ^ int64(unseeded.step()))
}

// unseeded sets generators apart that are made in the same moment.
var unseeded sequence

type sequence struct {
	mu sync.Mutex
	n  uint64
}

func (s *sequence) step() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n = (s.n + 8682522807148012) * 1181783497276652981
	return s.n
}

// SetSeed starts the sequence over.
func (r *Random) SetSeed(seed int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seed = (uint64(seed) ^ 0x5DEECE66D) & (1<<48 - 1)
	r.hasNext = false
}

func (r *Random) next(bits uint) int32 {
	r.seed = (r.seed*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(r.seed >> (48 - bits))
}

// Int is nextInt().
func (r *Random) Int() int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next(32)
}

// IntN is nextInt(bound).
func (r *Random) IntN(bound int32) (int32, error) {
	if bound <= 0 {
		return 0, throw("java.lang.IllegalArgumentException", "bound must be positive")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.next(31)
	m := bound - 1
	if bound&m == 0 {
		return int32(int64(bound) * int64(v) >> 31), nil
	}
	for u := v; ; u = r.next(31) {
		v = u % bound
		if u-v+m >= 0 {
			return v, nil
		}
	}
}

// IntRange is nextInt(origin, bound).
func (r *Random) IntRange(origin, bound int32) (int32, error) {
	if origin >= bound {
		return 0, throw("java.lang.IllegalArgumentException", "bound must be greater than origin")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.next(32)
	n := bound - origin
	m := n - 1
	switch {
	case n&m == 0:
		return v&m + origin, nil
	case n > 0:
		for u := int32(uint32(v) >> 1); ; u = int32(uint32(r.next(32)) >> 1) {
			v = u % n
			if u+m-v >= 0 {
				return v + origin, nil
			}
		}
	}
	for v < origin || v >= bound {
		v = r.next(32)
	}
	return v, nil
}

// Long is nextLong().
func (r *Random) Long() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(r.next(32))<<32 + int64(r.next(32))
}

// Bool is nextBoolean().
func (r *Random) Bool() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next(1) != 0
}

// Float is nextFloat(), in [0, 1).
func (r *Random) Float() float32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return float32(r.next(24)) / (1 << 24)
}

// Double is nextDouble(), in [0, 1).
func (r *Random) Double() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.double()
}

func (r *Random) double() float64 {
	return float64(int64(r.next(26))<<27+int64(r.next(27))) * (1.0 / (1 << 53))
}

// Gaussian is nextGaussian(): mean 0, deviation 1.
func (r *Random) Gaussian() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hasNext {
		r.hasNext = false
		return r.gaussian
	}
	for {
		a, b := 2*r.double()-1, 2*r.double()-1
		s := a*a + b*b
		if s < 1 && s != 0 {
			m := math.Sqrt(-2 * strictLog(s) / s)
			r.gaussian, r.hasNext = b*m, true
			return a * m
		}
	}
}

// strictLog is StrictMath.log, the natural logarithm of the C library fdlibm, to the last bit: Java's
// Gaussian numbers are built on it, and Go's differs from it now and then. x is positive and normal.
func strictLog(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		l1    = 6.666666666666735130e-01
		l2    = 3.999999999940941908e-01
		l3    = 2.857142874366239149e-01
		l4    = 2.222219843214978396e-01
		l5    = 1.818357216161805012e-01
		l6    = 1.531383769920937332e-01
		l7    = 1.479819860511658591e-01
	)
	b := math.Float64bits(x)
	hx := int32(b >> 32)
	k := hx>>20 - 1023
	hx &= 0xFFFFF
	i := (hx + 0x95f64) & 0x100000
	x = math.Float64frombits(uint64(uint32(hx|(i^0x3ff00000)))<<32 | b&0xFFFFFFFF) // x or x/2
	k += i >> 20
	f := x - 1
	dk := float64(k)
	if 0xFFFFF&(2+hx) < 3 { // |f| < 2^-20
		if f == 0 {
			return float64(dk*ln2Hi) + float64(dk*ln2Lo)
		}
		r := float64(f*f) * (0.5 - float64(0.33333333333333333*f))
		if k == 0 {
			return f - r
		}
		return float64(dk*ln2Hi) - ((r - float64(dk*ln2Lo)) - f)
	}
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	t1 := float64(w * (l2 + float64(w*(l4+float64(w*l6)))))
	t2 := float64(z * (l1 + float64(w*(l3+float64(w*(l5+float64(w*l7)))))))
	r := t2 + t1
	if (hx-0x6147a)|(0x6b851-hx) > 0 {
		h := float64(float64(0.5*f) * f)
		if k == 0 {
			return f - (h - float64(s*(h+r)))
		}
		return float64(dk*ln2Hi) - ((h - (float64(s*(h+r)) + float64(dk*ln2Lo))) - f)
	}
	if k == 0 {
		return f - float64(s*(f-r))
	}
	return float64(dk*ln2Hi) - ((float64(s*(f-r)) - float64(dk*ln2Lo)) - f)
}

// Bytes is nextBytes(b).
func (r *Random) Bytes(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; i < len(b); {
		v := r.next(32)
		for n := min(len(b)-i, 4); n > 0; n-- {
			b[i] = byte(v)
			v >>= 8
			i++
		}
	}
}
