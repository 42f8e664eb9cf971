package target

import (
	"bufio"
	"io"
	"net"
	"strings"
)

// echoLines answers each line it reads with "echo:" and the line; "quit" ends.
func echoLines(c net.Conn) {
	br := bufio.NewReader(c)
	for {
		line, err := br.ReadString('\n')
		if err != nil || strings.TrimSpace(line) == "quit" {
			return
		}
		if _, err := io.WriteString(c, "echo:"+line); err != nil {
			return
		}
	}
}
