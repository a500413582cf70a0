// Package cli holds the marginalia command, one file a subcommand.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// commands are the constructors of the subcommands, in the order of the help text.
var commands = []func() *cobra.Command{
	newLab,
	newRun,
	newTest,
	newExport,
	newFigures,
	newDoctor,
}

// An exitError ends the program with a code of its own; its message has been printed already.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs the command line and returns the exit status: 0 when all went
// well, 1 when what was asked for failed, 2 when the command line is at fault,
// 130 after an interrupt.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := untilOrphaned(ctx)
	defer cancel()

	root := &cobra.Command{
		Use:           "marginalia",
		Short:         "Go notebooks for linear classifiers, margins and kernels",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	usage := false
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		usage = true
		return fmt.Errorf("%w (see %s --help)", err, c.CommandPath())
	})
	for _, c := range commands {
		root.AddCommand(c())
	}
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var code exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintln(os.Stderr, "marginalia:", err)
	switch {
	case usage:
		return 2
	case ctx.Err() != nil:
		return 130
	}
	return 1
}
