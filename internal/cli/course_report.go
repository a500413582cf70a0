package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/release"
	"marginalia/internal/course/report"
	"marginalia/internal/notebook/nbformat"
)

func newCourseReport(f *courseFolder) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "report NAME [-o FILE]",
		Short: "Sum up an assignment for its lecturers",
		Long: `Report prints, of the assignment NAME that course grade has judged, the mean of each
question, how often each check fails and with which messages, what time the tests took,
and pairs of submissions whose solutions are alike: by their tokens, names, numbers,
comments and the code of the release left out. That two are alike is a reason to look,
no proof. Messages that differ in their numbers alone count as one.

The same, with the distribution of marks drawn, is written to FILE, by default
report-NAME.html in the course's folder, one file that runs no script and loads nothing.
It has names of students and messages of hidden tests: it is not for students.` + statuses("the report could not be made"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			co, a, err := f.counted(ctx, args[0])
			if err != nil {
				return err
			}
			if none, err := noneJudged(co, a); none || err != nil {
				return err
			}
			released, err := release.Make(co, a.Name)
			if err != nil {
				return err
			}
			given := map[string]*nbformat.Notebook{}
			for _, nb := range released.Notebooks {
				given[nb.Name] = nb.Release
			}
			r, err := report.Make(ctx, co, a.Name, a.InOrder(), given)
			if err != nil {
				return err
			}
			if file == "" {
				file = filepath.Join(co.Dir, "report-"+a.Name+".html")
			}
			if err := r.WriteText(c.OutOrStdout()); err != nil {
				return err
			}
			if err := atomicfile.Stream(file, r.WriteHTML); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "\n%s\n", collect.Printable(file))
			return nil
		},
	}
	c.Flags().StringVarP(&file, "output", "o", "", "the `file` to write")
	return c
}
