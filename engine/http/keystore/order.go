package keystore

import (
	"slices"
	"unicode/utf16"
)

// Users choose keys by their number. Java 17 counts the entries of a PKCS12
// store as they stand in the file, and those of a JKS store in the order of the
// hash table that it keeps them in.

// hashCode is Java's String.hashCode.
func hashCode(s string) (h uint32) {
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return h
}

// hashtableOrder returns distinct names as a Hashtable to which they were added
// one by one iterates over them: from the last chain to the first, and in a
// chain from the newest to the oldest.
func hashtableOrder(names []string) []string {
	chains := make([][]string, 11)
	add := func(to [][]string, name string) {
		i := hashCode(name) & 0x7FFFFFFF % uint32(len(to))
		to[i] = append(to[i], name) // the newest is last
	}
	for n, name := range names {
		if n >= int(float32(len(chains))*.75) {
			larger := make([][]string, 2*len(chains)+1)
			for _, chain := range slices.Backward(chains) {
				for _, old := range slices.Backward(chain) {
					add(larger, old)
				}
			}
			chains = larger
		}
		add(chains, name)
	}
	out := make([]string, 0, len(names))
	for _, chain := range slices.Backward(chains) {
		for _, name := range slices.Backward(chain) {
			out = append(out, name)
		}
	}
	return out
}

// inOrder returns the keys in an order of aliases, of which some belong to
// entries without a key. Of keys of the same alias Java has the last.
func inOrder(keys []key, aliases []string) []key {
	last := make(map[string]key, len(keys))
	for _, k := range keys {
		last[k.alias] = k
	}
	var out []key
	for _, alias := range aliases {
		if k, ok := last[alias]; ok {
			out = append(out, k)
		}
	}
	return out
}
