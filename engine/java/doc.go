// Package java holds the text rules of the Java platform that the results of a test depend on:
// date patterns (java.time and java.text), numbers as text, String.format and DecimalFormat,
// java.util.Random, form encoding, java.net.URI, and what String does with its UTF-16 units.
//
// It follows Java 17, on which JMeter 5.6.3 was recorded, and its tests compare with tables
// written by that Java. It imports no other package of this module.
package java
