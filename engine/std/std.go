// Package std links every element and function into a program that imports it.
package std

import (
	_ "github.com/gojm/gojm/engine/assertion" // elements
	_ "github.com/gojm/gojm/engine/config"    // elements
	_ "github.com/gojm/gojm/engine/control"   // elements
	_ "github.com/gojm/gojm/engine/function"  // functions
	_ "github.com/gojm/gojm/engine/group"     // elements
	_ "github.com/gojm/gojm/engine/http"      // elements
	_ "github.com/gojm/gojm/engine/listener"  // elements
	_ "github.com/gojm/gojm/engine/postproc"  // elements
	_ "github.com/gojm/gojm/engine/preproc"   // elements
	_ "github.com/gojm/gojm/engine/sampler"   // elements
	_ "github.com/gojm/gojm/engine/scripted"  // elements
	_ "github.com/gojm/gojm/engine/timer"     // elements
)
