package gradebook

import (
	"context"
	"database/sql"
	"fmt"
)

// Assignments returns those of the book, by due date and name, as nbgrader lists them. Their
// cells are without source and checksum.
func (b *Book) Assignments(ctx context.Context) (all []Assignment, err error) {
	err = b.read(ctx, func(c *sql.Conn) error {
		return queryRows(ctx, c, func(rows *sql.Rows) error {
			var a Assignment
			var nb, kernelspec, id, kind, cellType sql.Null[string]
			var points sql.Null[float64]
			if err := rows.Scan(&a.Name, &a.Course, date{&a.Due}, &nb, &kernelspec, &id, &kind, &cellType, &points); err != nil {
				return err
			}
			if len(all) == 0 || all[len(all)-1].Name != a.Name {
				all = append(all, a)
			}
			last := &all[len(all)-1]
			if n := len(last.Notebooks); nb.Valid && (n == 0 || last.Notebooks[n-1].Name != nb.V) {
				last.Notebooks = append(last.Notebooks, Notebook{Name: nb.V, Kernelspec: kernelspec.V})
			}
			if !id.Valid {
				return nil
			}
			cells := &last.Notebooks[len(last.Notebooks)-1].Cells
			cell := cellOf(cells, id.V)
			cell.Grade = cell.Grade || kind.V == gradeCell
			cell.Solution = cell.Solution || kind.V == solutionCell
			cell.Task = cell.Task || kind.V == taskCell
			if points.Valid {
				cell.Max, cell.Type = points.V, cellType.V
			}
			return nil
		}, `SELECT a.name, a.course_id, a.duedate, n.name, n.kernelspec, b.name, b.type, coalesce(g.cell_type, t.cell_type), coalesce(g.max_score, t.max_score)
			FROM assignment a LEFT JOIN notebook n ON n.assignment_id = a.id LEFT JOIN base_cell b ON b.notebook_id = n.id
			LEFT JOIN grade_cells g ON g.id = b.id LEFT JOIN task_cells t ON t.id = b.id
			ORDER BY a.duedate, a.name, n.name, b.rowid`)
	})
	return all, err
}

func cellOf(cells *[]Cell, id string) *Cell {
	for i := range *cells {
		if (*cells)[i].ID == id {
			return &(*cells)[i]
		}
	}
	*cells = append(*cells, Cell{ID: id})
	return &(*cells)[len(*cells)-1]
}

// Students returns those of the book by last and first name, as nbgrader lists them.
func (b *Book) Students(ctx context.Context) (all []Student, err error) {
	err = b.read(ctx, func(c *sql.Conn) error {
		return queryRows(ctx, c, func(rows *sql.Rows) error {
			var s Student
			var lms string
			err := rows.Scan(&s.ID, &s.FirstName, &s.LastName, &s.Email, &lms)
			s.setLMS(lms)
			all = append(all, s)
			return err
		}, `SELECT id, coalesce(first_name, ''), coalesce(last_name, ''), coalesce(email, ''), coalesce(lms_user_id, '')
			FROM student ORDER BY last_name, first_name, id`)
	})
	return all, err
}

// SetStudents adds students, or what is known of them: an empty field leaves that of the book.
func (b *Book) SetStudents(ctx context.Context, students ...Student) error {
	return b.write(ctx, func(c *sql.Conn) error {
		for _, s := range students {
			if s.ID == "" {
				return fmt.Errorf("student %s %s has no id", s.FirstName, s.LastName)
			}
			_, err := c.ExecContext(ctx, `INSERT INTO student (id, first_name, last_name, email, lms_user_id)
				VALUES (?, nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''))
				ON CONFLICT (id) DO UPDATE SET first_name = coalesce(excluded.first_name, first_name), last_name = coalesce(excluded.last_name, last_name),
					email = coalesce(excluded.email, email), lms_user_id = coalesce(excluded.lms_user_id, lms_user_id)`,
				s.ID, s.FirstName, s.LastName, s.Email, s.stored())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Submissions returns those of an assignment with their marks, by the names of the students.
func (b *Book) Submissions(ctx context.Context, assignment string) (all []Submission, err error) {
	err = b.read(ctx, func(c *sql.Conn) error {
		return queryRows(ctx, c, func(rows *sql.Rows) error {
			var s Submission
			var nb SubmittedNotebook
			var m Mark
			var auto, manual, extra sql.Null[float64]
			var lms string
			err := rows.Scan(&s.Student.ID, &s.Student.FirstName, &s.Student.LastName, &s.Student.Email, &lms,
				date{&s.Submitted}, span{&s.Extension}, date{&s.Due}, &nb.Name, &nb.Flagged, &nb.Penalty,
				&m.Cell, &m.Type, &m.Graded, &m.Task, &m.Max, &auto, &manual, &extra, &m.NeedsHand, &m.AutoComment, &m.HandComment)
			if err != nil {
				return err
			}
			s.Student.setLMS(lms)
			if len(all) == 0 || all[len(all)-1].Student.ID != s.Student.ID {
				all = append(all, s)
			}
			notebooks := &all[len(all)-1].Notebooks
			if n := len(*notebooks); n == 0 || (*notebooks)[n-1].Name != nb.Name {
				*notebooks = append(*notebooks, nb)
			}
			cells := &(*notebooks)[len(*notebooks)-1].Cells
			m.Auto, m.Manual, m.Extra = pointer(auto), pointer(manual), pointer(extra)
			// A cell that is grade and solution has its mark in one row and its comment in another.
			for i := range *cells {
				if have := &(*cells)[i]; have.Cell == m.Cell {
					if !have.Graded {
						m.AutoComment, m.HandComment, *have = have.AutoComment, have.HandComment, m
					} else {
						have.AutoComment, have.HandComment = m.AutoComment, m.HandComment
					}
					return nil
				}
			}
			*cells = append(*cells, m)
			return nil
		}, `SELECT st.id, coalesce(st.first_name, ''), coalesce(st.last_name, ''), coalesce(st.email, ''), coalesce(st.lms_user_id, ''),
				s.timestamp, s.extension, a.duedate, n.name, coalesce(sn.flagged, 0), coalesce(sn.late_submission_penalty, 0),
				b.name, coalesce(g.cell_type, t.cell_type, ''), g.id IS NOT NULL OR t.id IS NOT NULL, t.id IS NOT NULL, coalesce(g.max_score, t.max_score, 0),
				x.auto_score, x.manual_score, x.extra_credit, coalesce(x.needs_manual_grade, 0), coalesce(k.auto_comment, ''), coalesce(k.manual_comment, '')
			FROM assignment a JOIN submitted_assignment s ON s.assignment_id = a.id JOIN student st ON st.id = s.student_id
			JOIN notebook n ON n.assignment_id = a.id JOIN submitted_notebook sn ON sn.notebook_id = n.id AND sn.assignment_id = s.id
			JOIN base_cell b ON b.notebook_id = n.id LEFT JOIN grade_cells g ON g.id = b.id LEFT JOIN task_cells t ON t.id = b.id
			LEFT JOIN grade x ON x.cell_id = b.id AND x.notebook_id = sn.id LEFT JOIN comment k ON k.cell_id = b.id AND k.notebook_id = sn.id
			WHERE a.name = ? ORDER BY st.last_name, st.first_name, st.id, n.name, b.rowid`, assignment)
	})
	return all, err
}
