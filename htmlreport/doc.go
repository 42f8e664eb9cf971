// Package htmlreport makes the HTML dashboard and statistics.json out of result
// files, with the tables and graphs of JMeter's report under their names.
//
// A read is one pass: each worker of package jtl fills a shard of its own, the
// shards are merged, and tables and graphs are views of the whole (a file a
// family: overtime, throughput, responsetimes, custom). A shard holds whole
// numbers only (custom graphs apart), so that the order of rows changes no
// result. Its size follows the number of labels, intervals and different times,
// not of rows; only the times of the newest seconds are kept one by one, up to
// a limit, as the two graphs "... Vs Request" need them (seconds).
//
// Compare sets the counts of two runs against each other. Graphs can also be
// drawn without a browser (draw), which is what the page shows when the chart
// library was not built in. What JMeter's listeners and jmeter-plugins show is in
// package listener.
//
// Two of JMeter's rules are not the default here: percentiles are over all
// samples, not the newest 20,000, and the interval of time charts follows from
// the length of the run. The properties statistic_window and
// overall_granularity bring them back.
package htmlreport
