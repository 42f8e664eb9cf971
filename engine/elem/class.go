package elem

import "github.com/gojm/gojm/jmx"

// FullClass is the full name of the class that JMeter knows by an alias: what
// scripts and logs call an element's class.
func FullClass(alias string) string { return jmx.FullName(alias) }
