// Package jtl is the room of result files: the sample, and JMeter's two
// formats for it, CSV and XML, written and read.
//
// It knows nothing of plans, threads or charts, and imports no other package
// of gojm.
//
// # Writing
//
// A [Config] says what is written of a [Sample]; it comes from properties, and
// for a listener from its plan. [Config.AppendRow] and [Config.AppendXML] are the
// formats, byte for byte those of JMeter 5.6.3. A [Writer] is one open file, and
// [Files] are those of a run, each opened once however many listeners name it.
//
// # Reading
//
// [Open] finds out what a file is (CSV, XML or JSON Lines, packed or not, in what
// charset) and [Reader.Read] visits its rows, on all processors: a goroutine cuts the file into chunks at the ends of rows, workers
// parse and visit them. A visitor keeps one aggregate a worker and merges them at
// the end; one that depends on the order of rows asks for one worker. Nothing is
// kept of a file but some chunks of 1 MiB. [ReadSamples] gives whole samples, in
// order, to those who rewrite files.
//
// # Rewriting
//
// A file that is made of another one either has its rows as they stand
// ([ReadOptions].Raw, [Reader.AppendRawStart]) or is written anew, with what
// [ConfigFor] finds the files to hold, as CSV, XML or JSON Lines. An [Output] has
// its name only once it is whole.
//
// Lines that cannot be read are left out and reported, never guessed at. Of XML it is
// the samples in which the damage is: xmlTokens finds the next tag behind it, and
// xmlParser by the layout, or else by the tags that balance, which sample ends there.
package jtl
