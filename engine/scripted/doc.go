// Package scripted holds the elements that run a script: the families JSR223, BeanShell and BSF,
// each as sampler, pre-processor, post-processor, assertion, timer and listener.
//
// A script that can be read before the run is compiled then, and what it uses and package script
// does not have is reported with line and column. A text with ${...} in it is different in each run,
// so that only what shows in the text as it stands in the plan is reported before.
package scripted
