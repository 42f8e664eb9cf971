package script

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// Math, System, Thread, UUID, Random and other small classes of the JDK and of the libraries on JMeter's
// class path that scripts use.

var (
	mathClass      = NewClass("java.lang.Math", objectClass)
	systemClass    = NewClass("java.lang.System", objectClass)
	threadClass    = NewClass("java.lang.Thread", objectClass)
	runtimeClass   = NewClass("java.lang.Runtime", objectClass)
	uuidClass      = NewClass("java.util.UUID", objectClass, "java.lang.Comparable")
	randomClass    = NewClass("java.util.Random", objectClass)
	secureRandom   = NewClass("java.security.SecureRandom", randomClass)
	localRandom    = NewClass("java.util.concurrent.ThreadLocalRandom", randomClass)
	base64Class    = NewClass("java.util.Base64", objectClass)
	coderClass     = NewClass("java.util.Base64.Encoder", objectClass)
	codecBase64    = NewClass("org.apache.commons.codec.binary.Base64", objectClass)
	codecHex       = NewClass("org.apache.commons.codec.binary.Hex", objectClass)
	digestUtils    = NewClass("org.apache.commons.codec.digest.DigestUtils", objectClass)
	digestClass    = NewClass("java.security.MessageDigest", objectClass)
	macClass       = NewClass("javax.crypto.Mac", objectClass)
	keySpecClass   = NewClass("javax.crypto.spec.SecretKeySpec", objectClass)
	crcClass       = NewClass("java.util.zip.CRC32", objectClass)
	urlEncoder     = NewClass("java.net.URLEncoder", objectClass)
	urlDecoder     = NewClass("java.net.URLDecoder", objectClass)
	inetClass      = NewClass("java.net.InetAddress", objectClass)
	charsetClass   = NewClass("java.nio.charset.Charset", objectClass)
	standardSets   = NewClass("java.nio.charset.StandardCharsets", objectClass)
	localeClass    = NewClass("java.util.Locale", objectClass)
	timeUnitClass  = NewClass("java.util.concurrent.TimeUnit", objectClass)
	roundingClass  = NewClass("java.math.RoundingMode", objectClass)
	atomicInteger  = NewClass("java.util.concurrent.atomic.AtomicInteger", numberClass)
	atomicLong     = NewClass("java.util.concurrent.atomic.AtomicLong", numberClass)
	printStream    = NewClass("java.io.PrintStream", objectClass)
	lang3Random    = NewClass("org.apache.commons.lang3.RandomStringUtils", objectClass)
	lang3RandomNum = NewClass("org.apache.commons.lang3.RandomUtils", objectClass)
	lang3Strings   = NewClass("org.apache.commons.lang3.StringUtils", objectClass)
	escapeUtils    = NewClass("org.apache.commons.text.StringEscapeUtils", objectClass)
	escapeUtils3   = NewClass("org.apache.commons.lang3.StringEscapeUtils", objectClass)
)

// enumValue is a constant of an enum.
type enumValue struct {
	class   *Class
	name    string
	ordinal int
	unit    time.Duration
}

func (e *enumValue) JavaClass() *Class { return e.class }
func (e *enumValue) String() string    { return e.name }

// CompareTo orders by place.
func (e *enumValue) CompareTo(v Value) (int, bool) {
	o, ok := v.(*enumValue)
	if !ok {
		return 0, false
	}
	return e.ordinal - o.ordinal, true
}

// defineEnum gives a class its constants.
func defineEnum(class *Class, names ...string) []*enumValue {
	if class.Fields == nil {
		class.Fields = map[string]Value{}
	}
	var all []*enumValue
	var values []Value
	for i, n := range names {
		e := &enumValue{class: class, name: n, ordinal: i}
		class.Fields[n] = e
		all, values = append(all, e), append(values, e)
	}
	if class.Static == nil {
		class.Static = Methods{}
	}
	class.Static["values"] = method(0, 0, func(c *Call) (Value, error) {
		return &Array{Elem: class.Name, Items: append([]Value(nil), values...)}, nil
	})
	class.Static["valueOf"] = method(1, 1, func(c *Call) (Value, error) {
		if v, ok := class.Fields[c.Str(0)].(*enumValue); ok {
			return v, nil
		}
		return nil, throw("java.lang.IllegalArgumentException", "No enum constant %s.%s", class.Name, c.Str(0))
	})
	if class.Methods == nil {
		class.Methods = Methods{}
	}
	class.Methods["name"] = method(0, 0, func(c *Call) (Value, error) { return c.Self.(*enumValue).name, nil })
	class.Methods["ordinal"] = method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*enumValue).ordinal), nil })
	return all
}

var roundingNames = []string{"UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"}

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

// charsetObject is java.nio.charset.Charset.
type charsetObject struct{ c *java.Charset }

