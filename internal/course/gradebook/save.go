package gradebook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"
)

// Scores are what the grader found in one submission.
type Scores struct {
	Assignment, Student string
	Submitted           time.Time // when it was handed in; the zero time: unknown
	Notebooks           []NotebookScores
}

// NotebookScores are those of one notebook. A notebook of the assignment without them was
// not handed in: its marks are 0, as nbgrader has it.
type NotebookScores struct {
	Notebook string
	Cells    []Score
}

// A Score is the grader's, of one cell. A tests cell needs one. A cell that is marked by
// hand may have one, for its comment, or for the 0 that is due without an answer.
type Score struct {
	Cell    string   // nbgrader's grade_id
	Auto    *float64 // points, 0 or more; nil: to be marked by hand
	Comment string   // for the student, of answers and tasks; "" for none
}

// A Change is a mark of a submission that was graded before and is graded otherwise now.
type Change struct {
	Student, Notebook, Cell string
	Before, After           *float64 // of the grader
	Manual                  *float64 // given by hand: it still counts, and is marked for review
	Another                 bool     // it is of another submission, by its time
}

// Save writes the marks of one submission in one transaction. What was given by hand stays.
// A mark given by hand is marked for review if the grader's changed, or the submission is
// another one (Submitted changed). A mark without one is reviewed if the grader gives none.
//
// The penalty is computed from the score that counts, by-hand marks included; without terms
// dates and penalty stay those of the book. Saving the same scores twice is the same as once.
func (b *Book) Save(ctx context.Context, s Scores, terms *Terms) (changes []Change, err error) {
	return b.save(ctx, s, terms, false)
}

// Merge is Save, unless the book has a later submission of the student: then the error is
// ErrOlder and nothing changes. One without a date is older than one with a date.
func (b *Book) Merge(ctx context.Context, s Scores, terms *Terms) (changes []Change, err error) {
	return b.save(ctx, s, terms, true)
}

var (
	ErrOlder  = errors.New("the book has a later submission")
	ErrScores = errors.New("the marks do not fit the assignment") // nothing was written
)

func (b *Book) save(ctx context.Context, s Scores, terms *Terms, merge bool) (changes []Change, err error) {
	if s.Student == "" {
		return nil, fmt.Errorf("gradebook: %w: a submission of %s without a student", ErrScores, s.Assignment)
	}
	err = b.write(ctx, func(c *sql.Conn) error {
		assignment, err := find(ctx, c, s.Assignment)
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, "INSERT OR IGNORE INTO student (id) VALUES (?)", s.Student); err != nil {
			return err
		}
		submission, err := upsert(ctx, c, "SELECT id FROM submitted_assignment WHERE assignment_id = ? AND student_id = ?",
			"INSERT INTO submitted_assignment (id, assignment_id, student_id) VALUES (?, ?, ?)", assignment, s.Student)
		if err != nil {
			return err
		}
		var before sql.Null[time.Time]
		if err := c.QueryRowContext(ctx, "SELECT timestamp FROM submitted_assignment WHERE id = ?", submission).Scan(&before); err != nil {
			return err
		}
		submitted := s.Submitted.Truncate(time.Microsecond) // as SQLAlchemy keeps it
		if merge && before.Valid && submitted.Before(before.V) {
			return ErrOlder
		}
		another := before.Valid && !submitted.Equal(before.V)
		_, err = c.ExecContext(ctx, "UPDATE submitted_assignment SET timestamp = ? WHERE id = ?", stamp(s.Submitted), submission)
		if err == nil {
			err = complete(ctx, c, "id", submission)
		}
		if err != nil {
			return err
		}
		marks, err := marksOf(ctx, c, submission)
		if err != nil {
			return err
		}
		if changes, err = marks.update(ctx, c, s, another); err != nil {
			return fmt.Errorf("student %s, assignment %s: %w", s.Student, s.Assignment, err)
		}
		if terms == nil {
			return nil
		}
		if err := setDue(ctx, c, assignment, *terms); err != nil {
			return err
		}
		return penalize(ctx, c, submission, *terms)
	})
	if err != nil {
		return nil, err // of changes that were taken back
	}
	return changes, nil
}

// find returns the id of an assignment.
func find(ctx context.Context, c *sql.Conn, assignment string) (id string, err error) {
	err = c.QueryRowContext(ctx, "SELECT id FROM assignment WHERE name = ?", assignment).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: there is no assignment %q: release it first", ErrScores, assignment)
	}
	return id, err
}

