// Package platforms writes marks for others: as CSV for nbgrader's users ([Nbgrader]), Moodle
// ([Moodle]) and Canvas ([Canvas]), and the results of one submission for Gradescope
// ([Gradescope]) and PrairieLearn ([PrairieLearn]). Late is what a late submission loses.
package platforms

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/course/gradebook"
)

// Marks are those of some assignments and all students of a course.
type Marks struct {
	Students    []gradebook.Student
	Assignments []Column
	Handins     map[string][]Handin // by the ids of the students, as far as it is known
}

// A Column is an assignment with its submissions by the ids of the students.
type Column struct {
	gradebook.Assignment
	Submissions map[string]gradebook.Submission
}

// Read returns the marks of the named assignments in this order, or of all.
func Read(ctx context.Context, b *gradebook.Book, names ...string) (m Marks, err error) {
	if m.Students, err = b.Students(ctx); err != nil {
		return m, err
	}
	all, err := b.Assignments(ctx)
	if err != nil {
		return m, err
	}
	var have []string
	for _, a := range all {
		have = append(have, a.Name)
	}
	if len(names) == 0 {
		names = have
	}
	for _, name := range names {
		i := slices.Index(have, name)
		if i < 0 {
			return m, fmt.Errorf("course: the gradebook has no assignment %s: there are %s", name, strings.Join(have, ", "))
		}
		submissions, err := b.Submissions(ctx, name)
		if err != nil {
			return m, err
		}
		a := Column{all[i], map[string]gradebook.Submission{}}
		for _, s := range submissions {
			a.Submissions[s.Student.ID] = s
		}
		m.Assignments = append(m.Assignments, a)
	}
	return m, nil
}

// InOrder returns the submissions by the ids of the students.
func (a Column) InOrder() (all []gradebook.Submission) {
	for _, id := range slices.Sorted(maps.Keys(a.Submissions)) {
		all = append(all, a.Submissions[id])
	}
	return all
}

// Unfinished returns the ids of the students whose submission has marks that are still to be
// given, or reviewed, by hand: their scores may change.
func (a Column) Unfinished() (ids []string) {
	for id, s := range a.Submissions {
		if s.NeedsHand() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// full is a student's name as Canvas sorts by it, or the id.
func full(s gradebook.Student) string {
	if s.LastName == "" && s.FirstName == "" {
		return s.ID
	}
	return strings.TrimSuffix(strings.TrimPrefix(s.LastName+", "+s.FirstName, ", "), ", ")
}
