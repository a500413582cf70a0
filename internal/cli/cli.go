package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/gotest/celltest"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
)

// commands are the constructors of the subcommands, in the order of the help text.
var commands = []func() *cobra.Command{
	newLab,
	newUpdate,
	newRun,
	newTest,
	newExport,
	newFigures,
	newSite,
	newNew,
	newCourse,
	newDoctor,
}

// What the exit statuses mean. Each command's help says them, with what makes
// it 1 there; README has the table.
const (
	statusFailed    = 1   // what was asked for failed
	statusUsage     = 2   // a mistake on the command line: nothing was done
	statusInterrupt = 130 // Ctrl-C, or another signal that ends programs
)

// statuses ends the help of a command; failed says when the status is 1.
func statuses(failed string) string {
	return fmt.Sprintf(`

Exit status: 0 all went well; %d %s;
%d a mistake on the command line, nothing was done; %d interrupted.`, statusFailed, failed, statusUsage, statusInterrupt)
}

// errFailed says that what was asked for failed, and that its message has been printed.
var errFailed = errors.New("failed")

// say prints an error of one file, where the command goes on with others.
func say(w io.Writer, err error) { fmt.Fprintln(w, "marginalia:", outputs.Visible(err.Error())) }

// noteKernel says that a notebook was made with another kernel for Go.
func noteKernel(w io.Writer, name string, nb *nbformat.Notebook) {
	if words := mistake.OtherKernel(nb); words != "" {
		fmt.Fprintf(w, "note %s: %s\n", name, words)
	}
}

// A usageError is a mistake on the command line.
type usageError struct{ error }

// timeoutFlag gives a command that runs cells the flag --timeout.
func timeoutFlag(c *cobra.Command, limit *time.Duration) {
	c.Flags().DurationVar(limit, "timeout", celltest.DefaultTimeout, "longest time for one cell")
	c.PreRunE = func(*cobra.Command, []string) error {
		if *limit <= 0 {
			return fmt.Errorf("%s: --timeout %v: want more than 0", c.Name(), *limit)
		}
		return nil
	}
}

// Main runs the command line and returns the exit status.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := untilOrphaned(ctx)
	defer cancel()
	return statusOf(ctx, args)
}

func statusOf(ctx context.Context, args []string) int {
	root := &cobra.Command{
		Use:   "marginalia",
		Short: "Go notebooks for linear classifiers, margins and kernels",
		Long: `Go notebooks for linear classifiers, margins and kernels.

The commands work in any folder. They serve the repository that holds the working
directory or the notebook, else the one that MARGINALIA_ROOT names, else the one
that this command was built in.` + statuses("what was asked for failed"),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	running := false
	for _, c := range append(commands, newHelp) {
		c := c()
		if c.Name() == "help" {
			root.SetHelpCommand(c)
		} else {
			root.AddCommand(c)
		}
		for _, c := range append(c.Commands(), c) {
			run := c.RunE
			c.RunE = func(c *cobra.Command, args []string) error {
				running = true
				return run(c, args)
			}
		}
	}
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil: // whoever pressed Ctrl-C knows
		return statusInterrupt
	case errors.Is(err, errFailed):
		return statusFailed
	case !running || errors.As(err, new(usageError)): // cobra finds fault before it runs a command
		fmt.Fprintf(os.Stderr, "marginalia: %s (see %s --help)\n", usage(c, err), called()+strings.TrimPrefix(c.CommandPath(), root.Name()))
		return statusUsage
	}
	say(os.Stderr, err)
	return statusFailed
}

// newHelp is cobra's command of that name, to which a topic that is not there is a mistake.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the manual of a command",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err == nil && len(rest) > 0 {
				return unknown(of, rest[0])
			}
			if err != nil {
				return usageError{err}
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// untilOrphaned returns a context that is canceled, as by Ctrl-C, when this
// process was started by `go run` and that is killed: whoever did so meant us,
// and a signal that kills never gets here.
func untilOrphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if parent := os.Getppid(); processName(parent) == "go" {
		go func() {
			for os.Getppid() == parent {
				time.Sleep(200 * time.Millisecond)
			}
			cancel()
			// go run built this program in a temporary folder, which only it removes. A
			// program that it has built before it takes from Go's cache.
			self, _ := os.Executable()
			if work, _, ok := strings.Cut(self, "/b001/exe/"); ok && strings.HasPrefix(filepath.Base(work), "go-build") {
				os.RemoveAll(work)
			}
		}()
	}
	return ctx, cancel
}

// processName returns the name of a process's program, "" if it cannot be found out.
func processName(pid int) string {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		name, err = exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	}
	if err != nil {
		return ""
	}
	return filepath.Base(strings.TrimSpace(string(name)))
}
