// Package jmx reads and writes JMeter test plans: the .jmx format, and no
// meaning. A plan becomes a [Tree] of [Node] values holding [Prop] values, with
// every name that JMeter 5.6.3 still understands already turned into today's
// (class aliases, renamed classes, renamed properties). What a property means,
// its default and its expressions belong to the engine.
//
// The rules are those of JMeter's SaveService with bin/saveservice.properties
// (aliases) and bin/upgrade.properties (renames) of release 5.6.3; the tables
// stand in alias.go.
//
// Reading is strict where JMeter's is: an unknown property tag, an element
// without guiclass, or a missing hashTree refuses the file, with the line and
// the place in the tree. An unknown element class is no error here, since only
// the engine knows which classes it runs.
//
// Writing is lossless: a tree that was read, written and read again is equal,
// unknown elements, attributes and comments included. Names that were renamed
// on reading are written under their new name, as JMeter does.
package jmx
