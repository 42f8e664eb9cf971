package function

import (
	"net"
	"os"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__machineName", Title: "name of this machine", Args: "var?",
		Max: 1, Compile: func(c *expr.Call) (expr.Eval, error) { return compileMachine(c, nameKey{}, hostName) },
	})
	expr.RegisterFunc(expr.Func{
		Name: "__machineIP", Title: "address of this machine", Args: "var?",
		Max: 1, Compile: func(c *expr.Call) (expr.Eval, error) { return compileMachine(c, addressKey{}, hostAddress) },
	})
}

type (
	nameKey    struct{}
	addressKey struct{}
)

// compileMachine asks once a run.
func compileMachine(c *expr.Call, key any, ask func() string) (expr.Eval, error) {
	answer, variable := runShared(c, key, ask), newTarget(c, 0, trimmed)
	return func(dst []byte, t *vu.Thread) []byte { return variable.yield(dst, t, answer) }, nil
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

// hostAddress is what the machine's name stands for, an IPv4 address if there is one.
func hostAddress() string {
	addrs, err := net.LookupHost(hostName())
	if err != nil || len(addrs) == 0 {
		return "127.0.0.1"
	}
	for _, a := range addrs {
		if ip := net.ParseIP(a); ip != nil && ip.To4() != nil {
			return a
		}
	}
	return addrs[0]
}
