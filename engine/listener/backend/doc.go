// Package backend holds the Backend Listener and what it sends figures to while a
// test runs: InfluxDB and Graphite, in the words of JMeter's own clients, so that
// dashboards made for those go on working.
package backend
