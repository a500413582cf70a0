package gradebook

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/formgrade"
	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

//go:embed peer.py
var peer string

// A peerProcess is the pinned nbgrader's Python, which runs peer.py from its first visit to the end
// of the test, since a start takes a second.
type peerProcess struct {
	python, home string
	visits       *json.Encoder
	answers      *json.Decoder
	said         bytes.Buffer
}

func nbgrader(t *testing.T) *peerProcess {
	t.Helper()
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	p := &peerProcess{python: python, home: t.TempDir()}
	cmd := p.command("-I", "-W", "ignore", "-c", peer)
	cmd.Stderr = &p.said
	in := must.Get(cmd.StdinPipe()).Or(t)
	out := must.Get(cmd.StdoutPipe()).Or(t)
	p.visits, p.answers = json.NewEncoder(in), json.NewDecoder(out)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Errorf("nbgrader's Python: %v\n%s", err, &p.said)
		}
	})
	return p
}

func (p *peerProcess) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.python, args...)
	cmd.Dir = p.home
	cmd.Env = append(os.Environ(), "HOME="+p.home, "PATH="+filepath.Dir(p.python)+":"+os.Getenv("PATH")) // it runs alembic
	return cmd
}

// visit opens a book in nbgrader's API, does what peer.py does for these verbs, and returns what is read, as JSON.
func (p *peerProcess) visit(t *testing.T, path string, verbs ...string) (found json.RawMessage) {
	t.Helper()
	must.Do(t, p.visits.Encode(append([]string{path}, verbs...)))
	if err := p.answers.Decode(&found); err != nil {
		t.Fatalf("%q: %v", verbs, err)
	}
	return found
}

