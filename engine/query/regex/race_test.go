//go:build race

package regex

// raceEnabled: the race detector makes sync.Pool forget at random.
const raceEnabled = true
