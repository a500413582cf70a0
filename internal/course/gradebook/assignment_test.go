package gradebook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/testkit/must"
)

// A book of another version is refused with what to do; what is no book is refused too.
func TestOpen(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want that the file is not there", err)
	}
	if _, err := Create(t.Context(), filepath.Join(t.TempDir(), "no", "folder.db")); err == nil {
		t.Error("made a book in a folder that is not there")
	}
	text := filepath.Join(t.TempDir(), "text.db")
	must.Do(t, os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o666))
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
	must.Do(t, b.SetAssignment(t.Context(), a))
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
	must.Do(t, b.SetAssignment(t.Context(), a))
	if got := marksOfStudent(t, b, "ada"); len(got) != 4 || strings.Contains(dump(t, b), "pocket") {
		t.Errorf("marks %v, want those of perceptron alone", got)
	}
}

// What is known of a student is kept where nothing new is said.
func TestStudents(t *testing.T) {
	b := created(t)
	ctx := t.Context()
	err := errors.Join(
		b.SetStudents(ctx, Student{ID: "müller", FirstName: "Jörg", LMS: "17"}, Student{"ada", "Ada", "Lovelace", "ada@x.org", "", "10001", Participant}, Student{ID: "zoe", LMS: "a:42", LMSSort: IDNumber}, Student{ID: "zz", LMS: "urn:x"}),
		b.SetStudents(ctx, Student{ID: "müller", LastName: "Müller"}, Student{ID: "zoe", LastName: "Z"}, Student{ID: "zz", LastName: "Zz"}))
	must.Do(t, err)
	got, err := b.Students(ctx)
	if want := "[{ada Ada Lovelace ada@x.org  10001 participant} {müller Jörg Müller  17  } {zoe  Z  a:42  idnumber} {zz  Zz  urn:x  }]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("students %v, %v; want %s", got, err, want)
	}
	if b.SetStudents(ctx, Student{FirstName: "nobody"}) == nil {
		t.Error("took a student without an id")
	}
}

// perHour takes a point an hour.
type perHour struct{}

func (perHour) Penalty(_ float64, due, submitted time.Time) float64 {
	return submitted.Sub(due).Hours()
}

// hourly are terms by which ps1 is due when its due date says.
func hourly() *Terms { return &Terms{Due: ps1().Due, Late: perHour{}} }

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
	must.Get(b.Save(t.Context(), s, hourly())).Or(t)
	penalties(2 + 1) // of 4 points, and of 1
	formgrader(t, b, "UPDATE grade SET manual_score = 3 WHERE cell_id = (SELECT id FROM base_cell WHERE name = 'essay')")
	save(t, b, s)
	penalties(2 + 1) // no policy leaves them alone
	penalize := func(terms Terms) (gone Terms) {
		t.Helper()
		gone = must.Get(b.Penalize(t.Context(), "ps1", terms)).Or(t)
		return gone
	}
	penalize(*hourly())
	penalties(2 + 2)
	longer := hourly()
	longer.Extensions = map[string]time.Duration{"ada": 90 * time.Minute, "ben": time.Hour}
	must.Get(b.Save(t.Context(), s, longer)).Or(t)
	penalties(0.5 + 0.5)
	if gone := penalize(*hourly()); len(gone.Extensions) != 1 || gone.Extensions["ada"] != 90*time.Minute || !gone.Due.IsZero() {
		t.Errorf("gone %+v, want ada's extension", gone)
	}
	penalties(2 + 2)
	penalize(*longer)
	penalties(0.5 + 0.5)
	s.Submitted = ps1().Due
	save(t, b, s) // without terms
	penalties(0.5 + 0.5)
	if gone := penalize(Terms{Late: perHour{}}); !gone.Due.Equal(ps1().Due) {
		t.Errorf("gone %+v, want the due date", gone)
	}
	penalties(0)
	all, _ := b.Submissions(t.Context(), "ps1")
	if all[0].Extension != 0 || !all[0].Due.IsZero() {
		t.Errorf("due %v, extension %v, want none", all[0].Due, all[0].Extension)
	}
	if _, err := b.Penalize(t.Context(), "ps9", Terms{}); !errors.Is(err, ErrScores) {
		t.Errorf("error %v of an assignment that is not there", err)
	}
}
