// Package api is what JMeter gives to scripts: vars, props, ctx, prev, SampleResult, sampler, log and
// the classes behind them, on the thread and the samples of a run.
//
// Each object is a thin handle on what it stands for, made anew for each run of a script where it
// holds nothing of its own; only what JMeter's objects know is told, and a method that is missing
// here is reported before the run.
package api
