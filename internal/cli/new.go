package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"marginalia/internal/base/scaffold"
)

func newNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new DIR",
		Short: "Make a course of your own: a notebook, a package, data, tests",
		Long: `New makes the folder of a course: a first notebook with its outputs, a Go package
with a test that it imports, a data file that it reads, a README, and what git, nbdime,
GitHub and GitLab need to test the notebooks. DIR must be new or empty.

It has no assignments: "course new" makes the folder from which those are released and
graded. The two can lie side by side.` + statuses("the folder could not be made"),
		Example: `  marginalia new ~/course
  marginalia lab --dir ~/course`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			if err := scaffold.Course(args[0]); err != nil {
				return fmt.Errorf("new: %w", err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%[1]s: a course with notebooks/01-first.ipynb; open it with: %[2]s lab --dir %[1]q\n", args[0], called())
			return nil
		},
	}
}
