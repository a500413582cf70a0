package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
	"marginalia/internal/kernel"
	"marginalia/internal/kernel/execute"
)

func newRun() *cobra.Command {
	var o execute.Options
	var total time.Duration // of all notebooks
	c := &cobra.Command{
		Use:   "run NOTEBOOK…",
		Short: "Execute notebooks on the real kernel",
		Long: `Run executes each notebook from top to bottom on the pinned GoNB kernel, in the
notebook's folder, and writes the outputs back as Jupyter would. If the outputs
are the stored ones, the file keeps its bytes. A notebook that cannot be executed
is named and stops no other.

A notebook ends at the first cell that fails or takes longer than --timeout. What
was shown until then is written. A cell that would kill the kernel, such as one
with two %% lines, is not executed and counts as failed. A cell that waits for a
page in a browser and shows nothing for ten seconds is stopped. Cells tagged
raises-exception may fail; cells tagged skip-execution are left out. Ctrl-C leaves
the file as it was.

The kernel downloads the modules that cells import, if there is a network. Cells
import the packages of the go.mod or go.work in the notebook's folder or above it.

With --check nothing is written: the outputs are compared with the stored ones,
as "test" does. A cell that was never executed has nothing to compare with, and
one tagged raises-exception must fail. Tag a cell nbval-ignore-output
to leave it out of the comparison, or set metadata.marginalia.tolerance in it to
compare its numbers to a relative tolerance.` + statuses("a cell failed, or --check found a difference"),
		Example: `  marginalia run notebooks/01-perceptron.ipynb
  marginalia run --check notebooks/*.ipynb
  marginalia run draft.ipynb -o executed.ipynb --timeout 10m`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case o.Output != "" && len(names) > 1:
				return usageError{fmt.Errorf("run: -o takes one notebook, not %d: run them one by one", len(names))}
			case total < 0:
				return usageError{fmt.Errorf("run: --total %v: want more than 0, or 0 for no limit", total)}
			}
			return runNotebooks(c.Context(), names, o, total, c.ErrOrStderr())
		},
	}
	f := c.Flags()
	timeoutFlag(c, &o.Timeout)
	f.DurationVar(&total, "total", 0, "longest time for all notebooks together (default no limit)")
	f.BoolVar(&o.AllowErrors, "allow-errors", false, "go on after a cell that fails")
	f.StringVarP(&o.Output, "output", "o", "", "write the executed notebook to this `FILE`")
	f.BoolVar(&o.Check, "check", false, "compare with the stored outputs, write nothing")
	c.MarkFlagsMutuallyExclusive("output", "check")
	return c
}

// runNotebooks executes the notebooks one after the other; log gets progress
// and errors. One that cannot be executed is said at once, and the others are.
func runNotebooks(ctx context.Context, names []string, o execute.Options, total time.Duration, log io.Writer) error {
	var runs []*execute.Run
	failed := false
	for _, name := range names {
		r, err := execute.Read(name, o, log)
		if err != nil {
			say(log, err)
			failed = true
			continue
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return errFailed
	}
	root, err := repo.Root(names...)
	if err != nil {
		return err
	}
	noteCopies(log, root, names)
	spec, err := kernel.Spec(ctx, root, setup.Lines(log))
	if err != nil {
		return err
	}
	if total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, total, fmt.Errorf("all notebooks together took longer than %v (--total)", total))
		defer cancel()
	}
	for _, r := range runs {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			fmt.Fprintf(log, "%s: not executed: %v\n", r.Name, context.Cause(ctx))
			failed = true
			continue
		}
		ok, err := r.Run(ctx, spec)
		if err != nil && errors.Is(ctx.Err(), context.Canceled) {
			return err
		}
		if err != nil {
			say(log, err)
		}
		failed = failed || !ok || err != nil
	}
	if failed {
		return errFailed
	}
	return nil
}
