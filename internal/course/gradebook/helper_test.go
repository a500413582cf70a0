package gradebook

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/testkit/must"
)

// ps1 is an assignment with every kind of cell: two notebooks, 7 points of code, 3 of words,
// 2 of a figure (code, by hand), 4 of a task.
func ps1() Assignment {
	return Assignment{
		Name: "ps1",
		Due:  time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
		Notebooks: []Notebook{{
			Name:       "perceptron",
			Kernelspec: `{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}`,
			Cells: []Cell{
				{ID: "given", Type: "markdown", Locked: true, Source: "# Perceptron"},
				{ID: "rule", Type: "code", Solution: true, Source: "func Rule() {}"},
				{ID: "rule-test", Type: "code", Grade: true, Locked: true, Max: 4, Source: "%test", Checksum: "d41d8cd98f00b204e9800998ecf8427e"},
				{ID: "bound", Type: "markdown", Grade: true, Solution: true, Max: 3},
				{ID: "figure", Type: "code", Grade: true, Solution: true, Max: 2},
			},
		}, {
			Name: "pocket",
			Cells: []Cell{
				{ID: "rule-test", Type: "code", Grade: true, Locked: true, Max: 3},
				{ID: "essay", Type: "markdown", Task: true, Locked: true, Max: 4},
			},
		}},
	}
}

// scores are those of a submission of ps1 with these marks of the two tests cells.
func scores(student string, rule, pocket float64) Scores {
	return Scores{Assignment: "ps1", Student: student, Notebooks: []NotebookScores{
		{"perceptron", []Score{{Cell: "rule-test", Auto: &rule}, {Cell: "rule", Comment: "The rule adds y·x."}}},
		{"pocket", []Score{{Cell: "rule-test", Auto: &pocket}}},
	}}
}

// created is a new book with ps1.
func created(t *testing.T) *Book {
	t.Helper()
	b := must.Get(Create(t.Context(), filepath.Join(t.TempDir(), "gradebook.db"))).Or(t)
	t.Cleanup(func() { b.Close() })
	must.Do(t, b.SetAssignment(t.Context(), ps1()))
	return b
}

func save(t *testing.T, b *Book, s Scores) []Change {
	t.Helper()
	return must.Get(b.Save(t.Context(), s, nil)).Or(t)
}

// formgrader changes one row, as nbgrader's formgrader does.
func formgrader(t *testing.T, b *Book, statement string, args ...any) {
	t.Helper()
	result := must.Get(b.db.ExecContext(t.Context(), statement, args...)).Or(t)
	if n, _ := result.RowsAffected(); n != 1 {
		t.Fatalf("%s: %d rows, want 1", statement, n)
	}
}

// marksOfStudent returns the marks of a student's submission, by notebook/cell, as JSON.
func marksOfStudent(t *testing.T, b *Book, student string) map[string]string {
	t.Helper()
	all, err := b.Submissions(t.Context(), "ps1")
	at := slices.IndexFunc(all, func(s Submission) bool { return s.Student.ID == student })
	if err != nil || at < 0 {
		t.Fatalf("%d submissions, %v; want one of %s", len(all), err, student)
	}
	marks := map[string]string{}
	for _, nb := range all[at].Notebooks {
		for _, m := range nb.Cells {
			text, _ := json.Marshal([]any{m.Auto, m.Manual, m.Extra, m.NeedsHand, m.AutoComment, m.HandComment})
			marks[nb.Name+"/"+m.Cell] = string(text)
		}
	}
	return marks
}

func wantMarks(t *testing.T, b *Book, want map[string]string) {
	t.Helper()
	got := marksOfStudent(t, b, "ada")
	for at, mark := range want {
		if got[at] != mark {
			t.Errorf("%s: auto, manual, extra, needs hand, comments: %s; want %s", at, got[at], mark)
		}
	}
}

// dump is all that the database holds.
func dump(t *testing.T, b *Book) string {
	t.Helper()
	var text strings.Builder
	for _, table := range []string{"course", "student", "assignment", "notebook", "base_cell", "grade_cells", "solution_cells", "task_cells", "source_cell", "submitted_assignment", "submitted_notebook", "grade", "comment", "alembic_version"} {
		rows := must.Get(b.db.Query("SELECT * FROM " + table + " ORDER BY 1")).Or(t)
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(sql.NullString)
			}
			must.Do(t, rows.Scan(row...))
			fmt.Fprint(&text, table)
			for _, v := range row {
				fmt.Fprintf(&text, " %v", *v.(*sql.NullString))
			}
			fmt.Fprintln(&text)
		}
		rows.Close()
	}
	return text.String()
}
