package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
	"marginalia/internal/course/formgrade"
)

func newCourseFormgrade(folder *courseFolder) *cobra.Command {
	var o formgrade.Options
	c := &cobra.Command{
		Use:   "formgrade",
		Short: "Start nbgrader's formgrader for marks and comments by hand",
		Long: `Formgrade starts nbgrader's formgrader on the course: its pages show what course grade
has stored in autograded, and take marks, extra credit, comments and flags by hand. These
stand in gradebook.db, and course grade keeps them when it grades again. Where it then
gives another mark for a cell that has one by hand, formgrader asks for a review.

The buttons Generate, Collect, Autograde and Generate Feedback run course release, collect,
grade and feedback. No script of a submission runs in the pages. If you open a notebook of
a student's in JupyterLab and run a cell there, it runs on this computer, with your rights.

The first start installs JupyterLab and nbgrader, pinned, into an environment of its own
in the user's cache. It needs Python 3.11 or newer. Only this computer can connect, with
the token in the printed address. Ctrl-C ends it, with status 0.` + statuses("formgrader could not be set up or started"),
		Example: `  go run . course formgrade --course ~/course`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			if o.Port < 0 || o.Port > 65535 {
				return usageError{fmt.Errorf("course formgrade: --port %d: a port is a number from 1 to 65535", o.Port)}
			}
			co, err := folder.open()
			if err != nil {
				return err
			}
			if _, err := os.Stat(co.Gradebook()); err == nil { // its penalties are those of course.toml
				if _, err := countedMarks(c.Context(), co, nil); err != nil {
					return err
				}
			}
			root, err := repo.Root(co.Dir)
			if err != nil {
				return err
			}
			return formgrade.Start(c.Context(), root, co, o, setup.Lines(os.Stderr), os.Stderr)
		},
	}
	c.Flags().BoolVar(&o.NoBrowser, "no-browser", false, "do not open a browser")
	c.Flags().IntVar(&o.Port, "port", 0, "port to listen on (default 8888, or the next free one)")
	return c
}
