package cli

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/release"
)

func newCourseGrade(folder *courseFolder) *cobra.Command {
	var students []string
	var part, results string
	var jobs int
	var noOutputs bool
	c := &cobra.Command{
		Use:   "grade NAME [--student S…] [--jobs N] [--no-outputs] [--shard I/N]",
		Short: "Judge what students handed in",
		Long: `Grade judges the submissions of the assignment NAME, those of submitted/STUDENT/NAME,
and stores the marks in gradebook.db, and in autograded/STUDENT/NAME the graded notebooks
with the verdicts in words, and verdict.json with all that is known.

Students' code runs as a WebAssembly guest without files, network, clock and processes.
A test may take as much of the processor's time as "time" in course.toml says, as a
multiple of the solution's time, and at least 2 seconds. A mistake costs one question: a
question that fails with others that it uses is judged once more over the solutions of those.

The students' cells, figures above all, run as well, in another guest, and the graded
notebook has what they print and draw; no mark depends on that. A figure takes about three
seconds of the processor. With --no-outputs, or "outputs = false" in course.toml, no cell is
run: the graded notebook has the outputs that were handed in, and says so at each cell.
HTML and JavaScript are stored as text in any case.

Killed at any moment, the next call goes on where it was: submissions that have not
changed, nor the assignment, are not judged again. Marks and comments given by hand are
kept. Changed marks are reported.

With --shard I/N, I from 0 to N-1, one of N parts of the submissions is judged, and
results are left as files for course merge; gradebook.db is neither read nor written.` + statuses("a submission could not be judged"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, w := c.Context(), c.OutOrStdout()
			if err := ctx.Err(); err != nil {
				return err
			}
			if jobs < 1 {
				return usageError{fmt.Errorf("course grade: --jobs %d: want 1 or more", jobs)}
			}
			in, err := parsePart(part)
			if err != nil {
				return usageError{err}
			}
			co, err := folder.open()
			if err != nil {
				return err
			}
			a, err := release.Make(co, args[0])
			if err != nil {
				return err
			}
			root, err := repo.Root(co.Dir)
			if err != nil {
				return err
			}
			o := grade.Options{Course: co, Release: a, Builder: &grade.Builder{Root: root}, Jobs: jobs, Results: results, NoOutputs: noOutputs}
			if o.Students, err = handedIn(co, a.Name, students); err != nil {
				return err
			}
			if len(o.Students) == 0 {
				nobodyHandedIn(a.Name)
			}
			o.Students = slices.DeleteFunc(o.Students, func(id string) bool { return !in(id) })
			if o.Results == "" {
				o.Results = filepath.Join(co.Dir, "results")
			}
			if part == "" {
				if o.Book, err = bookFor(ctx, co, a); err != nil {
					return err
				}
				defer o.Book.Close()
			}
			count := gradedCount{w: w}
			o.Report = count.report
			err = grade.Run(ctx, o)
			overwrite(w, "")
			if err == nil && len(students) == 0 {
				err = count.misnamed(co, a.Name, in)
			}
			fmt.Fprintf(w, "%s: %d judged, %d unchanged, %d with a notebook that can't be graded, %d not judged\n", a.Name, count.judged, count.unchanged, count.faults, count.errors)
			if err == nil && count.errors > 0 {
				err = errFailed
			}
			return err
		},
	}
	f := c.Flags()
	f.StringArrayVar(&students, "student", nil, "the `id` of a student; may be repeated")
	f.IntVar(&jobs, "jobs", runtime.GOMAXPROCS(0), "how many submissions are judged at once")
	f.BoolVar(&noOutputs, "no-outputs", false, "leave the outputs of cells as they were handed in")
	f.StringVar(&part, "shard", "", "judge part I of N: `I/N`, from 0/N")
	f.StringVar(&results, "results", "", "the `folder` of the results of --shard, by default results in the course")
	return c
}

// bookFor opens the gradebook and has it know the assignment as it is now.
func bookFor(ctx context.Context, co *course.Course, a *release.Handout) (*gradebook.Book, error) {
	if err := record(ctx, co, a); err != nil {
		return nil, err
	}
	return gradebook.Open(ctx, co.Gradebook())
}

// parsePart reads I/N and returns who is in that part: students are spread by their ids, the
// same on every machine.
func parsePart(text string) (func(id string) bool, error) {
	if text == "" {
		return func(string) bool { return true }, nil
	}
	first, second, _ := strings.Cut(text, "/")
	i, err := strconv.ParseUint(first, 10, 32)
	n, err2 := strconv.ParseUint(second, 10, 32)
	if errors.Join(err, err2) != nil || i >= n {
		return nil, fmt.Errorf("course grade: --shard %q: want I/N with I from 0 to N-1", text)
	}
	return func(id string) bool {
		h := fnv.New64a()
		io.WriteString(h, id)
		return h.Sum64()%n == i
	}, nil
}

// handedIn returns the students who have a folder for an assignment, or those that are named.
func handedIn(co *course.Course, name string, named []string) ([]string, error) {
	all, err := co.Students(course.Submitted)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(id string) bool {
		dir, err := co.Path(course.Submitted, id, name)
		if err != nil {
			return true
		}
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
	for _, id := range named {
		if !slices.Contains(all, id) {
			return nil, fmt.Errorf("course: student %q has not handed in %s: there is no %s", id, name, filepath.Join(co.Dir, string(course.Submitted), id, name))
		}
	}
	if len(named) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(named))), nil
	}
	return all, nil
}

// gradedCount counts and prints what became of submissions.
type gradedCount struct {
	w                                 io.Writer
	judged, unchanged, faults, errors int
}

// misnamed prints the folders that would be submissions if their names were ids.
func (n *gradedCount) misnamed(co *course.Course, name string, in func(string) bool) error {
	all, err := co.Misnamed(course.Submitted, name)
	for _, m := range all {
		if in(m.Name) {
			n.errors++
			fmt.Fprintf(n.w, "%s: not judged: the folder's name is no id: %v; rename it in submitted\n", collect.Printable(m.Name), m.Why)
		}
	}
	return err
}

func (n *gradedCount) report(g grade.Graded) {
	overwrite(n.w, "")
	if len(g.Faults) > 0 {
		n.faults++
	}
	switch {
	case g.Err != nil:
		n.errors++
		fmt.Fprintf(n.w, "%s: not judged: %v\n", collect.Printable(g.Student), g.Err)
	case g.Unchanged:
		n.unchanged++
	default:
		n.judged++
		fmt.Fprintf(n.w, "%s: %.4g of %.4g points\n", collect.Printable(g.Student), g.Score, g.Max)
		for _, f := range g.Faults {
			fmt.Fprintf(n.w, "    zero for %s\n", collect.Printable(f.String()))
		}
	}
	if g.NotRun != nil {
		fmt.Fprintf(n.w, "    its cells could not be run for their outputs: %s\n", collect.Printable(g.NotRun.Error()))
	}
	for _, ch := range g.Changes {
		printChange(n.w, ch.Change, ch.Why...)
	}
	if g.Done < g.Total {
		overwrite(n.w, fmt.Sprintf("%d of %d, %v left (%s)", g.Done, g.Total, g.Left.Round(time.Second), collect.Printable(g.Student)))
	}
}
