package gradebook

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
	b, err := Create(t.Context(), filepath.Join(t.TempDir(), "gradebook.db"))
	if err == nil {
		err = b.SetAssignment(t.Context(), ps1())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func save(t *testing.T, b *Book, s Scores) []Change {
	t.Helper()
	changes, err := b.Save(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// formgrader does what it does to the database.
func formgrader(t *testing.T, b *Book, statement string, args ...any) {
	t.Helper()
	result, err := b.db.ExecContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
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

// A first grading gives the tests their marks, and leaves the rest to be marked by hand.
func TestSave(t *testing.T) {
	b := created(t)
	if changes := save(t, b, scores("ada", 2.5, 3)); len(changes) != 0 {
		t.Errorf("changes %v of a submission that is graded for the first time", changes)
	}
	wantMarks(t, b, map[string]string{
		"perceptron/rule":      `[null,null,null,false,"The rule adds y·x.",""]`,
		"perceptron/rule-test": `[2.5,null,null,false,"",""]`,
		"perceptron/bound":     `[null,null,null,true,"",""]`,
		"perceptron/figure":    `[null,null,null,true,"",""]`,
		"pocket/rule-test":     `[3,null,null,false,"",""]`,
		"pocket/essay":         `[null,null,null,true,"",""]`,
	})
	all, _ := b.Submissions(t.Context(), "ps1")
	if got, want := all[0].Score(), (Points{5.5, 5.5, 0, 0}); got != want || !all[0].NeedsHand() {
		t.Errorf("score %v, needs hand %v; want %v, true", got, all[0].NeedsHand(), want)
	}
	// The points of ps1, counted by hand.
	if got, want := ps1().Max(), (Points{16, 9, 3, 4}); got != want {
		t.Errorf("points of the assignment %v, want %v", got, want)
	}
	assignments, err := b.Assignments(t.Context())
	if err != nil || len(assignments) != 1 || assignments[0].Max() != ps1().Max() || !assignments[0].Due.Equal(ps1().Due) {
		t.Errorf("the book has %+v, %v; want ps1 with its points and date", assignments, err)
	}
}

// Marks, extra credit, comments and flags given in formgrader survive grading again. A mark
// is to be reviewed when the grader's changed, or other files were handed in: nbgrader asks
// for it each time, also when nothing is new.
func TestByHandStays(t *testing.T) {
	b := created(t)
	first := scores("ada", 2, 0)
	first.Submitted = time.Date(2026, 10, 30, 8, 0, 0, 123456789, time.UTC)
	save(t, b, first)
	const cell = "(SELECT b.id FROM base_cell b JOIN notebook n ON n.id = b.notebook_id WHERE n.name = 'perceptron' AND b.name = ? AND b.type = ?)"
	formgrader(t, b, "UPDATE grade SET manual_score = 3, extra_credit = 0.5, needs_manual_grade = 0 WHERE cell_id = "+cell, "rule-test", gradeCell)
	formgrader(t, b, "UPDATE grade SET manual_score = 1, needs_manual_grade = 0 WHERE cell_id = "+cell, "bound", gradeCell)
	formgrader(t, b, "UPDATE comment SET manual_comment = 'nearly' WHERE cell_id = "+cell, "bound", solutionCell)
	formgrader(t, b, "UPDATE submitted_notebook SET flagged = 1 WHERE notebook_id = (SELECT id FROM notebook WHERE name = 'pocket')")

	save(t, b, first)
	wantMarks(t, b, map[string]string{
		"perceptron/rule-test": `[2,3,0.5,false,"",""]`,
		"perceptron/bound":     `[null,1,null,false,"","nearly"]`,
	})

	// The tests were mended: the same files get 4.
	mended := scores("ada", 4, 0)
	mended.Submitted = first.Submitted
	changes := save(t, b, mended)
	if text, _ := json.Marshal(changes); string(text) != `[{"Student":"ada","Notebook":"perceptron","Cell":"rule-test","Before":2,"After":4,"Manual":3}]` {
		t.Errorf("changes %s", text)
	}
	wantMarks(t, b, map[string]string{
		"perceptron/rule-test": `[4,3,0.5,true,"",""]`,
		"perceptron/bound":     `[null,1,null,false,"","nearly"]`,
	})

	// Other files, whose answer without words is marked 0 by the grader.
	again := scores("ada", 4, 0)
	again.Submitted = first.Submitted.Add(time.Hour)
	again.Notebooks[0].Cells = append(again.Notebooks[0].Cells, Score{Cell: "figure", Auto: new(float64), Comment: "No response."})
	save(t, b, again)
	wantMarks(t, b, map[string]string{
		"perceptron/bound":  `[null,1,null,true,"","nearly"]`,
		"perceptron/figure": `[0,null,null,false,"No response.",""]`,
	})
	all, _ := b.Submissions(t.Context(), "ps1")
	if s := all[0]; !s.Notebooks[1].Flagged && !s.Notebooks[0].Flagged {
		t.Error("the flag is gone")
	} else if got := s.Score().Total; got != 4.5 { // 3 + 0.5 by hand, 1 by hand
		t.Errorf("score %v, want 4.5", got)
	}
}

// dump is all that the database holds.
func dump(t *testing.T, b *Book) string {
	t.Helper()
	var text strings.Builder
	for _, table := range []string{"course", "student", "assignment", "notebook", "base_cell", "grade_cells", "solution_cells", "task_cells", "source_cell", "submitted_assignment", "submitted_notebook", "grade", "comment", "alembic_version"} {
		rows, err := b.db.Query("SELECT * FROM " + table + " ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(sql.NullString)
			}
			if err := rows.Scan(row...); err != nil {
				t.Fatal(err)
			}
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

// Twice is the same as once, down to the ids.
func TestSaveTwice(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 2, 1))
	once := dump(t, b)
	if changes := save(t, b, scores("ada", 2, 1)); len(changes) > 0 {
		t.Errorf("changes %v", changes)
	}
	if twice := dump(t, b); twice != once {
		t.Errorf("after the second time:\n%s\nafter the first:\n%s", twice, once)
	}
	if !strings.Contains(once, "comment {") || !strings.Contains(once, "The rule adds") {
		t.Errorf("no comments in\n%s", once)
	}
}

// A notebook that was not handed in has 0 points, and nothing to be marked by hand.
func TestMissingNotebook(t *testing.T) {
	b := created(t)
	s := scores("ada", 4, 0)
	s.Notebooks = s.Notebooks[:1]
	save(t, b, s)
	wantMarks(t, b, map[string]string{
		"pocket/rule-test": `[0,null,null,false,"",""]`,
		"pocket/essay":     `[0,null,null,false,"",""]`,
	})
}

// Scores that do not fit the assignment change nothing, and the word names the cell.
func TestRefusedScores(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 1, 1))
	before := dump(t, b)
	for want, spoil := range map[string]func(*Scores){
		`no assignment "ps2"`:         func(s *Scores) { s.Assignment = "ps2" },
		`without a student`:           func(s *Scores) { s.Student = "" },
		`notebook "kernels"`:          func(s *Scores) { s.Notebooks[1].Notebook = "kernels" },
		`notebook "perceptron"`:       func(s *Scores) { s.Notebooks[1] = s.Notebooks[0] },
		`cell "rule-tests"`:           func(s *Scores) { s.Notebooks[0].Cells[0].Cell = "rule-tests" },
		`no mark of the tests cell r`: func(s *Scores) { s.Notebooks[1].Cells = nil },
		`two results`:                 func(s *Scores) { s.Notebooks[0].Cells[1].Cell = "rule-test" },
		`a mark of NaN`:               func(s *Scores) { *s.Notebooks[1].Cells[0].Auto -= 0; *s.Notebooks[1].Cells[0].Auto = nan() },
		`a mark of -1`:                func(s *Scores) { *s.Notebooks[0].Cells[0].Auto = -1 },
		`only answers and tasks`:      func(s *Scores) { s.Notebooks[0].Cells[0].Comment = "no" },
		`of a cell with points`:       func(s *Scores) { s.Notebooks[0].Cells[1].Auto = new(float64) },
	} {
		s := scores("bob", 2, 2)
		spoil(&s)
		if _, err := b.Save(t.Context(), s, nil); !errors.Is(err, ErrScores) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want ErrScores with %q", err, want)
		}
		if after := dump(t, b); after != before {
			t.Fatalf("%s: the book changed:\n%s\nbefore:\n%s", want, after, before)
		}
	}
}

func nan() float64 { var zero float64; return zero / zero }

// A book of another version is refused with what to do; what is no book is refused too.
func TestOpen(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want that the file is not there", err)
	}
	if _, err := Create(t.Context(), filepath.Join(t.TempDir(), "no", "folder.db")); err == nil {
		t.Error("made a book in a folder that is not there")
	}
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), text); err == nil || !strings.Contains(err.Error(), "not an SQLite database") {
		t.Errorf("error %v", err)
	}
	for statement, want := range map[string]string{
		"UPDATE alembic_version SET version_num = '167914646830'": "nbgrader db upgrade",
		"DELETE FROM alembic_version":                             "nbgrader db upgrade",
		"UPDATE alembic_version SET version_num = 'abcdef'":       "newer nbgrader",
	} {
		b := created(t)
		formgrader(t, b, statement)
		b.Close()
		if _, err := Create(t.Context(), b.path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", statement, err, want)
		}
	}
	// Letters that mean something in the name of an SQLite file.
	for _, name := range []string{"übung #1?mode=memory.db", "100%41.db", "a b;c&d.db"} {
		path := filepath.Join(t.TempDir(), name)
		b, err := Create(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b.Close()
		if b, err = Open(t.Context(), path); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b.Close()
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: not there, or empty: %v", name, err)
		}
	}
}

