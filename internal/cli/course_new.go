package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"marginalia/internal/course"
)

func newCourseNew(*courseFolder) *cobra.Command {
	return &cobra.Command{
		Use:   "new DIR",
		Short: "Make a course folder with a small example",
		Long: `New makes a course folder: course.toml with comments, nbgrader_config.py for nbgrader's
own tools, and in source/ps0 a small assignment as an example. Its cells say in their
texts what they are and how many points they give, and carry nbgrader's metadata: either
will do (see release). DIR must be new or empty. For notebooks that nobody grades, the
command "new" makes a folder.` + statuses("the folder could not be made"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			if err := course.New(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%[1]s: a course with the assignment ps0 in source/ps0; release it with: %[2]s course release ps0 --course %[1]q\n", args[0], called())
			return nil
		},
	}
}
