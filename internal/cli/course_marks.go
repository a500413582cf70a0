package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/marks"
	"marginalia/internal/gradebook"
)

// counted opens the course, and returns the [countedMarks] of one assignment.
func (f *courseFolder) counted(ctx context.Context, name string) (co *course.Course, a marks.Assignment, err error) {
	if err := ctx.Err(); err != nil {
		return nil, a, err
	}
	if err := course.CheckAssignment(name); err != nil {
		return nil, a, err
	}
	if co, err = f.open(); err != nil {
		return nil, a, err
	}
	m, err := countedMarks(ctx, co, []string{name})
	if err != nil {
		return nil, a, err
	}
	return co, m.Assignments[0], nil
}

// countedMarks returns the marks of a course's assignments, with penalties as course.toml has
// them. Without course.toml they are those that nbgrader's late plugin gave.
func countedMarks(ctx context.Context, folder *course.Course, names []string) (m marks.Marks, err error) {
	book, err := gradebook.Open(ctx, folder.Gradebook())
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("course: %s has no gradebook.db yet: course grade makes it", folder.Dir)
	}
	if err != nil {
		return m, err
	}
	defer book.Close()
	if m, err = marks.Read(ctx, book, names...); err != nil {
		return m, err
	}
	if _, missing := os.Stat(filepath.Join(folder.Dir, "course.toml")); missing != nil {
		return m, nil
	}
	for _, a := range m.Assignments {
		settings := folder.Settings(a.Name)
		if err := book.Penalize(ctx, a.Name, marks.Late{Policy: settings.Late, Grace: settings.Grace}); err != nil {
			return m, err
		}
	}
	return marks.Read(ctx, book, names...)
}

// printUnfinished names the students whose marks of an assignment may change by hand.
func printUnfinished(w io.Writer, a marks.Assignment) {
	if ids := a.Unfinished(); len(ids) > 0 {
		fmt.Fprintf(w, "%s: marks to be given or reviewed by hand, of %d: %s\n", a.Name, len(ids), strings.Join(ids, ", "))
	}
}
