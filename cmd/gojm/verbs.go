package main

import "github.com/spf13/cobra"

// verbs are the commands that JMeter does not have, one a file.
func verbs(std stdio) []*cobra.Command {
	return append([]*cobra.Command{
		checkCommand(std),
		elementsCommand(std),
		mirrorCommand(std),
		reportCommand(std),
		compareCommand(std),
		mergeCommand(std),
		filterCommand(std),
		repairCommand(std),
		convertCommand(std),
	}, stopCommands()...)
}
