package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/pages"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// releaseGate looks at an assignment before it is released: the solution has to pass every test,
// and the stub has to fail each. It leaves in the stub what course check needs.
var releaseGate = func(ctx context.Context, co *course.Course, a *release.Handout) error {
	root, err := repo.Root(co.Dir)
	if err != nil {
		return err
	}
	builder := grade.Builder{Root: root}
	defer overwrite(os.Stderr, "")
	for _, nb := range a.Notebooks {
		settings := grade.SettingsOf(co, a)
		running := func() { // the first time, Go's packages are compiled for the guest
			overwrite(os.Stderr, nb.Name+".ipynb: running the tests on the solution and the stub …")
		}
		running()
		settings.Note = func(text string) {
			overwrite(os.Stderr, "")
			defer running()
			fmt.Fprintf(os.Stderr, "marginalia: note: %s.ipynb: %s\n", nb.Name, text)
		}
		err := builder.Gate(ctx, nb.Source, nb.Release, settings, co.Settings(a.Name).Imports)
		if err != nil {
			return fmt.Errorf("%s.ipynb: %w", nb.Name, err)
		}
	}
	return nil
}

func newCourseRelease(folder *courseFolder) *cobra.Command {
	var dry bool
	var out string
	c := &cobra.Command{
		Use:   "release NAME [--pages DIR]",
		Short: "Make the students' version of an assignment",
		Long: `Release makes release/NAME of source/NAME: without solutions, hidden tests, mark schemes
and outputs, with the cells locked that students must not change, and with checksums,
as nbgrader generate_assignment does. Files beside the notebooks come along. What the
assignment consists of is recorded in gradebook.db.

In its place a solution leaves code that compiles and panics with "not implemented".

Where a cell has a line "// POINTS: 4", texts say what cells are, and nobody has to set
nbgrader's metadata: %test with a TestX is tests, BEGIN SOLUTION an answer, Markdown with
"<!-- POINTS: 4 -->" a task for a person to grade. Release writes that into source/NAME,
so that each cell keeps its grade_id. --dry-run prints a table of kinds and points.

Nothing is released unless the solution passes every test, the stub fails each, and all
that the tests use of an answer can be handed to a student's program, which runs apart
from them. Nor is it released if anything of a solution, a hidden test or a mark scheme
can be found in it: in sources, metadata, attachments or other files, split over lines
and cells, compressed, or in an encoding such as base64. A name alone is nothing of it,
nor is a common line of code. Where a line of the solution is meant to be seen, "public"
in course.toml allows it.

In its metadata the release carries what course check needs on a student's machine: its
cells as they are handed out, allowed imports, and how long each test may take.

What students will see is printed as a diff against the last release.

--pages also makes a folder for any web server: who opens its address does the assignment
in the browser, with nothing installed, and hands in by a button. The lab there is
JupyterLite, and Go's compiler and linker run in the page. The folder has some 52 MB. The
first one takes some minutes and a Python 3.10 or newer with its venv module. "hand_in" in
course.toml names an address that takes the notebooks; without it, students get a file.` + statuses("the assignment cannot be released, and the release is as it was"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, w := c.Context(), c.OutOrStdout()
			if err := ctx.Err(); err != nil {
				return err
			}
			co, err := folder.open()
			if err != nil {
				return err
			}
			a, err := release.Make(co, args[0])
			if err != nil {
				return err
			}
			if out != "" {
				if err := pages.Check(co, a.Name, out); err != nil {
					return err
				}
			}
			settings := co.Settings(a.Name)
			leaks, unsearched := a.Leaks(settings.Public)
			for _, where := range unsearched {
				fmt.Fprintf(os.Stderr, "marginalia: note: %s holds more compressed data than was searched for solutions\n", where)
			}
			if len(leaks) > 0 {
				for _, l := range leaks {
					fmt.Fprintln(os.Stderr, "marginalia:", l)
				}
				fmt.Fprintf(os.Stderr, "marginalia: %s is not released: remove what is named above, or list it under public in [assignment.%[1]s] of course.toml if students may see it\n", a.Name)
				return errFailed
			}
			if err := releaseGate(ctx, co, a); err != nil {
				return err
			}
			diff, err := a.Diff(co)
			if err != nil {
				return err
			}
			fmt.Fprint(w, diff)
			for _, nb := range a.Notebooks {
				if dry {
					fmt.Fprintf(w, "%s.ipynb\n", nb.Name)
					table(w, nb.Release)
				}
				fmt.Fprintf(w, "%s.ipynb: %s\n", nb.Name, contents(nb.Release))
			}
			state := "released as before"
			switch {
			case dry && diff != "":
				state = "not released, since this is a dry run"
			case diff != "":
				state = "released"
			}
			var made *pages.Pages
			if out != "" && !dry { // before anything is written
				if made, err = makePages(ctx, co, a, out); err != nil {
					return err
				}
				defer made.Remove()
			}
			if !dry {
				// First, so that what is released and recorded has the grade_ids of the source.
				said, err := a.Keep()
				for _, words := range said {
					fmt.Fprintln(w, words)
				}
				if err != nil {
					return err
				}
				if err := record(ctx, co, a); err != nil {
					return err
				}
				if err := a.Write(co); err != nil {
					return err
				}
			}
			if made != nil {
				if err := made.Place(); err != nil {
					return err
				}
				fmt.Fprintf(w, "%s: %d files, %.1f MB\n", filepath.Join(out, "index.html"), made.Files, float64(made.Bytes)/1e6)
			}
			fmt.Fprintf(w, "%s: %s\n", a.Name, state)
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "check and print, but write nothing")
	c.Flags().StringVar(&out, "pages", "", "also write the assignment for the browser into this `folder`; it must be new, empty, or of this assignment")
	return c
}

// makePages makes the pages of an assignment for the browser.
var makePages = func(ctx context.Context, co *course.Course, a *release.Handout, out string) (*pages.Pages, error) {
	root, err := repo.Root(co.Dir)
	if err != nil {
		return nil, err
	}
	return pages.Make(ctx, root, co, a, out, setup.Lines(os.Stderr))
}

// table lists the cells that are not text alone, with what each is and its points.
func table(w io.Writer, nb *nbformat.Notebook) {
	var rows strings.Builder
	t := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "cell\tkind\tpoints")
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		id, points := cmp.Or(m.ID, c.ID), ""
		if m.Grade || m.Task {
			points = fmt.Sprint(m.Points)
		}
		if c.Type == "code" || m.Kind() != nbgrader.Given {
			fmt.Fprintf(t, "%s\t%v\t%s\n", id, m.Kind(), points)
		}
	}
	t.Flush()
	for row := range strings.Lines(rows.String()) {
		fmt.Fprintln(w, strings.TrimRight(row, " \n"))
	}
}

