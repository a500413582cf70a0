package assignments

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/tier"
)

// Wrong submissions of the kinds that students make get the marks that the table in each
// of them claims. testdata/README.md describes the table.
func TestWrong(t *testing.T) {
	tier.Long(t)
	each(t, func(t *testing.T, _ *course.Course, a *release.Assignment) {
		tables, err := filepath.Glob(filepath.Join("testdata", a.Name, "*.txtar"))
		if err != nil || len(tables) < 12 {
			t.Errorf("%d wrong submissions, want a dozen: %v", len(tables), err)
		}
		s := take(t, a.Notebooks[0].Source) // none has two
		for _, table := range tables {
			t.Run(strings.TrimSuffix(filepath.Base(table), ".txtar"), func(t *testing.T) { s.mark(t, table) })
		}
	})
}

// mark judges the submission of a table, and compares.
func (s *sheet) mark(t *testing.T, table string) {
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	marks, answers := "", map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		if f.Name == "marks" {
			marks = string(f.Data)
		} else if !slices.ContainsFunc(s.questions, func(q question) bool { return slices.Contains(q.answers, f.Name) }) {
			t.Errorf("%s is no answer cell", f.Name)
		} else {
			answers[f.Name] = string(f.Data)
		}
	}
	want := map[string]float64{}
	for line := range strings.Lines(marks) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, why, _ := strings.Cut(strings.TrimSpace(rest), " ")
		mark, err := strconv.ParseFloat(number, 64)
		at := slices.IndexFunc(s.questions, func(q question) bool { return q.tests == id })
		if err != nil || at < 0 || strings.TrimSpace(why) == "" || mark >= s.questions[at].points {
			t.Errorf("marks: %q: want a tests cell, marks below its points, and why", line)
		}
		want[id] = mark
	}
	together := s.build(t, s.with(answers))
	for _, q := range s.questions {
		// A question whose own answers are the solutions gets its points with the solutions of the others.
		got, own := q.points, map[string]string{}
		for _, id := range q.answers {
			if answer, ok := answers[id]; ok {
				own[id] = answer
			}
		}
		words := ""
		if len(own) > 0 {
			got, words = q.mark(t, together)
			if got < q.points && len(own) < len(answers) {
				if alone, how := q.mark(t, s.build(t, s.with(own))); alone > got {
					got, words = alone, how
				}
			}
		}
		full, listed := want[q.tests]
		if !listed {
			full = q.points
		}
		if math.Abs(got-full) > 1e-9 {
			t.Errorf("%s: %g of %g points, the table says %g\n%s", q.tests, got, q.points, full, words)
		}
	}
}

// mark returns what p earns of the question's points, and what its failed checks say.
func (q question) mark(t *testing.T, p *compiled) (points float64, words string) {
	if p == nil {
		return 0, "does not compile"
	}
	passed := 0
	for _, check := range q.checks {
		if p.passes(t, check) {
			passed++
		} else {
			words += fmt.Sprintf("%s: %s\n", check, p.said)
		}
	}
	if q.shared {
		return q.points * float64(passed) / float64(len(q.checks)), words
	}
	if passed < len(q.checks) {
		return 0, words
	}
	return q.points, ""
}
