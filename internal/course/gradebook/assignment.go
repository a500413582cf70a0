package gradebook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrByHand is the error of a change that would lose marks or comments given by hand.
var ErrByHand = errors.New("marks or comments given by hand would be lost")

// SetAssignment makes the book have this assignment with these notebooks and cells, in one
// transaction. A due date that is zero leaves the one of the book.
//
// Submissions that are there get a mark, still to be given, for each new cell. A cell or
// notebook that the assignment no longer has goes with its marks; if one was given by hand,
// or a comment, the error is ErrByHand and nothing changes.
func (b *Book) SetAssignment(ctx context.Context, a Assignment) error {
	if err := a.validate(); err != nil {
		return err
	}
	return b.write(ctx, func(c *sql.Conn) error {
		if a.Course == "" {
			a.Course = "default_course"
		}
		if _, err := c.ExecContext(ctx, "INSERT OR IGNORE INTO course (id) VALUES (?)", a.Course); err != nil {
			return err
		}
		_, err := c.ExecContext(ctx, `INSERT INTO assignment (id, name, duedate, course_id) VALUES (?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET duedate = coalesce(excluded.duedate, duedate)`, newID(), a.Name, stamp(a.Due), a.Course)
		if err != nil {
			return err
		}
		var id string
		if err := c.QueryRowContext(ctx, "SELECT id FROM assignment WHERE name = ?", a.Name).Scan(&id); err != nil {
			return err
		}
		old, err := notebooks(ctx, c, id)
		if err != nil {
			return err
		}
		for _, nb := range a.Notebooks {
			if err := setNotebook(ctx, c, id, nb, old[nb.Name]); err != nil {
				return err
			}
			delete(old, nb.Name)
		}
		for name, cells := range old {
			if err := removeNotebook(ctx, c, id, name, cells); err != nil {
				return err
			}
		}
		return complete(ctx, c, "assignment_id", id)
	})
}

// A row is a base_cell.
type row struct{ id, name, kind string }

// notebooks returns the cells that the book has of each notebook of an assignment.
func notebooks(ctx context.Context, c *sql.Conn, assignment string) (map[string][]row, error) {
	found := map[string][]row{}
	return found, queryRows(ctx, c, func(rows *sql.Rows) error {
		var name string
		var id, cell, kind sql.NullString
		if err := rows.Scan(&name, &id, &cell, &kind); err != nil {
			return err
		}
		if found[name] = append(found[name], row{id.String, cell.String, kind.String}); !id.Valid {
			found[name] = []row{}
		}
		return nil
	}, `SELECT n.name, b.id, b.name, b.type FROM notebook n LEFT JOIN base_cell b ON b.notebook_id = n.id
		WHERE n.assignment_id = ?`, assignment)
}

// setNotebook writes a notebook and its cells over old, the cells that it has in the book.
func setNotebook(ctx context.Context, c *sql.Conn, assignment string, nb Notebook, old []row) error {
	id, err := upsert(ctx, c, "SELECT id FROM notebook WHERE name = ? AND assignment_id = ?",
		"INSERT INTO notebook (id, name, assignment_id) VALUES (?, ?, ?)", nb.Name, assignment)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "UPDATE notebook SET kernelspec = ? WHERE id = ?", nb.Kernelspec, id); err != nil {
		return err
	}
	there := map[[2]string]string{}
	for _, r := range old {
		there[[2]string{r.name, r.kind}] = r.id
	}
	if _, err := c.ExecContext(ctx, "DELETE FROM source_cell WHERE notebook_id = ?", id); err != nil {
		return err
	}
	for _, cell := range nb.Cells {
		for _, kind := range cell.kinds() {
			key := [2]string{cell.ID, kind}
			base := there[key]
			delete(there, key)
			if base == "" {
				base = newID()
				_, err := c.ExecContext(ctx, "INSERT INTO base_cell (id, name, notebook_id, type) VALUES (?, ?, ?, ?)", base, cell.ID, id, kind)
				if err != nil {
					return err
				}
			}
			var err error
			switch kind {
			case solutionCell:
				_, err = c.ExecContext(ctx, "INSERT OR IGNORE INTO solution_cells (id) VALUES (?)", base)
			default:
				_, err = c.ExecContext(ctx, "INSERT OR REPLACE INTO "+tables[kind]+" (id, max_score, cell_type) VALUES (?, ?, ?)", base, cell.Max, cell.Type)
			}
			if err != nil {
				return err
			}
		}
		_, err := c.ExecContext(ctx, "INSERT INTO source_cell (id, name, cell_type, locked, source, checksum, notebook_id) VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?)",
			newID(), cell.ID, cell.Type, cell.Locked, cell.Source, cell.Checksum, id)
		if err != nil {
			return err
		}
	}
	for key, base := range there {
		if err := removeCell(ctx, c, nb.Name, row{base, key[0], key[1]}); err != nil {
			return err
		}
	}
	return nil
}

// tables says in which table a kind of cell has its own columns.
var tables = map[string]string{gradeCell: "grade_cells", solutionCell: "solution_cells", taskCell: "task_cells"}

// removeCell removes a cell with the marks and comments that the grader gave on it.
func removeCell(ctx context.Context, c *sql.Conn, notebook string, r row) error {
	var byHand int
	err := c.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM grade WHERE cell_id = ?1 AND (manual_score IS NOT NULL OR extra_credit IS NOT NULL)) +
		(SELECT count(*) FROM comment WHERE cell_id = ?1 AND manual_comment IS NOT NULL)`, r.id).Scan(&byHand)
	if err != nil {
		return err
	}
	if byHand > 0 {
		return fmt.Errorf("notebook %s no longer has cell %s: %w (%d)", notebook, r.name, ErrByHand, byHand)
	}
	for _, statement := range []string{
		"DELETE FROM grade WHERE cell_id = ?",
		"DELETE FROM comment WHERE cell_id = ?",
		"DELETE FROM " + tables[r.kind] + " WHERE id = ?",
		"DELETE FROM base_cell WHERE id = ?",
	} {
		if _, err := c.ExecContext(ctx, statement, r.id); err != nil {
			return err
		}
	}
	return nil
}

func removeNotebook(ctx context.Context, c *sql.Conn, assignment, name string, cells []row) error {
	for _, r := range cells {
		if err := removeCell(ctx, c, name, r); err != nil {
			return err
		}
	}
	const id = "(SELECT id FROM notebook WHERE assignment_id = ? AND name = ?)"
	for _, statement := range []string{
		"DELETE FROM source_cell WHERE notebook_id = " + id,
		"DELETE FROM submitted_notebook WHERE notebook_id = " + id,
		"DELETE FROM notebook WHERE id = " + id,
	} {
		if _, err := c.ExecContext(ctx, statement, assignment, name); err != nil {
			return err
		}
	}
	return nil
}

// complete gives submissions the rows that they lack: of notebooks, and of marks and
// comments on their cells. nbgrader makes them all with the submission. The submissions are
// those whose column (id or assignment_id) has this value.
func complete(ctx context.Context, c *sql.Conn, column, value string) error {
	for _, missing := range lacking {
		var pairs [][2]string
		err := queryRows(ctx, c, func(rows *sql.Rows) error {
			var pair [2]string
			err := rows.Scan(&pair[0], &pair[1])
			pairs = append(pairs, pair)
			return err
		}, missing.find+" AND a."+column+" = ?", value)
		for _, pair := range pairs {
			if err == nil {
				_, err = c.ExecContext(ctx, missing.insert, newID(), pair[0], pair[1])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
