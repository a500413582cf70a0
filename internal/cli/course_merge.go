package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"marginalia/internal/course/collect"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/platforms"
	"marginalia/internal/course/shard"
)

func newCourseMerge(f *courseFolder) *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE|FOLDER…",
		Short: "Bring the results of course grade --shard into the gradebook",
		Long: `Merge brings result files, which course grade --shard left, into gradebook.db. Of a
folder it takes all .json files below it.

Order does not matter, and twice is the same as once: of two submissions of a student the
later one counts. Marks that change are named. A file is refused by name if it is torn or
was edited, if another version of the assignment graded it, or if another one marks the same
submission differently; the others are merged. Marks and comments given by hand stay. It can
be killed at any moment: repeat it then.` + statuses("a file was refused, or the gradebook could not be written"),
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			folder, err := f.open()
			if err != nil {
				return err
			}
			files, err := shard.Files(paths...)
			if err != nil {
				return err
			}
			book, err := gradebook.Open(c.Context(), folder.Gradebook())
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("course: %s has no gradebook.db: course release makes it", folder.Dir)
			}
			if err != nil {
				return err
			}
			defer book.Close()
			versions := map[string]string{}
			report, err := shard.Merge(c.Context(), book, files, func(r shard.Result) (*gradebook.Terms, error) {
				name := r.Scores.Assignment
				if versions[name] == "" {
					if versions[name], err = shard.Version(folder, name); err != nil {
						return nil, err
					}
				}
				if r.Version != versions[name] {
					return nil, fmt.Errorf("it was graded by another version of %s: grade it again", name)
				}
				return platforms.Terms(folder, name)
			})
			if err != nil {
				return err
			}
			assignments, err := book.Assignments(c.Context())
			if err != nil {
				return err
			}
			for _, a := range assignments { // all of their submissions, not those merged alone
				if versions[a.Name] != "" {
					if err := penalize(c.Context(), os.Stderr, book, folder, a.Name); err != nil {
						return err
					}
				}
			}
			for _, ch := range report.Changes {
				why := "the same submission, graded again"
				if ch.Another {
					why = "it is another submission"
				}
				printChange(c.OutOrStdout(), ch, why)
			}
			fmt.Fprintf(c.OutOrStdout(), "%d submissions merged, %d older than those of the gradebook, %d files refused\n", report.Merged, len(report.Older), len(report.Refused))
			for _, left := range slices.Concat(report.Older, report.Refused) {
				fmt.Fprintln(c.ErrOrStderr(), "marginalia:", left)
			}
			if len(report.Refused) > 0 {
				return errFailed
			}
			return nil
		},
	}
}

// printChange says whose mark is another one than before, and why as far as that is known.
func printChange(w io.Writer, ch gradebook.Change, why ...string) {
	points := func(p *float64) string {
		if p == nil {
			return "none"
		}
		return strconv.FormatFloat(*p, 'g', 6, 64)
	}
	fmt.Fprintf(w, "%s, %s/%s: %s points, before %s", ch.Student, ch.Notebook, ch.Cell, points(ch.After), points(ch.Before))
	if ch.Manual != nil {
		fmt.Fprintf(w, "; %s given by hand still count: review them", points(ch.Manual))
	}
	fmt.Fprintln(w)
	for _, reason := range why {
		fmt.Fprintf(w, "    %s\n", collect.Printable(reason))
	}
}
