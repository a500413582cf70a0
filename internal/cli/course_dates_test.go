package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/platforms"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// finalsOf are what students get, by what course export counts.
func finalsOf(ctx context.Context, t must.TB, dir string) string {
	m := must.Get(countedMarks(ctx, opened(t, dir), []string{"ps1"})).Or(t)
	var text strings.Builder
	for _, s := range m.Assignments[0].InOrder() {
		fmt.Fprintln(&text, s.Student.ID, s.Due, s.Extension, s.Penalty(), s.Final())
	}
	return text.String()
}

func opened(t must.TB, dir string) *course.Course {
	c := must.Get(course.Open(dir)).Or(t)
	return c
}

// Dates come from course.toml alone: after any edits of it, with grading and exports in
// between, the marks are those of a new gradebook that is graded once by the last course.toml.
func TestDatesFollowCourseToml(t *testing.T) {
	handed := map[string]time.Time{ // summer time ends on 25 October
		"ada": time.Date(2026, 10, 24, 15, 0, 0, 0, time.UTC),
		"ben": time.Date(2026, 10, 26, 17, 30, 0, 0, time.UTC),
		"cid": {},
		"dan": time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
	}
	ids := []string{"ada", "ben", "cid", "dan"}
	// grade does what course grade does with submissions that are new, or were judged before.
	grade := func(t *rapid.T, ctx context.Context, dir string, students []string) {
		co := opened(t, dir)
		book := must.Get(gradebook.Create(ctx, co.Gradebook())).Or(t)
		defer book.Close()
		err := book.SetAssignment(ctx, gradebook.Assignment{Name: "ps1", Notebooks: []gradebook.Notebook{{Name: "ps1", Cells: []gradebook.Cell{{ID: "q", Type: "code", Grade: true, Max: 5}}}}})
		if err == nil {
			_, err = platforms.Penalize(ctx, book, co, "ps1")
		}
		terms, err2 := platforms.Terms(co, "ps1")
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for _, id := range students {
			points := float64(1 + len(id))
			s := gradebook.Scores{Assignment: "ps1", Student: id, Submitted: handed[id], Notebooks: []gradebook.NotebookScores{{Notebook: "ps1", Cells: []gradebook.Score{{Cell: "q", Auto: &points}}}}}
			must.Get(book.Save(ctx, s, terms)).Or(t)
		}
	}
	property.Check(t, func(t *rapid.T) {
		dir, fresh := made(t), made(t)
		defer os.RemoveAll(dir)
		defer os.RemoveAll(fresh)
		edit := func() (text string) {
			pick := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "setting") }
			text = "zone = \"Europe/Zurich\"\n[late]\n" + pick("", "grace = \"15m\"\n", "grace = \"2d\"\n") +
				pick("", "policy = \"zero\"\n", "policy = \"10% per day\"\n", "policy = \"1% per hour, at most 50%\"\n")
			if due := pick("", "[assignment.ps1]\n", "[assignment.ps1]\ndue = 2026-10-23T18:00:00\n", "[assignment.ps1]\ndue = 2026-10-24T18:00:00\n"); due != "" {
				text += due
				if strings.Contains(due, "due") {
					text += pick("", "extensions = { ben = \"2d\" }\n", "extensions = { ben = \"1d\", dan = 2026-11-01T18:00:00 }\n")
				}
			}
			return text
		}
		settings := ""
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			settings = edit()
			write(t, dir, settings)
			if rapid.Bool().Draw(t, "graded") {
				grade(t, context.Background(), dir, ids[:rapid.IntRange(0, 4).Draw(t, "students")])
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, "gradebook.db")); err == nil {
				finalsOf(context.Background(), t, dir)
			}
		}
		grade(t, context.Background(), dir, nil)
		before := len(finalsOf(context.Background(), t, dir))
		if before == 0 || rapid.Bool().Draw(t, "all") {
			grade(t, context.Background(), dir, ids)
		}
		got := finalsOf(context.Background(), t, dir)
		write(t, fresh, settings)
		for _, id := range ids {
			if strings.Contains(got, id) {
				grade(t, context.Background(), fresh, []string{id})
			}
		}
		if want := finalsOf(context.Background(), t, fresh); got != want {
			t.Fatalf("%s\nafter edits:\n%s\nat once:\n%s", settings, got, want)
		}
	})
}

func made(t *rapid.T) string {
	dir := must.Get(os.MkdirTemp("", "dates-")).Or(t)
	return dir
}

func write(t *rapid.T, dir, settings string) {
	must.Do(t, os.WriteFile(filepath.Join(dir, "course.toml"), []byte(settings), 0o666))
}

// What nbgrader's tools have set no longer counts where there is a course.toml, and that is
// said, once. Without course.toml theirs are the dates and penalties.
func TestDatesOfNbgrader(t *testing.T) {
	dir := t.TempDir()
	writeBelow(t, dir, "nbgrader_config.py", "")
	lateBook(t, dir, "ada")
	co := opened(t, dir)
	book := must.Get(gradebook.Open(t.Context(), co.Gradebook())).Or(t)
	defer book.Close()
	late := course.Settings{Zone: time.UTC, Late: course.Policy{Zero: true}}
	due := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	if _, err := book.Penalize(t.Context(), "ps1", gradebook.Terms{Due: due, Extensions: map[string]time.Duration{"ada": time.Hour}, Late: late}); err != nil {
		t.Fatal(err)
	}
	if got, want := finalsOf(t.Context(), t, dir), fmt.Sprintln("ada", due, "1h0m0s", "4", "0"); got != want {
		t.Errorf("without course.toml: %swant %s", got, want)
	}
	writeBelow(t, dir, "course.toml", "zone = \"Europe/Zurich\"\n[late]\npolicy = \"zero\"\n")
	for i, want := range []string{"no longer due on 2026-11-01 13:00 CET", ""} {
		var said bytes.Buffer
		must.Do(t, penalize(t.Context(), &said, book, opened(t, dir), "ps1"))
		if text := said.String(); (text == "") != (want == "") || want != "" && (!strings.Contains(text, want) || !strings.Contains(text, "longer count: ada")) {
			t.Errorf("call %d says %q, want %q", i, text, want)
		}
	}
	if got := finalsOf(t.Context(), t, dir); !strings.HasSuffix(got, "0s 0 4\n") {
		t.Errorf("with course.toml: %s", got)
	}
	// An extension of nobody is one that somebody does not get: the id may be mistyped.
	writeBelow(t, dir, "course.toml", "[assignment.ps1]\ndue = 2026-11-01T12:00:00\nextensions = { ada = \"1d\", adda = \"1d\" }\n")
	var said bytes.Buffer
	if err := penalize(t.Context(), &said, book, opened(t, dir), "ps1"); err != nil || !strings.HasSuffix(said.String(), "whom the gradebook does not have: adda\n") {
		t.Errorf("%v, %q", err, said.String())
	}
}
