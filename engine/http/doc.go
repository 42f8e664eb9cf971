// Package http is JMeter's HTTP Request with the config elements and processors
// that belong to it, one a file. The client underneath is package wire.
//
// A sample goes through three stages, each a type:
//
//	sampler   the element, as compiled: texts and managers, shared by all threads
//	call      what a thread is about to ask for: evaluated once for each sample
//	exchange  one request and its response; a call makes several when redirects
//	          are followed or embedded resources are downloaded
//
// A sampler whose texts are all constants keeps one call for all threads.
package http
