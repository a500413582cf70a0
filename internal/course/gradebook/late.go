package gradebook

import (
	"context"
	"database/sql"
	"time"
)

// Terms are what a course says of when an assignment is due, and of what comes later. They
// replace those of the book: whatever set these, a date that Terms lack does not count.
type Terms struct {
	Due        time.Time                // the zero time: never
	Extensions map[string]time.Duration // by student, beyond Due
	Late       LatePolicy
}

// A LatePolicy says how many points a notebook with this score loses that was handed in
// after it was due, the student's extension included. nbgrader calls it a plugin.
type LatePolicy interface {
	Penalty(score float64, due, submitted time.Time) float64
}

// Penalize writes the terms of an assignment, and computes the penalties of all submissions
// by them: marks given by hand may have changed as well since these were saved. It returns
// what the book had and terms lack: the due date, and the students' extensions.
func (b *Book) Penalize(ctx context.Context, assignment string, terms Terms) (gone Terms, err error) {
	err = b.write(ctx, func(c *sql.Conn) error {
		gone = Terms{Extensions: map[string]time.Duration{}}
		id, err := find(ctx, c, assignment)
		if err == nil {
			err = c.QueryRowContext(ctx, "SELECT duedate FROM assignment WHERE id = ?", id).Scan(date{&gone.Due})
		}
		if err != nil {
			return err
		}
		if !terms.Due.IsZero() {
			gone.Due = time.Time{}
		}
		var submissions []string
		err = queryRows(ctx, c, func(rows *sql.Rows) error {
			var id, student string
			var extension time.Duration
			err := rows.Scan(&id, &student, span{&extension})
			submissions = append(submissions, id)
			if _, kept := terms.Extensions[student]; extension != 0 && !kept {
				gone.Extensions[student] = extension
			}
			return err
		}, "SELECT id, student_id, extension FROM submitted_assignment WHERE assignment_id = ?", id)
		if err == nil {
			err = setDue(ctx, c, id, terms)
		}
		for _, submission := range submissions {
			if err == nil {
				err = penalize(ctx, c, submission, terms)
			}
		}
		return err
	})
	return gone, err
}

func setDue(ctx context.Context, c *sql.Conn, assignment string, terms Terms) error {
	_, err := c.ExecContext(ctx, "UPDATE assignment SET duedate = ?1 WHERE id = ?2 AND duedate IS NOT ?1", stamp(terms.Due), assignment)
	return err
}

// penalize writes the extension and the penalties of one submission: of each notebook at most
// its score, as nbgrader has it, NULL for none.
func penalize(ctx context.Context, c *sql.Conn, submission string, terms Terms) error {
	var student string
	var submitted time.Time
	err := c.QueryRowContext(ctx, "SELECT student_id, timestamp FROM submitted_assignment WHERE id = ?", submission).
		Scan(&student, date{&submitted})
	if err != nil {
		return err
	}
	var extension any
	by := terms.Extensions[student]
	if by != 0 {
		extension = stamp(epoch.Add(by))
	}
	if _, err := c.ExecContext(ctx, "UPDATE submitted_assignment SET extension = ?1 WHERE id = ?2 AND extension IS NOT ?1", extension, submission); err != nil {
		return err
	}
	type penalty struct {
		notebook string
		score    float64
	}
	var penalties []penalty
	err = queryRows(ctx, c, func(rows *sql.Rows) error {
		var p penalty
		err := rows.Scan(&p.notebook, &p.score)
		penalties = append(penalties, p)
		return err
	}, scoresOf, submission)
	due := terms.Due.Add(by)
	late := terms.Late != nil && !terms.Due.IsZero() && submitted.After(due)
	for _, p := range penalties {
		if err == nil {
			var points any
			if late {
				if lost := min(terms.Late.Penalty(p.score, due, submitted), p.score); lost > 0 {
					points = lost
				}
			}
			_, err = c.ExecContext(ctx, "UPDATE submitted_notebook SET late_submission_penalty = ?1 WHERE id = ?2 AND late_submission_penalty IS NOT ?1", points, p.notebook)
		}
	}
	return err
}

// date scans a DATETIME column, NULL as the zero time.
type date struct{ t *time.Time }

func (d date) Scan(v any) error {
	var null sql.Null[time.Time]
	err := null.Scan(v)
	*d.t = null.V
	return err
}

// span scans a span of time as SQLAlchemy stores it, NULL as 0.
type span struct{ d *time.Duration }

func (s span) Scan(v any) error {
	var t time.Time
	err := date{&t}.Scan(v)
	if *s.d = 0; err == nil && !t.IsZero() {
		*s.d = t.Sub(epoch)
	}
	return err
}
