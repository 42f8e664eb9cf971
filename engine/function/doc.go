// Package function holds the functions of ${__name(...)}: those of JMeter 5.6.3
// and those that its best known plugins add, a file each.
//
// A function's arguments are texts, evaluated anew at every call unless its file
// says otherwise. What JMeter logs and answers with an empty text is logged and
// empty here; what makes JMeter give up the sampler is thrown (vu.Throw).
//
// The rules are those of JMeter's manual, "Functions and Variables", corrected by
// what JMeter 5.6.3 was seen to do.
package function