func (*charsetObject) JavaClass() *Class { return charsetClass }
func (c *charsetObject) String() string  { return c.c.Name() }

// localeObject is java.util.Locale.
type localeObject struct{ l java.Locale }

func (*localeObject) JavaClass() *Class { return localeClass }
func (l *localeObject) String() string  { return l.l.String() }

// coder is a Base64 encoder or decoder.
type coder struct {
	enc    *base64.Encoding
	decode bool
}

func (*coder) JavaClass() *Class { return coderClass }

// stream is System.out and System.err.
type stream struct{ err bool }

func (*stream) JavaClass() *Class { return printStream }

// digest is a MessageDigest, a Mac or a CRC32 under way.
type digest struct {
	h     hash.Hash
	crc   hash.Hash32
	name  string
	class *Class
}

func (d *digest) JavaClass() *Class { return d.class }

// keySpec is a SecretKeySpec.
type keySpec struct {
	key  []byte
	name string
}

func (*keySpec) JavaClass() *Class { return keySpecClass }

// number cells of java.util.concurrent.atomic.
type atomicNumber struct {
	class *Class
	l     List // one item, under the list's lock
}

func (a *atomicNumber) JavaClass() *Class { return a.class }
func (a *atomicNumber) String() string    { return javaString(a.l.all()[0]) }

// threadObject is Thread.currentThread().
type threadObject struct{ r *Run }

func (*threadObject) JavaClass() *Class { return threadClass }

func newHash(name string) (hash.Hash, error) {
	switch strings.ToUpper(name) {
	case "MD5":
		return md5.New(), nil
	case "SHA", "SHA1", "SHA-1":
		return sha1.New(), nil
	case "SHA-224":
		return sha256.New224(), nil
	case "SHA-256", "SHA256":
		return sha256.New(), nil
	case "SHA-384":
		return sha512.New384(), nil
	case "SHA-512", "SHA512":
		return sha512.New(), nil
	}
	return nil, throw("java.security.NoSuchAlgorithmException", "%s MessageDigest not available", name)
}

func newMac(name string, key []byte) (hash.Hash, error) {
	base, ok := strings.CutPrefix(strings.ToUpper(name), "HMAC")
	var make func() hash.Hash
	switch base {
	case "MD5":
		make = md5.New
	case "SHA1":
		make = sha1.New
	case "SHA224":
		make = sha256.New224
	case "SHA256":
		make = sha256.New
	case "SHA384":
		make = sha512.New384
	case "SHA512":
		make = sha512.New
	}
	if !ok || make == nil {
		return nil, throw("java.security.NoSuchAlgorithmException", "Algorithm %s not available", name)
	}
	return hmac.New(make, key), nil
}

// bytesArg is an argument as bytes: a byte array, or a text in UTF-8.
func (c *Call) bytes(i int) []byte {
	switch x := c.Args[i].(type) {
	case *Bytes:
		return x.B
	case string:
		return []byte(x)
	}
	c.fail(i, "byte[]")
	return nil
}

func sleep(c *Call) (Value, error) {
	d := time.Duration(c.Long(0)) * time.Millisecond
	if d < 0 {
		return nil, throw("java.lang.IllegalArgumentException", "timeout value is negative")
	}
	const slice = 50 * time.Millisecond // to notice an end of the test
	for d > 0 {
		if c.Run.env.Interrupted != nil && c.Run.env.Interrupted() {
			return nil, throw("java.lang.InterruptedException", "sleep interrupted")
		}
		n := min(d, slice)
		time.Sleep(n)
		d -= n
	}
	return nil, nil
}

func printText(c *Call) (Value, error) {
	_, err := io.WriteString(c.Run.out(), groovyString(c.Args[0]))
	return nil, err
}

func printLine(c *Call) (Value, error) {
	s := ""
	if c.N() > 0 {
		s = groovyString(c.Args[0])
	}
	_, err := io.WriteString(c.Run.out(), s+"\n")
	return nil, err
}

// double makes a method of Math on one double.
func double(do func(float64) float64) *Method {
	return method(1, 1, func(c *Call) (Value, error) { return do(c.Double(0)), nil })
}

// wider makes a method of Math on two numbers of the wider class of both.
func wider(long func(a, b int64) int64, float func(a, b float64) float64) *Method {
	return method(2, 2, func(c *Call) (Value, error) {
		c.Double(0)
		c.Double(1)
		a, b := c.Args[0], c.Args[1]
		if isFloat(a) || isFloat(b) || isDecimal(a) || isDecimal(b) {
			return float(toDouble(a), toDouble(b)), nil
		}
		_, la := a.(int64)
		_, lb := b.(int64)
		n := long(toLong(a), toLong(b))
		if la || lb {
			return n, nil
		}
		return int32(n), nil
	})
}

