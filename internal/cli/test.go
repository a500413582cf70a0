package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"marginalia/datasets"
	"marginalia/internal/base/repo"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/notebook/nbformat"
)

func newTest() *cobra.Command {
	t := &tester{}
	c := &cobra.Command{
		Use:   "test NOTEBOOK…",
		Short: "Run every cell of notebooks as a Go test",
		Long: `Test exports each notebook to a Go package, builds it once, runs every code
cell in a process of its own, and compares what it prints and shows with the
outputs stored in the notebook. No kernel and no Python are needed.

Cells run in parallel. Those that may touch files, ports or other processes run one
after the other, in the notebook's order, in its folder and with one GONB_TMP_DIR:
what passes on the kernel passes here, and GoNB's package cache carries values from
cell to cell. Which cells those are is decided by what their programs can call. With
--run, those of them that come before run as well.

A cell sees what the packages do that it imports itself: their init functions, their
flags. Where other cells import more, it gets another program.

Text must be what JupyterLab shows of it, which carries out \r and \b; with
metadata.marginalia.tolerance in a cell, its numbers may differ by that share.
Pictures are compared by their pixels. --report writes a page with the texts and
pictures that differ, stored and new, and the command that accepts each; it is one
file, and says so if nothing differs. The tags raises-exception,
skip-execution, nbval-skip and nbval-ignore-output are honoured. A cell that fails
must be tagged raises-exception, even if it is stored with an error. A cell that was
never executed has nothing to compare with. Of more than 1 MiB of text, the beginning,
the end and how much lies between are compared, as JupyterLab stores them. A cell that
prints and shows more than 32 MiB is stopped, as is one that waits for a page in a
browser.

Shell lines do not run here: a cell with one is reported as not testable, and so is
a cell in another language. %%writefile writes its file. Modules are not
downloaded: a cell that imports one that go.mod does not require fails, and says
what to run.

Where GoNB does not do what the code says, as with two imports named _, or several
names and iota in one line, the test does what GoNB does and adds a note. So does a
format that does not fit its arguments, in go vet's words; a %test cell fails by it,
as under go test. A cell that would kill the kernel, such as one with two %% lines,
fails, and so does one whose runs differ.

Two things that a program can see of itself are not the kernel's: the name of its
main function, and the places in the code, which are those in the notebook.` + statuses("a cell failed, or a notebook could not be run"),
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error { return t.run(c.Context(), c.OutOrStdout(), files) },
	}
	f := c.Flags()
	f.BoolVarP(&t.verbose, "verbose", "v", false, "print a line for each cell, not only for those that fail")
	f.StringVar(&t.only, "run", "", "run only the `cells` with these ids, separated by commas")
	timeoutFlag(c, &t.timeout)
	f.BoolVar(&t.update, "update", false, "store the outputs in the notebook where they differ")
	f.StringVar(&t.reportFile, "report", "", "write a `page` with what differs, stored and new, into this file, or as report.html into this folder")
	c.MarkFlagsMutuallyExclusive("report", "update")
	return c
}

type tester struct {
	verbose, update bool
	only            string
	timeout         time.Duration
	reportFile      string

	differ differing
}

func (t *tester) run(ctx context.Context, w io.Writer, files []string) error {
	root, err := repo.Root(files...)
	if err != nil {
		return err
	}
	noteCopies(os.Stderr, root, files)
	failed := false
	for _, file := range files {
		ok, err := t.notebook(ctx, w, file, root)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			say(os.Stderr, err)
			t.differ.refused(file, err)
		}
		failed = failed || !ok
	}
	if err := t.report(w, files); err != nil {
		return err
	}
	if failed {
		return errFailed
	}
	return nil
}

// notebook tests one notebook and reports whether all its cells passed.
func (t *tester) notebook(ctx context.Context, w io.Writer, file, root string) (bool, error) {
	start := time.Now()
	name := filepath.Base(file)
	overwrite(w, name+": building its cells")
	b, err := built.Notebook(ctx, file, root)
	overwrite(w, "")
	if err != nil {
		return false, err
	}
	defer b.Close()
	noteKernel(w, name, b.Notebook)
	b.Timeout = t.timeout
	b.Lacks = lacks
	ids, err := choose(b.IDs(), t.only)
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}

	var count tally
	progress := progressLine(w)
	ended, next := map[int]celltest.Result{}, 0 // to report them in the notebook's order
	results := b.RunAll(ctx, ids, func(i int, r celltest.Result) {
		ended[i] = r
		overwrite(w, "")
		for r, there := ended[next]; there; r, there = ended[next] {
			t.say(w, name, r, &count)
			next++
		}
		progress(len(ended), len(ids), name, r.ID)
	})
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if !t.update {
		t.differ.add(file, b.Notebook, results)
	} else {
		if err := store(file, b.Notebook, results); err != nil {
			return false, err
		}
	}
	state := "ok  "
	if count.failed > 0 {
		state = "FAIL"
	}
	fmt.Fprintf(w, "%s %s: %s, %d passed, %d failed, %d skipped, %d not testable, %.2fs\n",
		state, file, plural(len(ids), "cell"), count.passed, count.failed, count.skipped, count.untestable, time.Since(start).Seconds())
	return count.failed == 0, nil
}

type tally struct{ passed, failed, skipped, untestable int }

func (t *tester) say(w io.Writer, name string, r celltest.Result, count *tally) {
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "note %s#%s: %s\n", name, r.ID, warning)
	}
	switch {
	case t.update && len(r.Differences) > 0 && len(r.Failures) == len(r.Differences):
		count.passed++
		fmt.Fprintf(w, "new  %s#%s\n", name, r.ID)
	case len(r.Failures) > 0:
		count.failed++
		fmt.Fprintf(w, "FAIL %s#%s (%.2fs)\n", name, r.ID, r.Took.Seconds())
		for _, f := range r.Failures {
			fmt.Fprintln(w, "    "+strings.ReplaceAll(strings.TrimRight(f, "\n"), "\n", "\n    "))
		}
	case r.Untestable:
		count.untestable++
		fmt.Fprintf(w, "n/a  %s#%s: %s\n", name, r.ID, r.Skipped)
	case r.Skipped != "":
		count.skipped++
		fmt.Fprintf(w, "skip %s#%s: %s\n", name, r.ID, r.Skipped)
	default:
		count.passed++
		if t.verbose {
			fmt.Fprintf(w, "ok   %s#%s (%.2fs)\n", name, r.ID, r.Took.Seconds())
		}
	}
}

// choose returns the ids of all that only names, in the notebook's order.
func choose(ids []string, only string) ([]string, error) {
	if only == "" {
		return ids, nil
	}
	wanted := strings.Split(only, ",")
	for _, id := range wanted {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("there is no code cell %q; there are %s", id, strings.Join(ids, ", "))
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(wanted, id) }), nil
}

// lacks says why what a cell needs is not on this machine.
func lacks(need string) string {
	if need == "mnist" && !datasets.HaveMNIST() {
		return "the four files are not on this machine: run the notebook once with a network, or set $MARGINALIA_DATA"
	}
	return ""
}

// store stores the outputs that differ.
func store(file string, nb *nbformat.Notebook, results []celltest.Result) error {
	changed := false
	for _, r := range results {
		if len(r.Differences) > 0 {
			c := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == r.ID })
			nb.Cells[c].Outputs, changed = r.Outputs, true
		}
	}
	if changed {
		return nb.WriteFile(file)
	}
	return nil
}
