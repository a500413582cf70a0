package gradebook

import (
	"context"
	"database/sql"
	"time"
)

// Penalize computes the penalties of all submissions of an assignment anew: marks given by
// hand, the due date or extensions may have changed since they were saved.
func (b *Book) Penalize(ctx context.Context, assignment string, late LatePolicy) error {
	return b.write(ctx, func(c *sql.Conn) error {
		var submissions []string
		err := queryRows(ctx, c, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			submissions = append(submissions, id)
			return err
		}, "SELECT s.id FROM submitted_assignment s JOIN assignment a ON a.id = s.assignment_id WHERE a.name = ?", assignment)
		for _, id := range submissions {
			if err == nil {
				err = penalize(ctx, c, id, late)
			}
		}
		return err
	})
}

// penalize writes the penalties of one submission: of each notebook at most its score, as
// nbgrader has it, NULL for none.
func penalize(ctx context.Context, c *sql.Conn, submission string, late LatePolicy) error {
	var student string
	var s Submission
	err := c.QueryRowContext(ctx, `SELECT s.student_id, s.timestamp, s.extension, a.duedate
		FROM submitted_assignment s JOIN assignment a ON a.id = s.assignment_id WHERE s.id = ?`, submission).
		Scan(&student, date{&s.Submitted}, span{&s.Extension}, date{&s.Due})
	if err != nil {
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
	for _, p := range penalties {
		if err == nil {
			var points any
			if after := s.Late(); after > 0 {
				if lost := min(late.Penalty(student, p.score, after), p.score); lost > 0 {
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
