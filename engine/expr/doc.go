// Package expr is text with ${...}: parsed once when a plan is compiled,
// evaluated by appending ever after. It also keeps the registry of functions;
// the functions themselves live one a file in engine/function.
//
// The grammar is JMeter 5.6.3's, read off its behaviour: there is no quoting, a
// backslash counts only before $ , and \, and a text without a reference keeps
// every character it has.
package expr
