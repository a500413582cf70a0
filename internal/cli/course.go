package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
)

// courseVerbs are the constructors of the commands below course, in the order of the
// help text.
var courseVerbs = []func(*courseFolder) *cobra.Command{
	newCourseNew,
	newCourseRelease,
	newCourseCheck,
	newCourseCollect,
	newCourseGrade,
	newCourseFormgrade,
	newCourseMerge,
	newCourseFeedback,
	newCourseReport,
	newCourseExport,
}

// A courseFolder is the folder that the commands below course work on.
type courseFolder struct{ dir string }

func (f *courseFolder) open() (*course.Course, error) { return course.Open(f.dir) }

func newCourse() *cobra.Command {
	f := &courseFolder{}
	c := &cobra.Command{
		Use:   "course VERB",
		Short: "Release, check, collect and grade course assignments",
		Long: `Course assignments in nbgrader's layout: a lecturer writes notebooks with solutions
and tests in source/NAME, students get release/NAME, what they hand in is kept in
submitted/STUDENT/NAME, and scores stand in gradebook.db.

The course folder is the working directory, or the one that --course names.` + statuses("what was asked for failed"),
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			c.SetContext(gradebook.WithWaiting(c.Context(), func(path string) {
				fmt.Fprintf(c.ErrOrStderr(), "marginalia: waiting for %s, which another program has locked\n", path)
			}))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			if len(args) > 0 {
				return unknown(c, args[0])
			}
			return c.Help()
		},
	}
	c.PersistentFlags().StringVar(&f.dir, "course", ".", "the course's `folder`")
	for _, verb := range courseVerbs {
		c.AddCommand(verb(f))
	}
	return c
}
