package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/check"
	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbformat"
)

func newCourseCheck(*courseFolder) *cobra.Command {
	return &cobra.Command{
		Use:   "check NOTEBOOK…",
		Short: "Try your answers on the visible tests, as the grader does",
		Long: `Check runs the visible tests of an assignment on your notebook, wherever it lies, with the
grader's own judge. What it says of a visible test is what the grader will say.

For each cell with tests it prints what was checked, whether that passed, and where your
code is at fault: the cell, counted from the top of the notebook, and the line in it. It
warns of what the grader refuses, or counts otherwise than you may think: a cell of the
lecturer's that was changed or deleted, a name that is missing, a function with other
parameters or results, an import that is not allowed, code that does not compile.

The tests run on this machine, as in JupyterLab: check your own notebook, and use course
grade for those of others. The first call for an assignment takes longer.` + statuses("a check failed"),
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			ctx, w := c.Context(), c.OutOrStdout()
			if err := ctx.Err(); err != nil {
				return err
			}
			root, err := repo.Root(files...)
			if err != nil {
				return err
			}
			b := &grade.Builder{Root: root}
			passed, refused := true, []error(nil)
			for _, file := range files {
				ok, err := checkSheet(ctx, w, file, len(files) > 1, b)
				if errors.As(err, new(usageError)) {
					refused = append(refused, err)
					continue
				}
				if err != nil {
					return err
				}
				passed = passed && ok
			}
			if len(refused) == len(files) {
				return errors.Join(refused...)
			}
			for _, err := range refused {
				say(c.ErrOrStderr(), err)
			}
			if !passed || refused != nil {
				return errFailed
			}
			return nil
		},
	}
}

// checkSheet checks one notebook and reports whether all passed. One that cannot be checked is
// a usageError.
func checkSheet(ctx context.Context, w io.Writer, file string, named bool, b *grade.Builder) (bool, error) {
	s, err := readSheet(file)
	if err != nil {
		return false, usageError{err}
	}
	overwrite(w, filepath.Base(file)+": running the tests")
	r, err := s.Run(ctx, b)
	overwrite(w, "")
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
		if errors.As(err, new(*check.UnreadableError)) {
			err = usageError{err}
		}
		return false, err
	}
	if named {
		fmt.Fprintf(w, "%s\n", file)
	}
	return r.Passed(), r.Print(w)
}

// readSheet reads a notebook that may be checked. What a student handed in is none: its tests
// would run outside of the guest.
func readSheet(file string) (*check.Sheet, error) {
	at, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		switch course.Step(filepath.Base(at)) {
		case course.Attempts, course.Submitted, course.Autograded, course.Feedback:
			if _, err := course.Open(filepath.Dir(at)); err == nil {
				return nil, fmt.Errorf("%s: a student handed it in: course grade judges it, apart from this machine", file)
			}
		}
	}
	nb, notes, err := nbformat.MendFile(file)
	if errors.As(err, new(*nbformat.Unreadable)) {
		return nil, fmt.Errorf("%s: %w", file, err)
	} else if err != nil {
		return nil, err
	}
	s, err := check.Read(nb, filepath.Dir(file), notes...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}