// A mark is a row of grade with its cell. Also of one marked by hand, for which the grader's
// word may be missing.
type mark struct {
	id           string
	byHand       bool
	auto, manual sql.Null[float64]
	review       bool
}

type marks struct {
	grades    map[[2]string]*mark  // by the names of notebook and cell
	comments  map[[2]string]string // their ids
	notebooks map[string]bool
	order     [][2]string // of grades
	graded    bool        // the grader gave a mark before
}

func marksOf(ctx context.Context, c *sql.Conn, submission string) (marks, error) {
	m := marks{grades: map[[2]string]*mark{}, comments: map[[2]string]string{}, notebooks: map[string]bool{}}
	err := queryRows(ctx, c, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		m.notebooks[name] = true
		return err
	}, notebooksOf, submission)
	if err != nil {
		return m, err
	}
	err = queryRows(ctx, c, func(rows *sql.Rows) error {
		var at [2]string
		var g mark
		err := rows.Scan(&at[0], &at[1], &g.id, &g.auto, &g.manual, &g.review, &g.byHand)
		m.grades[at], m.order, m.graded = &g, append(m.order, at), m.graded || g.auto.Valid
		return err
	}, gradesOf, submission)
	if err != nil {
		return m, err
	}
	return m, queryRows(ctx, c, func(rows *sql.Rows) error {
		var at [2]string
		var id string
		err := rows.Scan(&at[0], &at[1], &id)
		m.comments[at] = id
		return err
	}, commentsOf, submission)
}

// update writes the grader's marks and comments. another says that they are of other files
// than those of the book.
func (m marks) update(ctx context.Context, c *sql.Conn, s Scores, another bool) (changes []Change, err error) {
	scores := map[[2]string]Score{}
	handedIn := map[string]bool{}
	for _, nb := range s.Notebooks {
		if !m.notebooks[nb.Notebook] || handedIn[nb.Notebook] {
			return nil, fmt.Errorf("%w: it has no notebook %q, or there are two results of it", ErrScores, nb.Notebook)
		}
		handedIn[nb.Notebook] = true
		for _, score := range nb.Cells {
			at := [2]string{nb.Notebook, score.Cell}
			_, twice := scores[at]
			_, grade := m.grades[at]
			_, answer := m.comments[at]
			switch auto := score.Auto; {
			case twice || !grade && !answer:
				return nil, fmt.Errorf("%w: notebook %s: cell %q has two results, or none in the book: release the assignment again", ErrScores, nb.Notebook, score.Cell)
			case auto != nil && (!grade || !(*auto >= 0) || math.IsInf(*auto, 1)):
				return nil, fmt.Errorf("%w: notebook %s, cell %s: a mark of %v, want 0 or more, of a cell with points", ErrScores, nb.Notebook, score.Cell, *auto)
			case score.Comment != "" && !answer:
				return nil, fmt.Errorf("%w: notebook %s, cell %s: only answers and tasks have comments in nbgrader", ErrScores, nb.Notebook, score.Cell)
			}
			scores[at] = score
		}
	}
	for at, id := range m.comments {
		_, err := c.ExecContext(ctx, "UPDATE comment SET auto_comment = nullif(?1, '') WHERE id = ?2 AND auto_comment IS NOT nullif(?1, '')", scores[at].Comment, id)
		if err != nil {
			return nil, err
		}
	}
	for _, at := range m.order {
		g := m.grades[at]
		score, found := scores[at]
		after := sql.Null[float64]{Valid: !handedIn[at[0]]}
		switch {
		case found && score.Auto != nil:
			after = sql.Null[float64]{V: *score.Auto, Valid: true}
		case handedIn[at[0]] && !g.byHand:
			return nil, fmt.Errorf("%w: notebook %s: no mark of the tests cell %s: release the assignment again, then grade it", ErrScores, at[0], at[1])
		}
		review := !after.Valid
		if g.manual.Valid {
			review = g.review || another || after != g.auto
		}
		if after == g.auto && review == g.review {
			continue
		}
		if after != g.auto && m.graded {
			changes = append(changes, Change{s.Student, at[0], at[1], pointer(g.auto), pointer(after), pointer(g.manual), another})
		}
		if _, err := c.ExecContext(ctx, "UPDATE grade SET auto_score = ?, needs_manual_grade = ? WHERE id = ?", after, review, g.id); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// pointer is a number of the database, nil for NULL.
func pointer(v sql.Null[float64]) *float64 {
	if !v.Valid {
		return nil
	}
	return &v.V
}
