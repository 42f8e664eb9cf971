package htmlreport

import (
	"bytes"
	"embed"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"
)

// The chart library is not part of the source: "make assets" fetches the release
// that assets/package-lock.json pins. Without it all compiles and every table is
// there; the page then says what it lacks.
//
//go:generate sh assets/build.sh
//go:embed all:assets
var assets embed.FS

// ChartsBuiltIn tells whether this program holds the chart library.
func ChartsBuiltIn() bool {
	_, err := assets.ReadFile("assets/echarts/echarts.min.js.gz")
	return err == nil
}

// chartScript is the chart library with its notice and licence, nil when it was not built in.
func chartScript() ([]byte, error) {
	packed, err := assets.ReadFile("assets/echarts/echarts.min.js.gz")
	if err != nil {
		return nil, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	// Such a file ends with the length of what it holds (RFC 1952, 2.3.1).
	script := make([]byte, binary.LittleEndian.Uint32(packed[len(packed)-4:]))
	if _, err := io.ReadFull(z, script); err != nil {
		return nil, err
	}
	return script, nil
}

// pageSource joins files of assets/page.
func pageSource(names ...string) ([]byte, error) {
	var all []byte
	for _, name := range names {
		b, err := assets.ReadFile("assets/page/" + name)
		if err != nil {
			return nil, err
		}
		all = append(append(all, b...), '\n')
	}
	return all, nil
}