func exact(op byte) *Method {
	return method(2, 2, func(c *Call) (Value, error) {
		v, err := arithmetic(op, toBig(c.Args[0]), toBig(c.Args[1]))
		if err != nil {
			return nil, err
		}
		n := toBig(v)
		_, la := c.Args[0].(int64)
		_, lb := c.Args[1].(int64)
		if !la && !lb {
			if n.IsInt64() && n.Int64() == int64(int32(n.Int64())) {
				return int32(n.Int64()), nil
			}
			return nil, throw("java.lang.ArithmeticException", "integer overflow")
		}
		if !n.IsInt64() {
			return nil, throw("java.lang.ArithmeticException", "long overflow")
		}
		return n.Int64(), nil
	})
}

func initSystem() {
	mathClass.Fields = map[string]Value{"PI": math.Pi, "E": math.E}
	mathClass.Static = Methods{
		"floor": double(math.Floor), "ceil": double(math.Ceil), "sqrt": double(math.Sqrt), "rint": double(math.RoundToEven), "cbrt": double(math.Cbrt),
		"sin": double(math.Sin), "cos": double(math.Cos), "tan": double(math.Tan), "exp": double(math.Exp), "log": double(math.Log), "log10": double(math.Log10),
		"signum":    double(func(f float64) float64 { return float64(compareNumbers(f, int32(0))) }),
		"toRadians": double(func(f float64) float64 { return f / 180 * math.Pi }),
		"pow":       method(2, 2, func(c *Call) (Value, error) { return math.Pow(c.Double(0), c.Double(1)), nil }),
		"random":    method(0, 0, func(c *Call) (Value, error) { return rand.Float64(), nil }),
		"round": method(1, 1, func(c *Call) (Value, error) {
			if _, ok := c.Args[0].(float32); ok {
				return doubleToInt(float64(roundHalfUp(c.Double(0)))), nil
			}
			return roundHalfUp(c.Double(0)), nil
		}),
		"abs": method(1, 1, func(c *Call) (Value, error) {
			if c.Double(0) < 0 {
				if d, ok := c.Args[0].(java.Decimal); ok {
					return -d.Double(), nil
				}
				return negate(c.Run, c.Args[0])
			}
			if d, ok := c.Args[0].(java.Decimal); ok {
				return d.Double(), nil
			}
			return charNumber(c.Args[0]), nil
		}),
		"max": wider(func(a, b int64) int64 { return max(a, b) }, math.Max),
		"min": wider(func(a, b int64) int64 { return min(a, b) }, math.Min),
		"floorMod": method(2, 2, func(c *Call) (Value, error) {
			m, err := arithmetic('%', c.Args[0], c.Args[1])
			if err != nil || compareNumbers(m, int32(0)) == 0 {
				return m, err
			}
			if (c.Long(0) < 0) != (c.Long(1) < 0) {
				return arithmetic('+', m, c.Args[1])
			}
			return m, nil
		}),
		"addExact": exact('+'), "subtractExact": exact('-'), "multiplyExact": exact('*'),
		"toIntExact": method(1, 1, func(c *Call) (Value, error) {
			n := c.Long(0)
			if n != int64(int32(n)) {
				return nil, throw("java.lang.ArithmeticException", "integer overflow")
			}
			return int32(n), nil
		}),
	}
	systemClass.Fields = map[string]Value{"out": &stream{}, "err": &stream{err: true}}
	systemClass.Static = Methods{
		"currentTimeMillis": method(0, 0, func(c *Call) (Value, error) { return c.Run.now().UnixMilli(), nil }),
		"nanoTime":          method(0, 0, func(c *Call) (Value, error) { return c.Run.now().UnixNano(), nil }),
		"getenv":            method(0, 1, getenv),
		"getProperty":       method(1, 2, systemProperty),
		"lineSeparator":     method(0, 0, func(c *Call) (Value, error) { return "\n", nil }),
		"identityHashCode":  method(1, 1, func(c *Call) (Value, error) { return int32(identity(c.Args[0])), nil }),
		"gc":                method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"arraycopy": method(5, 5, func(c *Call) (Value, error) {
			src := mustItems(c.Args[0])
			from, to, n := c.Int(1), c.Int(3), c.Int(4)
			if from < 0 || n < 0 || from+n > len(src) {
				return nil, throw("java.lang.ArrayIndexOutOfBoundsException", "arraycopy: last source index %d out of bounds for length %d", from+n, len(src))
			}
			for i := range n {
				if err := setArray(c.Run, c.Args[2], int32(to+i), src[from+i]); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
	}
	out := func(line bool) func(c *Call) (Value, error) {
		return func(c *Call) (Value, error) {
			w := c.Run.out()
			if c.Self.(*stream).err {
				w = c.Run.errOut()
			}
			s := ""
			if c.N() > 0 {
				s = groovyString(c.Args[0])
			}
			if line {
				s += "\n"
			}
			_, err := io.WriteString(w, s)
			return nil, err
		}
	}
	printf := method(1, -1, func(c *Call) (Value, error) {
		s, err := formatText(c.Str(0), c.Args[1:])
		if err != nil {
			return nil, err
		}
		return c.Self, writeTo(c, s.(string))
	})
	printStream.Methods = Methods{"println": method(0, 1, out(true)), "print": method(1, 1, out(false)), "printf": printf, "format": printf,
		"flush": method(0, 0, func(c *Call) (Value, error) { return nil, nil })}
	threadClass.Static = Methods{
		"sleep":         method(1, 2, sleep),
		"currentThread": method(0, 0, func(c *Call) (Value, error) { return &threadObject{c.Run}, nil }),
		"yield":         method(0, 0, func(c *Call) (Value, error) { runtime.Gosched(); return nil, nil }),
	}
	threadClass.Methods = Methods{
		"getName": method(0, 0, func(c *Call) (Value, error) {
			if n, ok := c.Run.env.Bindings["threadName"].(string); ok {
				return n, nil
			}
			return "main", nil
		}),
		"sleep":         method(1, 1, sleep),
		"getId":         method(0, 0, func(c *Call) (Value, error) { return int64(1), nil }),
		"interrupt":     method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"isInterrupted": method(0, 0, func(c *Call) (Value, error) { return false, nil }),
	}
	runtimeClass.Static = Methods{"getRuntime": method(0, 0, func(c *Call) (Value, error) { return &enumValue{class: runtimeClass, name: "java.lang.Runtime"}, nil })}
	runtimeClass.Methods = Methods{"availableProcessors": method(0, 0, func(c *Call) (Value, error) { return int32(runtime.NumCPU()), nil })}
	for i, e := range defineEnum(timeUnitClass, "NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS") {
		e.unit = [...]time.Duration{1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9}[i]
	}
	timeUnitClass.Methods["sleep"] = method(1, 1, func(c *Call) (Value, error) {
		ms := c.Long(0) * int64(c.Self.(*enumValue).unit/time.Microsecond) / 1000
		return sleep(&Call{Run: c.Run, Args: []Value{ms}})
	})
	for n, u := range map[string]time.Duration{"toNanos": 1, "toMicros": 1e3, "toMillis": 1e6, "toSeconds": 1e9, "toMinutes": 60e9, "toHours": 3600e9, "toDays": 86400e9} {
		timeUnitClass.Methods[n] = method(1, 1, func(c *Call) (Value, error) {
			from := c.Self.(*enumValue).unit
			if from >= u {
				return c.Long(0) * int64(from/u), nil
			}
			return c.Long(0) / int64(u/from), nil
		})
	}
	defineEnum(roundingClass, roundingNames...)
	initRandom()
	initEncodings()
	initDigests()
	initLang3()
	initAtomic()
}

func writeTo(c *Call, s string) error {
	w := c.Run.out()
	if st, ok := c.Self.(*stream); ok && st.err {
		w = c.Run.errOut()
	}
	_, err := io.WriteString(w, s)
	return err
}

func getenv(c *Call) (Value, error) {
	if c.N() == 0 {
		m := NewMap()
		for _, kv := range os.Environ() {
			k, v, _ := strings.Cut(kv, "=")
			m.Put(k, v)
		}
		return m, nil
	}
	n := c.Str(0)
	if c.Run.env.Getenv != nil {
		if v := c.Run.env.Getenv(n); v != "" {
			return v, nil
		}
		return nil, nil
	}
	if v, ok := os.LookupEnv(n); ok {
		return v, nil
	}
	return nil, nil
}

func systemProperty(c *Call) (Value, error) {
	n := c.Str(0)
	if c.Run.env.Property != nil {
		if v, ok := c.Run.env.Property(n); ok {
			return v, nil
		}
	}
	dir, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	known := map[string]string{"line.separator": "\n", "file.separator": string(os.PathSeparator), "path.separator": string(os.PathListSeparator),
		"user.dir": dir, "user.home": home, "java.io.tmpdir": strings.TrimSuffix(os.TempDir(), "/"), "os.name": osName(), "os.arch": runtime.GOARCH,
		"user.name": os.Getenv("USER"), "file.encoding": "UTF-8", "java.version": "17", "user.timezone": java.ZoneID(time.Local)}
	if v, ok := known[n]; ok {
		return v, nil
	}
	if c.N() == 2 {
		return c.Args[1], nil
	}
	return nil, nil
}

func osName() string {
	switch runtime.GOOS {
	case "windows":
		return "Windows"
	case "darwin":
		return "Mac OS X"
	}
	return "Linux"
}

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

func initEncodings() {
	get := func(e *base64.Encoding, decode bool) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return &coder{e, decode}, nil })
	}
	base64Class.Static = Methods{
		"getEncoder": get(base64.StdEncoding, false), "getUrlEncoder": get(base64.URLEncoding, false), "getMimeEncoder": get(base64.StdEncoding, false),
		"getDecoder": get(base64.StdEncoding, true), "getUrlDecoder": get(base64.URLEncoding, true), "getMimeDecoder": get(base64.StdEncoding, true),
	}
	NewClass("java.util.Base64.Decoder", coderClass)
	coderClass.Methods = Methods{
		"encodeToString": method(1, 1, func(c *Call) (Value, error) { return c.Self.(*coder).enc.EncodeToString(c.bytes(0)), nil }),
		"encode": method(1, 1, func(c *Call) (Value, error) {
			return &Bytes{[]byte(c.Self.(*coder).enc.EncodeToString(c.bytes(0)))}, nil
		}),
		"decode": method(1, 1, func(c *Call) (Value, error) {
			b, err := decodeBase64(string(c.bytes(0)))
			if err != nil {
				return nil, throw("java.lang.IllegalArgumentException", "Illegal base64 character")
			}
			return &Bytes{b}, nil
		}),
		"withoutPadding": method(0, 0, func(c *Call) (Value, error) {
			return &coder{enc: c.Self.(*coder).enc.WithPadding(base64.NoPadding)}, nil
		}),
	}
	encode := func(text bool, e *base64.Encoding) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			s := e.EncodeToString(c.bytes(0))
			if text {
				return s, nil
			}
			return &Bytes{[]byte(s)}, nil
		})
	}
	decode := method(1, 1, func(c *Call) (Value, error) {
		b, _ := decodeBase64(string(c.bytes(0)))
		return &Bytes{b}, nil
	})
	codecBase64.New = method(0, 1, func(c *Call) (Value, error) { return &enumValue{class: codecBase64, name: "Base64"}, nil })
	codecBase64.Static = Methods{"encodeBase64String": encode(true, base64.StdEncoding), "encodeBase64": encode(false, base64.StdEncoding),
		"encodeBase64URLSafeString": encode(true, base64.RawURLEncoding), "decodeBase64": decode}
	codecBase64.Methods = Methods{"encode": encode(false, base64.StdEncoding), "encodeToString": encode(true, base64.StdEncoding), "encodeAsString": encode(true, base64.StdEncoding), "decode": decode}
	codecHex.Static = Methods{
		"encodeHexString": method(1, 2, func(c *Call) (Value, error) { return hex.EncodeToString(c.bytes(0)), nil }),
		"encodeHex":       method(1, 2, func(c *Call) (Value, error) { return charArray(hex.EncodeToString(c.bytes(0))), nil }),
		"decodeHex": method(1, 1, func(c *Call) (Value, error) {
			b, err := hex.DecodeString(groovyString(c.Args[0]))
			if err != nil {
				return nil, throw("org.apache.commons.codec.DecoderException", "%s", err.Error())
			}
			return &Bytes{b}, nil
		}),
	}
	urlEncoder.Static = Methods{"encode": method(1, 2, func(c *Call) (Value, error) {
		cs, err := charset(c, 1)
		if err != nil {
			return nil, err
		}
		return java.URLEncode(c.Str(0), cs), nil
	})}
	urlDecoder.Static = Methods{"decode": method(1, 2, func(c *Call) (Value, error) {
		cs, err := charset(c, 1)
		if err != nil {
			return nil, err
		}
		return errValue(java.URLDecode(c.Str(0), cs))
	})}
	standardSets.Fields = map[string]Value{}
	for field, n := range map[string]string{"UTF_8": "UTF-8", "ISO_8859_1": "ISO-8859-1", "US_ASCII": "US-ASCII", "UTF_16": "UTF-16", "UTF_16BE": "UTF-16BE", "UTF_16LE": "UTF-16LE"} {
		if c, ok := java.LookupCharset(n); ok {
			standardSets.Fields[field] = &charsetObject{c}
		}
	}
	charsetClass.Static = Methods{
		"forName": method(1, 1, func(c *Call) (Value, error) {
			cs, ok := java.LookupCharset(c.Str(0))
			if !ok {
				return nil, throw("java.nio.charset.UnsupportedCharsetException", "%s", c.Str(0))
			}
			return &charsetObject{cs}, nil
		}),
		"defaultCharset": method(0, 0, func(c *Call) (Value, error) { return &charsetObject{java.UTF8}, nil }),
	}
	charsetClass.Methods = Methods{"name": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*charsetObject).c.Name(), nil })}
	localeClass.Fields = map[string]Value{}
	for n, l := range map[string]java.Locale{"ENGLISH": {Language: "en"}, "US": {Language: "en", Country: "US"}, "UK": {Language: "en", Country: "GB"}, "ROOT": {},
		"GERMAN": {Language: "de"}, "GERMANY": {Language: "de", Country: "DE"}, "FRENCH": {Language: "fr"}, "FRANCE": {Language: "fr", Country: "FR"}, "ITALY": {Language: "it", Country: "IT"}} {
		localeClass.Fields[n] = &localeObject{l}
	}
	localeClass.New = method(1, 2, func(c *Call) (Value, error) {
		l := java.Locale{Language: strings.ToLower(c.Str(0))}
		if c.N() == 2 {
			l.Country = strings.ToUpper(c.Str(1))
		}
		return &localeObject{l}, nil
	})
	localeClass.Static = Methods{"getDefault": method(0, 0, func(c *Call) (Value, error) { return &localeObject{java.JMeter}, nil })}
	inetClass.Static = Methods{"getLocalHost": method(0, 0, func(c *Call) (Value, error) { return &enumValue{class: inetClass}, nil })}
	inetClass.Methods = Methods{
		"getHostName": method(0, 0, func(c *Call) (Value, error) { return errValue(os.Hostname()) }),
		"getHostAddress": method(0, 0, func(c *Call) (Value, error) {
			n, _ := os.Hostname()
			if a, err := net.LookupIP(n); err == nil && len(a) > 0 {
				return a[0].String(), nil
			}
			return "127.0.0.1", nil
		}),
	}
	arrayEncoders()
}

