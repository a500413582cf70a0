// Package feedback writes what students get back: for each notebook of a submission a page
// in HTML and one in Markdown, in nbgrader's folder feedback/STUDENT/NAME.
//
// A page has the notebook's cells in their order, the lines at fault, what the tests say in words, points,
// comments given by hand, and what was lost for handing in late. Of hidden tests it has
// only the words that the lecturer wrote for students. It is made of the record that course
// grade left in autograded/STUDENT/NAME, the notebook there, and the gradebook.
//
// Nothing that a student wrote is trusted. The HTML is one file that runs no script and loads
// nothing; names, sources, outputs and messages are bounded, and escaped when they are written.
// Formulas stay TeX.
package feedback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/notebook/nbformat"
)

// forExchange are the files that nbgrader release_feedback wants beside the pages: from them it
// makes the names under which a student fetches the pages.
var forExchange = []string{"timestamp.txt", "submission_secret.txt"}

// maxForExchange bounds those files, in bytes.
const maxForExchange = 4 << 10

// Write writes the pages of one submission, each whole or not at all, and returns their paths.
func Write(ctx context.Context, c *course.Course, name string, s gradebook.Submission) ([]string, error) {
	id := s.Student.ID
	from, err := c.Path(course.Autograded, id, name)
	if err != nil {
		return nil, err
	}
	to, err := c.Path(course.Feedback, id, name)
	if err != nil {
		return nil, err
	}
	rec, err := grade.ReadRecord(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("feedback: %s has no %s: course grade %s --student '%s' writes it", from, grade.VerdictFile, name, id)
	}
	if err != nil {
		return nil, err
	}
	if err := agree(rec, name, s); err != nil {
		return nil, fmt.Errorf("feedback: %s: %w: run course grade again", filepath.Join(from, grade.VerdictFile), err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return nil, err
	}
	var written []string
	for _, v := range rec.Notebooks {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		nb, err := nbformat.Read(filepath.Join(from, v.Notebook+".ipynb"))
		if err != nil {
			return nil, err
		}
		p := newPage(rec, v, nb, s, c.Zone())
		p.Course = Line(c.ID, maxWords)
		base := filepath.Join(to, v.Notebook)
		atomicfile.Clean(base + ".html")
		atomicfile.Clean(base + ".md")
		if err := errors.Join(atomicfile.Stream(base+".html", p.writeHTML), atomicfile.Stream(base+".md", p.writeMarkdown)); err != nil {
			return nil, err
		}
		written = append(written, base+".html", base+".md")
	}
	submitted, err := c.Path(course.Submitted, id, name)
	if err != nil {
		return nil, err
	}
	for _, file := range forExchange {
		info, err := os.Lstat(filepath.Join(submitted, file))
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxForExchange {
			continue // it did not come from the exchange
		}
		data, err := os.ReadFile(filepath.Join(submitted, file))
		atomicfile.Clean(filepath.Join(to, file))
		if err == nil {
			err = atomicfile.Write(filepath.Join(to, file), data)
		}
		if err != nil {
			return nil, err
		}
	}
	return written, nil
}

// agree returns an error unless the record is that submission's and has the gradebook's marks.
func agree(rec *grade.Record, name string, s gradebook.Submission) error {
	if rec.Scores.Assignment != name || rec.Scores.Student != s.Student.ID {
		return fmt.Errorf("it is of the assignment %q and student %q", rec.Scores.Assignment, rec.Scores.Student)
	}
	auto := map[[2]string]float64{}
	for _, nb := range s.Notebooks {
		for _, m := range nb.Cells {
			if m.Auto != nil {
				auto[[2]string{nb.Name, m.Cell}] = *m.Auto
			}
		}
	}
	for _, nb := range rec.Notebooks {
		if nb.Assignment != name || nb.Student != s.Student.ID || !filepath.IsLocal(nb.Notebook) || strings.ContainsAny(nb.Notebook, `/\`) {
			return fmt.Errorf("its notebook %q is of the assignment %q and student %q", nb.Notebook, nb.Assignment, nb.Student)
		}
		if !slices.ContainsFunc(s.Notebooks, func(own gradebook.SubmittedNotebook) bool { return own.Name == nb.Notebook }) {
			return fmt.Errorf("the gradebook has no notebook %q", nb.Notebook)
		}
		for _, t := range nb.Tests {
			if score, ok := auto[[2]string{nb.Notebook, t.ID}]; !ok || math.Abs(score-t.Score) > 1e-9 {
				return fmt.Errorf("the gradebook has another mark of cell %s in %s.ipynb", t.ID, nb.Notebook)
			}
		}
	}
	return nil
}

// Stale returns the pages of an assignment whose student or notebook is no longer in the
// gradebook.
func Stale(c *course.Course, name string, submissions []gradebook.Submission) (paths []string, err error) {
	have := map[string]bool{}
	for _, s := range submissions {
		for _, nb := range s.Notebooks {
			have[filepath.Join(s.Student.ID, nb.Name)] = true
		}
	}
	ids, err := c.Students(course.Feedback)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		dir, err := c.Path(course.Feedback, id, name)
		if err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			for _, kind := range []string{".html", ".md"} {
				if nb, ok := strings.CutSuffix(e.Name(), kind); ok && !have[filepath.Join(id, nb)] && e.Name()[0] != '.' {
					paths = append(paths, filepath.Join(dir, e.Name()))
				}
			}
		}
	}
	return paths, nil
}
