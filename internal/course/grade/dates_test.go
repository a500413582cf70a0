package grade_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// Submissions that have not changed are not judged again, yet follow the dates of course.toml;
// a time that can't be read is said, and costs nobody else anything.
func TestDates(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	dir := folder(t, map[string]map[string]string{"ada": nil, "ben": nil, "cid": nil, "dan": nil})
	stamp := func(id, text string) {
		must.Do(t, os.WriteFile(filepath.Join(dir, "submitted", id, "ps1", "timestamp.txt"), []byte(text), 0o666))
	}
	stamp("ada", "2026-10-27 16:30:00")             // UTC, as zip_collect writes it: 17:30 in Zurich
	stamp("ben", "2026-10-27 18:30:00+01:00")       // half an hour late after a week
	stamp("cid", "2026-10-21 12:00:00.000000 CEST") // in time after a day
	stamp("dan", "2026-10-21 12:00:00 EST")
	const course = "zone = \"Europe/Zurich\"\n[late]\npolicy = \"50% per day\"\n[assignment.ps1]\n"
	for i, c := range []struct {
		settings string
		want     map[string]float64 // penalties of 6 points
	}{
		{"due = 2026-10-20T18:00:00\n", map[string]float64{"ada": 6, "ben": 6, "cid": 3}},
		{"due = 2026-10-20T18:00:00\nextensions = { ada = \"7d\", ben = \"7d\", cid = \"1d\" }\n", map[string]float64{"ada": 0, "ben": 3, "cid": 0}},
		{"due = 2026-10-20T18:00:00\nextensions = { ben = \"1w1d\" }\n", map[string]float64{"ada": 6, "ben": 0, "cid": 3}},
		{"due = 2026-10-26T18:00:00\n", map[string]float64{"ada": 3, "ben": 6, "cid": 0}}, // ben a begun second day
		{"", map[string]float64{"ada": 0, "ben": 0, "cid": 0}},
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, "course.toml"), []byte(course+c.settings), 0o666))
		all := must.Get(run(t.Context(), dir, root(t))).Or(t)
		if g := all["dan"]; g.Err == nil || !strings.Contains(g.Err.Error(), "timestamp.txt") || !strings.Contains(g.Err.Error(), "write it as") {
			t.Errorf("dan: %+v, want what is wrong with timestamp.txt", g)
		}
		book := must.Get(gradebook.Open(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
		defer book.Close()
		submissions, err := book.Submissions(t.Context(), "ps1")
		if err != nil || len(submissions) != len(c.want) {
			t.Fatalf("%d submissions, %v", len(submissions), err)
		}
		for _, s := range submissions {
			id := s.Student.ID
			if g := all[id]; g.Err != nil || g.Unchanged != (i > 0) {
				t.Errorf("%d, %s: %+v", i, id, g)
			}
			if s.Penalty() != c.want[id] {
				t.Errorf("%q: %s loses %g of %g, want %g", c.settings, id, s.Penalty(), s.Score().Total, c.want[id])
			}
		}
	}
}

// A gradebook that lost a submission, or when it came, gets both back, though nothing is judged.
func TestLostSubmission(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	dir := folder(t, map[string]map[string]string{"ada": nil, "ben": nil})
	for _, id := range []string{"ada", "ben"} {
		if err := os.WriteFile(filepath.Join(dir, "submitted", id, "ps1", "timestamp.txt"), []byte("2026-10-20 12:00:00 UTC"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	graded := func() (lines []string) {
		all, err := run(t.Context(), dir, root(t))
		if err != nil || len(all) != 2 {
			t.Fatal(all, err)
		}
		book := must.Get(gradebook.Open(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
		defer book.Close()
		submissions := must.Get(book.Submissions(t.Context(), "ps1")).Or(t)
		for _, s := range submissions {
			lines = append(lines, fmt.Sprint(s.Student.ID, all[s.Student.ID].Unchanged, s.Submitted, s.Score().Total))
		}
		return lines
	}
	graded()
	want := graded()
	db := must.Get(sql.Open("sqlite3", "file:"+filepath.Join(dir, "gradebook.db"))).Or(t)
	defer db.Close()
	const hers = "(SELECT n.id FROM submitted_notebook n JOIN submitted_assignment a ON n.assignment_id = a.id WHERE a.student_id = 'ada')"
	for _, statement := range []string{
		"DELETE FROM grade WHERE notebook_id IN " + hers,
		"DELETE FROM comment WHERE notebook_id IN " + hers,
		"DELETE FROM submitted_notebook WHERE id IN " + hers,
		"DELETE FROM submitted_assignment WHERE student_id = 'ada'",
		"UPDATE submitted_assignment SET timestamp = NULL",
	} {
		must.Get(db.ExecContext(t.Context(), statement)).Or(t)
	}
	if got := graded(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