// arrayEncoders are Groovy's encodeBase64() and encodeHex() of byte arrays.
func arrayEncoders() {
	for n, e := range map[string]func([]byte) string{"encodeBase64": base64.StdEncoding.EncodeToString, "encodeBase64Url": base64.RawURLEncoding.EncodeToString, "encodeHex": hex.EncodeToString,
		"md5": func(b []byte) string { s := md5.Sum(b); return hex.EncodeToString(s[:]) }, "sha256": func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }} {
		arrayBase.Groovy[n] = method(0, 1, func(c *Call) (Value, error) {
			b, ok := c.Self.(*Bytes)
			if !ok {
				return nil, missingMethod(c.Self, n, c.Args)
			}
			return e(b.B), nil
		})
	}
}

func initDigests() {
	d := func(c *Call) *digest { return c.Self.(*digest) }
	digestClass.Static = Methods{"getInstance": method(1, 2, func(c *Call) (Value, error) {
		h, err := newHash(c.Str(0))
		return &digest{h: h, name: c.Str(0), class: digestClass}, err
	})}
	update := method(1, 3, func(c *Call) (Value, error) {
		var b []byte
		if isNumber(c.Args[0]) {
			b = []byte{byte(c.Int(0))}
		} else if b = c.bytes(0); c.N() == 3 {
			from, n := c.Int(1), c.Int(2)
			if from < 0 || n < 0 || from+n > len(b) {
				return nil, throw("java.lang.IllegalArgumentException", "Input buffer too short")
			}
			b = b[from : from+n]
		}
		if d(c).h == nil {
			d(c).crc.Write(b)
		} else {
			d(c).h.Write(b)
		}
		return nil, c.Err()
	})
	final := method(0, 1, func(c *Call) (Value, error) {
		if d(c).h == nil {
			return nil, throw("java.lang.IllegalStateException", "MAC not initialized")
		}
		if c.N() == 1 {
			d(c).h.Write(c.bytes(0))
		}
		b := d(c).h.Sum(nil)
		d(c).h.Reset()
		return &Bytes{b}, nil
	})
	digestClass.Methods = Methods{"update": update, "digest": final,
		"reset":        method(0, 0, func(c *Call) (Value, error) { d(c).h.Reset(); return nil, nil }),
		"getAlgorithm": method(0, 0, func(c *Call) (Value, error) { return d(c).name, nil })}
	digestClass.Static["isEqual"] = method(2, 2, func(c *Call) (Value, error) { return bytes.Equal(c.bytes(0), c.bytes(1)), nil })
	macClass.Static = Methods{"getInstance": method(1, 2, func(c *Call) (Value, error) {
		_, err := newMac(c.Str(0), nil)
		return &digest{name: c.Str(0), class: macClass}, err
	})}
	macClass.Methods = Methods{"update": update, "doFinal": final,
		"init": method(1, 2, func(c *Call) (Value, error) {
			k, ok := c.Args[0].(*keySpec)
			if !ok {
				c.fail(0, "java.security.Key")
				return nil, nil
			}
			h, err := newMac(d(c).name, k.key)
			d(c).h = h
			return nil, err
		})}
	keySpecClass.New = method(2, 2, func(c *Call) (Value, error) { return &keySpec{append([]byte(nil), c.bytes(0)...), c.Str(1)}, nil })
	keySpecClass.Methods = Methods{"getEncoded": method(0, 0, func(c *Call) (Value, error) { return &Bytes{c.Self.(*keySpec).key}, nil })}
	crcClass.New = method(0, 0, func(c *Call) (Value, error) { return &digest{crc: crc32.NewIEEE(), class: crcClass}, nil })
	crcClass.Methods = Methods{"update": update, "getValue": method(0, 0, func(c *Call) (Value, error) { return int64(d(c).crc.Sum32()), nil })}
	digestUtils.Static = Methods{}
	for n, alg := range map[string]string{"md5": "MD5", "sha1": "SHA-1", "sha": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"} {
		sum := func(c *Call) []byte {
			h, _ := newHash(alg)
			h.Write(c.bytes(0))
			return h.Sum(nil)
		}
		digestUtils.Static[n+"Hex"] = method(1, 1, func(c *Call) (Value, error) { return hex.EncodeToString(sum(c)), nil })
		digestUtils.Static[n] = method(1, 1, func(c *Call) (Value, error) { return &Bytes{sum(c)}, nil })
	}
}

