package site

import (
	"context"
	"errors"
	"fmt"
	"html"
	"path"
	"slices"
	"strings"

	grading "marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
)

// courseFolder is the folder of the course whose assignments have pages.
const courseFolder = "notebooks/assignments"

// A handout is a notebook of an assignment as students get it, and the page that it becomes.
type handout struct {
	page, title string
	notebook    *nbformat.Notebook
	files       []string // beside it
}

// release makes the students' version of each assignment and adds its files to the site. It returns an
// error if a solution or a hidden test is left in them.
func (s *stage) release() error {
	c, err := grading.Open(s.book.at(courseFolder))
	if err != nil {
		return err
	}
	names, err := c.Assignments()
	if err != nil {
		return err
	}
	for _, name := range names {
		a, err := release.Make(c, name)
		if err != nil {
			return err
		}
		leaks, unsearched := a.Leaks(c.Settings(name).Public)
		if len(unsearched) > 0 {
			return fmt.Errorf("site: assignment %s: these files could not be searched for solutions: %s", name, strings.Join(unsearched, "; "))
		}
		var found []error
		for _, l := range leaks {
			found = append(found, l)
		}
		if err := errors.Join(found...); err != nil {
			return err
		}
		var files []string
		for _, f := range a.Files {
			files = append(files, f.Path)
			s.file(path.Join("assignments", name, f.Path), f.Data)
		}
		for _, nb := range a.Notebooks {
			page := path.Join("assignments", name, nb.Name+".ipynb")
			data, err := nb.Release.Encode()
			if err != nil {
				return err
			}
			s.file(page, data)
			s.sources[page] = true
			s.handouts = append(s.handouts, handout{page, heading(nb.Release), nb.Release, files})
		}
	}
	slices.SortFunc(s.handouts, func(a, b handout) int { return strings.Compare(a.title, b.title) }) // they are numbered
	return nil
}

// assignments writes the pages of the handouts.
func (s *stage) assignments(ctx context.Context) error {
	for _, h := range s.handouts {
		err := s.page(ctx, h.page, h.notebook, nil, false, func() (*nbformat.Cell, error) { return h.box(), nil })
		if err != nil {
			return fmt.Errorf("site: %s: %w", h.page, err)
		}
	}
	return nil
}

// box is a cell that says how to work on the assignment, with its files.
func (h handout) box() *nbformat.Cell {
	name := path.Base(h.page)
	var b strings.Builder
	b.WriteString("<div data-site class=\"run-box\">\n<p><strong>Work on this assignment.</strong> Save its notebook in a folder of your own. In a clone of marginalia, the first command opens it in JupyterLab, the second tries your answers on the tests below:</p>\n")
	fmt.Fprintf(&b, "<pre>go run . lab --dir FOLDER\ngo run . course check FOLDER/%s</pre>\n", html.EscapeString(name))
	links := []string{fmt.Sprintf("<a href=\"%s\" download>The notebook</a>", html.EscapeString(name))}
	for _, file := range h.files {
		links = append(links, fmt.Sprintf("<a href=\"%s\" download>%s</a>", html.EscapeString(relative("", file)), html.EscapeString(file)))
	}
	links = append(links, fmt.Sprintf("<a href=\"%s\">how assignments work</a>", html.EscapeString(relative(h.page, "docs/course/students.html"))))
	fmt.Fprintf(&b, "<p>%s</p>\n</div>\n", strings.Join(links, " · "))
	return &nbformat.Cell{ID: "run", Type: "markdown", Source: b.String(), Metadata: map[string]any{}}
}

// lecturersOnly reports whether a file of the repository is for lecturers only.
func lecturersOnly(rel string) bool {
	return strings.HasPrefix(rel, courseFolder+"/") || strings.HasPrefix(rel, "docs/assignments/")
}
