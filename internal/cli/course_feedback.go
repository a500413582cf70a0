package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/feedback"
)

func newCourseFeedback(f *courseFolder) *cobra.Command {
	var students []string
	var moodle string
	c := &cobra.Command{
		Use:   "feedback NAME [--student S…] [--moodle ZIP]",
		Short: "Write the pages that students get back",
		Long: `Feedback writes feedback/STUDENT/NAME/NOTEBOOK.html and .md for each submission of the
assignment NAME that course grade has judged: the student's notebook with the lines at
fault, each check in words, points, comments given by hand, and what was lost for handing
in late. Of hidden tests a page has only the words that the lecturer wrote for students.

Each page is one file that runs no script and loads nothing. Handing them out is for
nbgrader release_feedback, or for whatever carries files to students. --moodle writes the
pages in HTML as the zip that Moodle takes under "Upload multiple feedback files in a zip",
and names those whom it cannot have. Run it again after
marks were given by hand. Pages of students who are no longer in the gradebook are left
alone and named. Killed at any moment, the next call completes what is missing.` + statuses("a page could not be written"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, w := c.Context(), c.OutOrStdout()
			co, a, err := f.counted(ctx, args[0])
			if err != nil {
				return err
			}
			for _, id := range students {
				if _, ok := a.Submissions[id]; !ok {
					return fmt.Errorf("course: the gradebook has no submission of %s by student %q: course grade makes it", a.Name, id)
				}
			}
			if none, err := noneJudged(co, a); none || err != nil {
				return err
			}
			written, failed := 0, 0
			var pages []string // ids of students who have some
			for _, s := range a.InOrder() {
				id := s.Student.ID
				if len(students) > 0 && !slices.Contains(students, id) {
					continue
				}
				overwrite(w, fmt.Sprintf("%d of %d (%s)", written+failed, len(a.Submissions), collect.Printable(id)))
				files, err := feedback.Write(ctx, co, a.Name, s)
				overwrite(w, "")
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					failed++
					fmt.Fprintf(w, "%s: no page: %s\n", collect.Printable(id), collect.Printable(err.Error()))
					continue
				}
				written++
				pages = append(pages, id)
				for _, page := range files {
					if len(students) > 0 && strings.HasSuffix(page, ".html") {
						fmt.Fprintln(w, collect.Printable(page))
					}
				}
			}
			if moodle != "" {
				var left []feedback.Left
				err := atomicfile.Stream(moodle, func(zip io.Writer) (err error) {
					left, err = feedback.MoodleZip(zip, co, a.Name, pages)
					return err
				})
				if err != nil {
					return err
				}
				for _, l := range left {
					fmt.Fprintf(w, "%s: not in %s: %s\n", collect.Printable(l.Student), collect.Printable(moodle), collect.Printable(l.Reason))
				}
			}
			stale, err := feedback.Stale(co, a.Name, a.InOrder())
			for _, path := range stale {
				fmt.Fprintf(w, "left alone, since the gradebook has no such submission: %s\n", collect.Printable(path))
			}
			printUnfinished(c.ErrOrStderr(), a)
			fmt.Fprintf(w, "%s: pages for %d students, none for %d\n", a.Name, written, failed)
			if err == nil && failed > 0 {
				err = errFailed
			}
			return err
		},
	}
	c.Flags().StringArrayVar(&students, "student", nil, "the `id` of a student; may be repeated")
	c.Flags().StringVar(&moodle, "moodle", "", "the `file` of a zip for Moodle")
	return c
}