func initLang3() {
	const letters, numbers = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789"
	of := func(chars string) *Method {
		return method(1, 2, func(c *Call) (Value, error) {
			n := c.Int(0)
			if c.N() == 2 && isNumber(c.Args[1]) {
				n += rand.IntN(max(c.Int(1)-n, 1))
			}
			if n < 0 || n > maxText {
				return nil, throw("java.lang.IllegalArgumentException", "Requested random string length %d is less than 0.", n)
			}
			b := make([]byte, n)
			for i := range b {
				b[i] = chars[rand.IntN(len(chars))]
			}
			return string(b), nil
		})
	}
	lang3Random.Static = Methods{"randomAlphabetic": of(letters), "randomNumeric": of(numbers), "randomAlphanumeric": of(letters + numbers),
		"random": method(1, 3, func(c *Call) (Value, error) {
			chars := letters + numbers
			if c.N() == 2 {
				chars = groovyString(c.Args[1])
			}
			if c.N() == 3 {
				chars = ""
				if c.Bool(1) {
					chars += letters
				}
				if c.Bool(2) {
					chars += numbers
				}
			}
			if chars == "" {
				return nil, throw("java.lang.IllegalArgumentException", "The chars array must not be empty")
			}
			rs := []rune(chars)
			out := make([]rune, min(max(c.Int(0), 0), maxText))
			for i := range out {
				out[i] = rs[rand.IntN(len(rs))]
			}
			return string(out), nil
		})}
	lang3RandomNum.Static = Methods{"nextInt": method(0, 2, func(c *Call) (Value, error) {
		if c.N() < 2 {
			return int32(rand.Int32N(math.MaxInt32)), nil
		}
		lo, hi := c.Int(0), c.Int(1)
		if lo > hi || lo < 0 {
			return nil, throw("java.lang.IllegalArgumentException", "Start value must be smaller or equal to end value.")
		}
		return int32(lo + rand.IntN(max(hi-lo, 1))), nil
	})}
	nullText := func(do func(s string) Value) *Method {
		return method(1, 1, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				return do(""), nil
			}
			return do(c.Str(0)), nil
		})
	}
	cutOut := func(c *Call) (Value, error) {
		from, to := c.Str(1), c.Str(c.N()-1)
		_, rest, ok := strings.Cut(c.Str(0), from)
		inner, _, ok2 := strings.Cut(rest, to)
		if !ok || !ok2 {
			return nil, nil
		}
		return inner, nil
	}
	lang3Strings.Static = Methods{
		"isBlank":          nullText(func(s string) Value { return strings.TrimSpace(s) == "" }),
		"isNotBlank":       nullText(func(s string) Value { return strings.TrimSpace(s) != "" }),
		"isEmpty":          nullText(func(s string) Value { return s == "" }),
		"isNotEmpty":       nullText(func(s string) Value { return s != "" }),
		"isNumeric":        nullText(func(s string) Value { return s != "" && strings.Trim(s, numbers) == "" }),
		"capitalize":       nullText(func(s string) Value { return first(s, strings.ToUpper) }),
		"trim":             nullText(func(s string) Value { return java.Trim(s) }),
		"reverse":          nullText(func(s string) Value { return reversed(s) }),
		"upperCase":        nullText(func(s string) Value { return java.ToUpper(s) }),
		"lowerCase":        nullText(func(s string) Value { return java.ToLower(s) }),
		"substringBetween": method(2, 3, cutOut),
		"substringAfter":   method(2, 2, func(c *Call) (Value, error) { _, s, _ := strings.Cut(c.Str(0), c.Str(1)); return s, nil }),
		"substringBefore":  method(2, 2, func(c *Call) (Value, error) { s, _, _ := strings.Cut(c.Str(0), c.Str(1)); return s, nil }),
		"substringAfterLast": method(2, 2, func(c *Call) (Value, error) {
			i := strings.LastIndex(c.Str(0), c.Str(1))
			if i < 0 {
				return "", nil
			}
			return c.Str(0)[i+len(c.Str(1)):], nil
		}),
		"substringBeforeLast": method(2, 2, func(c *Call) (Value, error) {
			i := strings.LastIndex(c.Str(0), c.Str(1))
			if i < 0 {
				return c.Str(0), nil
			}
			return c.Str(0)[:i], nil
		}),
		"leftPad":      method(2, 3, func(c *Call) (Value, error) { return c.Run.padStatic(c, "padLeft") }),
		"rightPad":     method(2, 3, func(c *Call) (Value, error) { return c.Run.padStatic(c, "padRight") }),
		"contains":     method(2, 2, func(c *Call) (Value, error) { return c.Args[0] != nil && strings.Contains(c.Str(0), c.Str(1)), nil }),
		"equals":       method(2, 2, func(c *Call) (Value, error) { return equals(c.Args[0], c.Args[1]), nil }),
		"countMatches": method(2, 2, func(c *Call) (Value, error) { return int32(strings.Count(c.Str(0), c.Str(1))), nil }),
		"repeat":       method(2, 2, func(c *Call) (Value, error) { return groovyTimes(c.Run, c.Args[0], c.Args[1]) }),
		"join": method(1, 2, func(c *Call) (Value, error) {
			by := ""
			if c.N() == 2 && c.Args[1] != nil {
				by = c.charOrText(1)
			}
			var parts []string
			for _, e := range mustItems(c.Args[0]) {
				parts = append(parts, javaString(e))
			}
			return strings.Join(parts, by), nil
		}),
		"defaultString": method(1, 2, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				if c.N() == 2 {
					return c.Args[1], nil
				}
				return "", nil
			}
			return c.Args[0], nil
		}),
	}
	escapes := Methods{
		"escapeHtml4":   method(1, 1, func(c *Call) (Value, error) { return java.EscapeHTML(c.Str(0)), nil }),
		"unescapeHtml4": method(1, 1, func(c *Call) (Value, error) { return errValue(java.UnescapeHTML(c.Str(0))) }),
		"escapeXml10":   method(1, 1, func(c *Call) (Value, error) { return java.EscapeXML(c.Str(0)), nil }),
		"unescapeJava":  method(1, 1, func(c *Call) (Value, error) { return errValue(java.UnescapeJava(c.Str(0))) }),
	}
	escapeUtils.Static, escapeUtils3.Static = escapes, escapes
}

