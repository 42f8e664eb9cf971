package script

import (
	"io"
	"math"
	"math/rand/v2"
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

// stream is System.out and System.err.
type stream struct{ err bool }

func (*stream) JavaClass() *Class { return printStream }

// threadObject is Thread.currentThread().
type threadObject struct{ r *Run }

func (*threadObject) JavaClass() *Class { return threadClass }

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

// Out is System.out: a PrintStream on the run's output.
func Out() Value { return &stream{} }
