// Package listener holds the listeners, one a file: the writers of result files
// and the console's summary. Graphs and tables of the GUI are result collectors
// here, as they are in JMeter's own command-line mode.
package listener