func (r *Run) padStatic(c *Call, n string) (Value, error) {
	if c.Args[0] == nil {
		return nil, nil
	}
	return stringClass.Groovy[n].do(r, c.Args[0], c.Args[1:])
}

func initAtomic() {
	for _, class := range []*Class{atomicInteger, atomicLong} {
		conv := integerClass
		if class == atomicLong {
			conv = longClass
		}
		class.New = method(0, 1, func(c *Call) (Value, error) {
			var n Value = int32(0)
			if c.N() == 1 {
				n = c.Args[0]
			}
			v, _, err := toNumber(n, conv)
			return &atomicNumber{class: class, l: List{v: []Value{v}}}, err
		})
		// change makes a method that adds or sets and returns the value after or before.
		change := func(n int, after bool, to func(c *Call, old Value) Value) *Method {
			return method(n, n, func(c *Call) (Value, error) {
				var ret Value
				err := c.Self.(*atomicNumber).l.edit(func(old []Value) []Value {
					v, _, _ := toNumber(to(c, old[0]), conv)
					if ret = old[0]; after {
						ret = v
					}
					return []Value{v}
				})
				return ret, err
			})
		}
		add := func(by int64) func(c *Call, old Value) Value {
			return func(_ *Call, old Value) Value { return toLong(old) + by }
		}
		delta := func(c *Call, old Value) Value { return toLong(old) + c.Long(0) }
		keepValue := func(_ *Call, old Value) Value { return old }
		set := func(c *Call, old Value) Value { return c.Long(0) }
		class.Methods = Methods{
			"get": change(0, true, keepValue), "intValue": change(0, true, keepValue), "longValue": change(0, true, keepValue),
			"incrementAndGet": change(0, true, add(1)), "getAndIncrement": change(0, false, add(1)),
			"decrementAndGet": change(0, true, add(-1)), "getAndDecrement": change(0, false, add(-1)),
			"addAndGet": change(1, true, delta), "getAndAdd": change(1, false, delta), "set": change(1, true, set), "getAndSet": change(1, false, set),
			"toString": method(0, 0, func(c *Call) (Value, error) { return fmt.Sprint(c.Self), nil }),
		}
	}
}

// Out is System.out: a PrintStream on the run's output.
func Out() Value { return &stream{} }
