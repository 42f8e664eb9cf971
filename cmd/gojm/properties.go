package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/magiconair/properties"

	"github.com/gojm/gojm/engine/vu"
)

// defaults are the settings of JMeter's own jmeter.properties that differ from
// what its code takes where a property is absent.
//
//go:embed defaults.properties
var defaults []byte

// loader reads files as java.util.Properties does: Latin-1, \u escapes, no
// expansion of ${...}.
var loader = properties.Loader{Encoding: properties.ISO_8859_1, DisableExpansion: true}

func setDefaults(p *vu.Properties) {
	set, err := loader.LoadBytes(defaults)
	if err != nil {
		panic(err) // our own file
	}
	apply(set, p.Set)
}

// readProperties reads a property file and hands out its entries.
func readProperties(file string, set func(name, value string)) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := loader.LoadBytes(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	apply(m, set)
	return nil
}

func apply(m *properties.Properties, set func(name, value string)) {
	values := m.Map()
	for _, k := range slices.Sorted(maps.Keys(values)) {
		set(k, values[k])
	}
}

// startProperties sets the properties that tell when the program started.
func startProperties(p *vu.Properties, now time.Time) {
	p.Set("START.MS", fmt.Sprint(now.UnixMilli()))
	p.Set("START.YMD", now.Format("20060102"))
	p.Set("START.HMS", now.Format("150405"))
	p.Set("jmeter.version", "5.6.3") // the JMeter whose behaviour this is
}
