package function

import (
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// bodyText is the thread's previous response as UTF-8. Its charset is the one that
// the server told, else that of the property sampleresult.default.encoding.
func bodyText(t *vu.Thread) []byte {
	name := t.Prev.Encoding
	if name == "" {
		name = t.Run.Props.Get("sampleresult.default.encoding", "UTF-8")
	}
	cs, err := charsetOr(name, java.UTF8)
	if err != nil || cs == java.UTF8 {
		return t.Prev.Body
	}
	return []byte(cs.Decode(t.Prev.Body))
}