// contents counts the cells of each kind, and the points.
func contents(nb *nbformat.Notebook) string {
	counts, points := map[nbgrader.Kind]int{}, 0.0
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		counts[m.Kind()]++
		points += m.Points
	}
	var parts []string
	for _, k := range []nbgrader.Kind{nbgrader.Answer, nbgrader.Tests, nbgrader.ManualAnswer, nbgrader.Task, nbgrader.Given} {
		if counts[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", counts[k], k))
		}
	}
	return fmt.Sprintf("%d cells (%s), %v points", len(nb.Cells), strings.Join(parts, ", "), points)
}

// record stores what the assignment consists of in the gradebook, as nbgrader does
// when it makes a release, and its dates.
func record(ctx context.Context, co *course.Course, a *release.Handout) error {
	entry := gradebook.Assignment{Name: a.Name, Course: co.ID}
	for _, nb := range a.Notebooks {
		kernel, err := json.Marshal(nb.Graded.Metadata["kernelspec"])
		if err != nil {
			return err
		}
		n := gradebook.Notebook{Name: nb.Name, Kernelspec: string(kernel)}
		for _, c := range nb.Graded.Cells {
			if m, _ := nbgrader.Read(c); m.Stored() {
				n.Cells = append(n.Cells, gradebook.Cell{
					ID: m.ID, Type: c.Type, Grade: m.Grade, Solution: m.Solution, Task: m.Task, Locked: m.ReadOnly(),
					Max: m.Points, Source: c.Source, Checksum: m.Checksum,
				})
			}
		}
		entry.Notebooks = append(entry.Notebooks, n)
	}
	book, err := gradebook.Create(ctx, co.Gradebook())
	if err != nil {
		return err
	}
	defer book.Close()
	if err := book.SetAssignment(ctx, entry); err != nil {
		return err
	}
	return penalize(ctx, os.Stderr, book, co, a.Name)
}
