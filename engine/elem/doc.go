// Package elem is what every plan element shares: its declaration ([Spec]), the
// reading of its properties ([Props]), the roles it may play, and the registry
// from which the support table, `gojm check` and the tests are derived.
//
// An element is declared once, in the file that runs it. Elements are immutable
// once compiled and shared by all threads; what a thread keeps of one sits in a
// vu.Slot.
package elem
