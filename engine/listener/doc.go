// Package listener holds the listeners, one a file: the writers of result files
// and the console's summary. Graphs and tables of the GUI are result collectors
// here, as they are in JMeter's own command-line mode. The Backend Listener is a
// package of its own, which this one brings along.
package listener

import _ "github.com/gojm/gojm/engine/listener/backend" // element