// Cells come and go between two releases. Submissions follow, and nothing that was given by
// hand is lost.
func TestSetAssignmentAgain(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 2, 1))
	a := ps1()
	a.Due = time.Time{}
	a.Notebooks[0].Cells[2].Max = 5
	a.Notebooks[0].Cells = append(a.Notebooks[0].Cells[:4], Cell{ID: "novikoff-test", Type: "code", Grade: true, Max: 1}) // the figure goes
	if err := b.SetAssignment(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	got := marksOfStudent(t, b, "ada")
	if got["perceptron/rule-test"] != `[2,null,null,false,"",""]` || got["perceptron/novikoff-test"] != `[null,null,null,true,"",""]` || got["perceptron/figure"] != "" {
		t.Errorf("marks %v", got)
	}
	all, _ := b.Assignments(t.Context())
	if got, want := all[0].Max(), (Points{16, 9, 3, 4}); got != want { // 5+3+1 of code
		t.Errorf("points %v, want %v", got, want)
	}
	if !all[0].Due.Equal(ps1().Due) {
		t.Errorf("due %v, want the date of the book", all[0].Due)
	}

	formgrader(t, b, "UPDATE comment SET manual_comment = 'good' WHERE cell_id = (SELECT id FROM base_cell WHERE name = 'essay')")
	before := dump(t, b)
	a.Notebooks = a.Notebooks[:1] // the notebook with the essay goes
	if err := b.SetAssignment(t.Context(), a); !errors.Is(err, ErrByHand) || !strings.Contains(err.Error(), "essay") {
		t.Errorf("error %v, want that a comment on essay would be lost", err)
	}
	if after := dump(t, b); after != before {
		t.Errorf("the book changed:\n%s\nbefore:\n%s", after, before)
	}
	formgrader(t, b, "UPDATE comment SET manual_comment = NULL WHERE manual_comment = 'good'")
	if err := b.SetAssignment(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got := marksOfStudent(t, b, "ada"); len(got) != 4 || strings.Contains(dump(t, b), "pocket") {
		t.Errorf("marks %v, want those of perceptron alone", got)
	}
}

// What is known of a student is kept where nothing new is said.
func TestStudents(t *testing.T) {
	b := created(t)
	ctx := t.Context()
	err := errors.Join(
		b.SetStudents(ctx, Student{ID: "müller", FirstName: "Jörg", LMS: "17"}, Student{"ada", "Ada", "Lovelace", "ada@x.org", ""}),
		b.SetStudents(ctx, Student{ID: "müller", LastName: "Müller"}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Students(ctx)
	if want := "[{ada Ada Lovelace ada@x.org } {müller Jörg Müller  17}]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("students %v, %v; want %s", got, err, want)
	}
	if b.SetStudents(ctx, Student{FirstName: "nobody"}) == nil {
		t.Error("took a student without an id")
	}
}

// perHour takes a point an hour.
type perHour struct{}

func (perHour) Penalty(_ string, _ float64, late time.Duration) float64 { return late.Hours() }

// Penalties follow the extension and the marks given by hand, and are at most the score.
func TestPenalties(t *testing.T) {
	b := created(t)
	s := scores("ada", 4, 1)
	s.Submitted = ps1().Due.Add(2 * time.Hour)
	penalties := func(want float64) {
		t.Helper()
		all, err := b.Submissions(t.Context(), "ps1")
		if err != nil || all[0].Penalty() != want {
			t.Errorf("penalty %v, %v; want %v", all[0].Penalty(), err, want)
		}
		if final := all[0].Final(); final != all[0].Score().Total-want {
			t.Errorf("in the end %v points of %v", final, all[0].Score().Total)
		}
	}
	if _, err := b.Save(t.Context(), s, perHour{}); err != nil {
		t.Fatal(err)
	}
	penalties(2 + 1) // of 4 points, and of 1
	formgrader(t, b, "UPDATE grade SET manual_score = 3 WHERE cell_id = (SELECT id FROM base_cell WHERE name = 'essay')")
	save(t, b, s)
	penalties(2 + 1) // no policy leaves them alone
	if err := b.Penalize(t.Context(), "ps1", perHour{}); err != nil {
		t.Fatal(err)
	}
	penalties(2 + 2)
	hour := 90 * time.Minute
	s.Extension = &hour
	if _, err := b.Save(t.Context(), s, perHour{}); err != nil {
		t.Fatal(err)
	}
	penalties(0.5 + 0.5)
	s.Extension = nil // is kept
	s.Submitted = ps1().Due
	if _, err := b.Save(t.Context(), s, perHour{}); err != nil {
		t.Fatal(err)
	}
	penalties(0)
	all, _ := b.Submissions(t.Context(), "ps1")
	if all[0].Extension != hour {
		t.Errorf("extension %v, want %v", all[0].Extension, hour)
	}
}

// Several writers at the same time, each of which opens the file on its own and makes it if
// none has yet, lose nothing.
func TestWritersTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gradebook.db")
	const writers, each = 4, 6
	failed := make(chan error, writers)
	for w := range writers {
		go func() {
			own, err := Create(t.Context(), path)
			if err != nil {
				failed <- err
				return
			}
			err = own.SetAssignment(t.Context(), ps1())
			for k := 0; err == nil && k < each; k++ {
				_, err = own.Save(t.Context(), scores(fmt.Sprintf("s%d", k), float64(k%5), float64(w)), nil)
			}
			failed <- errors.Join(err, own.Close())
		}()
	}
	for range writers {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	all, err := b.Submissions(t.Context(), "ps1")
	if err != nil || len(all) != each {
		t.Fatalf("%d submissions, %v; want %d", len(all), err, each)
	}
}

// A writer waits for a lock that another program has, and stops waiting when it is told to.
func TestWaits(t *testing.T) {
	b := created(t)
	other, err := Open(t.Context(), b.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	saved := make(chan error)
	go func() { _, err := b.Save(ctx, scores("ada", 1, 1), nil); saved <- err }()
	stop := errors.New("stop")
	cancel(stop)
	if err := <-saved; !errors.Is(err, stop) {
		t.Errorf("error %v, want the cause of the end", err)
	}
	go func() { _, err := b.Save(t.Context(), scores("ada", 1, 1), nil); saved <- err }()
	select {
	case err := <-saved:
		t.Errorf("saved, with error %v, while another had the lock", err)
	case <-time.After(300 * time.Millisecond): // longer than SQLite waits by itself
	}
	if _, err := other.db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-saved; err != nil {
		t.Error(err)
	}
}

// A full disk leaves the book as it was: SQLite says so of a file that may not grow.
func TestFullDisk(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 1, 1))
	before := dump(t, b)
	if _, err := b.db.Exec("PRAGMA max_page_count = 1"); err != nil { // the least is what it has
		t.Fatal(err)
	}
	s := scores("bob", 2, 2)
	s.Notebooks[0].Cells[1].Comment = strings.Repeat("long ", 100_000)
	if _, err := b.Save(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("error %v, want that the disk is full", err)
	}
	if after := dump(t, b); after != before {
		t.Error("the book changed")
	}
	if _, err := b.db.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	save(t, b, s)
}

// No query that saving one submission makes reads all rows of a table that grows with the
// submissions: 3,000 of them took 47 ms each, 300 took 2, before the joins had an order.
func TestQueriesUseKeys(t *testing.T) {
	b := created(t)
	queries := []string{notebooksOf, gradesOf, commentsOf, scoresOf}
	for _, l := range lacking {
		queries = append(queries, l.find+" AND a.id = ?")
	}
	for _, query := range queries {
		rows, err := b.db.Query("EXPLAIN QUERY PLAN "+query, "x")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			// a, s, g, k are rows of submissions; n and b of assignments; x is always found by a key.
			if small := strings.HasPrefix(step, "SCAN n") || strings.HasPrefix(step, "SCAN b"); strings.HasPrefix(step, "SCAN") && !small || strings.Contains(step, "AUTOMATIC") && !strings.HasPrefix(step, "SEARCH b") {
				t.Errorf("%s\n%s", step, query)
			}
		}
		rows.Close()
	}
}
