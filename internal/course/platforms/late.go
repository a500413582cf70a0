package platforms

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
)

// Terms are the due date, the extensions and the late policy that course.toml has for an
// assignment. They are nil in a folder without course.toml: there nbgrader's tools set the
// dates, and its late plugin the penalties.
func Terms(c *course.Course, name string) (*gradebook.Terms, error) {
	_, err := os.Stat(filepath.Join(c.Dir, "course.toml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := c.Settings(name)
	return &gradebook.Terms{Due: s.Due, Extensions: s.Extensions, Late: s}, nil
}

// Penalize has the gradebook hold the terms of an assignment, and the penalties of all its
// submissions by them. It returns what the gradebook had and course.toml lacks.
func Penalize(ctx context.Context, b *gradebook.Book, c *course.Course, name string) (gone gradebook.Terms, err error) {
	terms, err := Terms(c, name)
	if terms == nil || err != nil {
		return gone, err
	}
	return b.Penalize(ctx, name, *terms)
}
