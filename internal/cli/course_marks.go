package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/platforms"
)

// counted opens the course, and returns the [countedMarks] of one assignment.
func (f *courseFolder) counted(ctx context.Context, name string) (co *course.Course, a platforms.Column, err error) {
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

// noneJudged reports whether no submission of an assignment is judged yet, and says what to do.
func noneJudged(co *course.Course, a platforms.Column) (bool, error) {
	if len(a.Submissions) > 0 {
		return false, nil
	}
	ids, err := handedIn(co, a.Name, nil)
	if err == nil && len(ids) == 0 {
		nobodyHandedIn(a.Name)
	} else if err == nil {
		fmt.Fprintf(os.Stderr, "marginalia: no submission of %s is judged yet: course grade %s does it\n", a.Name, a.Name)
	}
	return true, err
}

func nobodyHandedIn(name string) {
	fmt.Fprintf(os.Stderr, "marginalia: nobody has handed in %s: course collect %s FILES… brings in what students did\n", name, name)
}

// countedMarks returns the marks of a course's assignments, with penalties as course.toml has
// them, and says what of the gradebook's dates no longer counts.
func countedMarks(ctx context.Context, folder *course.Course, names []string) (m platforms.Marks, err error) {
	book, err := gradebook.Open(ctx, folder.Gradebook())
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("course: %s has no gradebook.db yet: course grade makes it", folder.Dir)
	}
	if err != nil {
		return m, err
	}
	defer book.Close()
	if m, err = platforms.Read(ctx, book, names...); err != nil {
		return m, err
	}
	for _, a := range m.Assignments {
		if err := penalize(ctx, os.Stderr, book, folder, a.Name); err != nil {
			return m, err
		}
	}
	return platforms.Read(ctx, book, names...)
}

// penalize has the gradebook hold the dates and penalties that course.toml asks for, and
// prints which of the gradebook's dates go.
func penalize(ctx context.Context, w io.Writer, book *gradebook.Book, folder *course.Course, name string) error {
	gone, err := platforms.Penalize(ctx, book, folder, name)
	if err != nil {
		return err
	}
	if !gone.Due.IsZero() {
		fmt.Fprintf(w, "marginalia: %s is no longer due on %s, as the gradebook had it: [assignment.%s] in course.toml has no due date\n", name, gone.Due.In(folder.Zone()).Format("2006-01-02 15:04 MST"), name)
	}
	if ids := slices.Sorted(maps.Keys(gone.Extensions)); len(ids) > 0 {
		fmt.Fprintf(w, "marginalia: %s: extensions that the gradebook had and course.toml does not have no longer count: %s\n", name, collect.Printable(strings.Join(ids, ", ")))
	}
	extended := folder.Settings(name).Extensions
	if len(extended) == 0 {
		return nil
	}
	students, err := book.Students(ctx)
	for _, s := range students {
		delete(extended, s.ID)
	}
	if ids := slices.Sorted(maps.Keys(extended)); err == nil && len(ids) > 0 {
		fmt.Fprintf(w, "marginalia: %s: course.toml has extensions of students whom the gradebook does not have: %s\n", name, collect.Printable(strings.Join(ids, ", ")))
	}
	return err
}

// printUnfinished names the students whose marks of an assignment may change by hand.
func printUnfinished(w io.Writer, a platforms.Column) {
	if ids := a.Unfinished(); len(ids) > 0 {
		fmt.Fprintf(w, "%s: marks to be given or reviewed by hand, of %d: %s\n", a.Name, len(ids), strings.Join(ids, ", "))
	}
}
