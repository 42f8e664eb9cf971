// Package listener makes what JMeter's listeners show of a result file: the
// tables of Aggregate Report and Summary Report, and the tables and graphs of
// jmeter-plugins, under the names by which their command line knows them
// (JMeterPluginsCMD --plugin-type). Tables come as text, CSV, Markdown and JSON,
// graphs as CSV and as drawings.
//
// Every row counts, those of transactions in TOTAL too, as in JMeter. From XML
// only top-level samples do, unless a graph says otherwise. SampleCount and
// ErrorCount are heeded, unlike in the dashboard.
package listener