// run runs a command of nbgrader and returns what it prints.
func (p *peerProcess) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := p.command(append([]string{"-I", "-m", "nbgrader"}, args...)...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		t.Fatalf("%q: %v\n%s", args, err, failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// whatWeRead is our reading of ps1 in the form in which peer.py prints nbgrader's.
func whatWeRead(t *testing.T, b *Book) string {
	t.Helper()
	all := must.Get(b.Submissions(t.Context(), "ps1")).Or(t)
	assignments := must.Get(b.Assignments(t.Context())).Or(t)
	ps1 := assignments[slices.IndexFunc(assignments, func(a Assignment) bool { return a.Name == "ps1" })]
	date := func(d time.Time) string {
		if d.IsZero() {
			return "None"
		}
		return strings.TrimSuffix(d.Format("2006-01-02 15:04:05.000000"), ".000000") // as Python prints it
	}
	submissions := map[string]any{}
	for _, s := range all {
		score, most := s.Score(), ps1.Max()
		points := []float64{score.Total, most.Total, score.Code, most.Code, score.Written, most.Written, score.Task, most.Task}
		flagged, grades, comments := []string{}, map[string]any{}, map[string]any{}
		null := func(s string) any {
			if s == "" {
				return nil
			}
			return s
		}
		for _, nb := range s.Notebooks {
			if nb.Flagged {
				flagged = append(flagged, nb.Name)
			}
			for _, m := range nb.Cells {
				if at := nb.Name + "/" + m.Cell; m.Graded {
					grades[at] = []any{m.Auto, m.Manual, m.Extra, m.Score(), m.Max, m.NeedsHand, m.Type}
				}
				if at := nb.Name + "/" + m.Cell; !strings.HasSuffix(m.Cell, "-test") { // tests have no comment
					comments[at] = []any{null(m.AutoComment), null(m.HandComment)}
				}
			}
		}
		submissions[s.Student.ID] = map[string]any{
			"points": points, "listed": points, "needs_manual_grade": s.NeedsHand(), "penalty": s.Penalty(), "late": s.Late().Seconds(),
			"timestamp": date(s.Submitted), "flagged": flagged, "grades": grades, "comments": comments,
		}
	}
	mean := Average(all)
	return canonical(t, map[string]any{"due": date(ps1.Due), "average": []float64{mean.Total, mean.Code, mean.Written, mean.Task}, "submissions": submissions})
}

// canonical is v as indented JSON with sorted keys; v may be JSON already.
func canonical(t *testing.T, v any) string {
	t.Helper()
	if text, ok := v.(json.RawMessage); ok {
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
	}
	text := must.Get(json.MarshalIndent(v, "", " ")).Or(t)
	return string(text)
}

// What nbgrader and we read of one book is the same: dates, marks, comments, flags, and the
// sums and averages that formgrader shows. Marks are multiples of 1/4: sums are exact.
func same(t *testing.T, p *peerProcess, b *Book) {
	t.Helper()
	theirs, ours := strings.Split(canonical(t, p.visit(t, b.path, "read")), "\n"), strings.Split(whatWeRead(t, b), "\n")
	for i := range min(len(theirs), len(ours)) {
		if theirs[i] != ours[i] {
			t.Errorf("line %d: nbgrader reads\n%s\nwe read\n%s", i, strings.Join(theirs[max(0, i-8):i+1], "\n"), strings.Join(ours[max(0, i-8):i+1], "\n"))
			return
		}
	}
	if len(theirs) != len(ours) {
		t.Errorf("nbgrader reads %d lines, we %d", len(theirs), len(ours))
	}
}

// nbgrader opens what we wrote, reads what we read, and marks by hand in it; its commands
// work on it.
func TestNbgraderReadsOurs(t *testing.T) {
	p := nbgrader(t)
	b := created(t)
	if err := b.SetStudents(t.Context(), Student{ID: "ada", FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.org"}); err != nil {
		t.Fatal(err)
	}
	for i, student := range []string{"ada", "müller", "o'hara \"x\"", "z"} {
		s := scores(student, float64(i), 2.75)
		if i > 0 {
			s.Submitted = ps1().Due.Add(time.Duration(i)*time.Hour - 90*time.Minute)
		}
		terms := hourly()
		if i > 2 {
			terms.Extensions = map[string]time.Duration{student: 20 * time.Minute}
			s.Notebooks = s.Notebooks[:1]
		}
		must.Get(b.Save(t.Context(), s, terms)).Or(t)
	}
	same(t, p, b)
	p.visit(t, b.path, "ada")
	same(t, p, b)
	if changes := save(t, b, scores("ada", 3.5, 2.75)); len(changes) != 1 {
		t.Errorf("changes %v, want that of one mark", changes)
	}
	same(t, p, b)
	if got := marksOfStudent(t, b, "ada")["perceptron/bound"]; got != `[null,2,0.5,false,"","nearly"]` {
		t.Errorf("marks given by hand in nbgrader: %s", got)
	}

	list := p.run(t, "db", "student", "list", "--db", "sqlite:///"+b.path)
	if !strings.Contains(list, "ada (Lovelace, Ada) -- ada@example.org") {
		t.Errorf("nbgrader db student list prints\n%s", list)
	}
	csv := filepath.Join(t.TempDir(), "grades.csv")
	p.run(t, "export", "--db", "sqlite:///"+b.path, "--to", csv)
	if text, err := os.ReadFile(csv); err != nil || strings.Count(string(text), "ps1,2026-11-01 12:00:00") != 4 {
		t.Errorf("nbgrader export writes, %v:\n%s", err, text)
	}
	booktest.Sound(t, b.path)
}

// We open what nbgrader made, in the same schema, and grade in it.
func TestWeReadNbgraders(t *testing.T) {
	p := nbgrader(t)
	path := filepath.Join(t.TempDir(), "gradebook.db")
	p.visit(t, path, "make")
	b := must.Get(Open(t.Context(), path)).Or(t)
	defer b.Close()
	same(t, p, b)
	if got, want := tablesOf(t, b), tablesOf(t, created(t)); got != want {
		t.Errorf("nbgrader's tables are\n%s\nours\n%s", got, want)
	}
	students, err := b.Students(t.Context())
	if want := "[{müller      } {ada Ada Lovelace ada@example.org 17  }]"; err != nil || fmt.Sprint(students) != want {
		t.Errorf("students %v, %v; want %s", students, err, want)
	}
	s := scores("ada", 4, 3)
	s.Submitted = time.Date(2026, 11, 2, 12, 0, 0, 250_000, time.UTC) // as peer.py has it
	must.Get(b.Save(t.Context(), s, hourly())).Or(t)
	same(t, p, b)
	if got := marksOfStudent(t, b, "ada")["perceptron/bound"]; got != `[null,2,0.5,false,"","nearly"]` {
		t.Errorf("marks given by hand in nbgrader: %s", got)
	}
	// A release with another cell: nbgrader refuses that once there are submissions.
	a := ps1()
	a.Notebooks[0].Cells = append(a.Notebooks[0].Cells, Cell{ID: "more-test", Type: "code", Grade: true, Max: 1})
	must.Do(t, b.SetAssignment(t.Context(), a))
	same(t, p, b)
}

// tablesOf describes the columns, keys and indices of every table.
func tablesOf(t *testing.T, b *Book) string {
	t.Helper()
	var all []string
	for _, pragma := range []string{"table_info", "foreign_key_list", "index_list"} {
		columns := map[string]string{
			"table_info":       "x.cid || ' ' || x.name || ' ' || x.type || ' ' || x.\"notnull\" || ' ' || x.pk",
			"foreign_key_list": "x.\"from\" || ' ' || x.\"table\" || ' ' || x.\"to\" || ' ' || x.on_delete",
			"index_list":       "x.\"unique\" || ' ' || x.origin || (SELECT group_concat(i.name) FROM pragma_index_info(x.name) i)",
		}[pragma]
		rows, err := b.db.Query("SELECT m.name || ' ' || " + columns + " FROM sqlite_master m JOIN pragma_" + pragma + "(m.name) x WHERE m.type = 'table'")
		must.Do(t, err)
		for rows.Next() {
			var line string
			must.Do(t, rows.Scan(&line))
			all = append(all, pragma+" "+line)
		}
	}
	slices.Sort(all)
	if len(all) < 60 {
		t.Fatalf("%d lines, want one per column, key and index of 14 tables", len(all))
	}
	return strings.Join(all, "\n")
}

// An assistant marks in formgrader while we grade: both sides' marks are there in the end.
func TestNbgraderWritesToo(t *testing.T) {
	p := nbgrader(t)
	b := created(t)
	const students = 25
	var ids []string
	for i := range students {
		ids = append(ids, fmt.Sprint("s", i))
		save(t, b, scores(ids[i], 1, 1))
	}
	ours := make(chan error)
	go func() {
		var err error
		for round := range 8 {
			for _, id := range ids {
				if _, again := b.Save(t.Context(), scores(id, float64(round), 2), nil); err == nil {
					err = again
				}
			}
		}
		ours <- err
	}()
	p.visit(t, b.path, ids...)
	if err := <-ours; err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		marks := marksOfStudent(t, b, id)
		if marks["perceptron/rule-test"] != `[7,null,null,false,"",""]` || marks["perceptron/bound"] != `[null,2,0.5,false,"","nearly"]` {
			t.Errorf("%s has %v", id, marks)
		}
	}
	same(t, p, b)
}
