// Package sampler holds the samplers that speak no protocol of their own room,
// one a file.
package sampler
