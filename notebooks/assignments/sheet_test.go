package assignments

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/export"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
	"marginalia/internal/program"
)

// A sheet is a lecturer's notebook, taken apart.
type sheet struct {
	cells     []*nbformat.Cell
	questions []question
	checker   *program.Checker
	root      string
}

// A question is a tests cell, with the answer cells between it and the tests cell before it.
type question struct {
	tests   string
	answers []string
	points  float64
	shared  bool     // by the checks that pass; otherwise it takes all of them
	checks  []string // TestX, or TestX/name where it has subtests
}

var (
	testFunc  = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	passedSub = regexp.MustCompile(`(?m)^    --- PASS: (\S+)`)
)

// take takes a notebook apart, and lists its checks by running the solution.
func take(t *testing.T, nb *nbformat.Notebook) *sheet {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{cells: nb.Cells, checker: program.NewChecker(root, root), root: root}
	solution := s.build(t, nb.Cells)
	if solution == nil {
		t.Fatal("the solution does not compile")
	}
	var q question
	for _, c := range nb.Cells {
		m, err := nbgrader.Read(c)
		if err != nil {
			t.Fatal(err)
		}
		switch m.Kind() {
		case nbgrader.Answer:
			q.answers = append(q.answers, m.ID)
		case nbgrader.Tests:
			credit, _ := c.Setting("credit")
			q.tests, q.points, q.shared = m.ID, m.Points, credit == "subtests"
			for _, f := range testFunc.FindAllStringSubmatch(c.Source, -1) {
				if !solution.passes(t, f[1]) {
					t.Errorf("the solution fails %s: %s", f[1], solution.said)
				}
				names := passedSub.FindAllStringSubmatch(solution.said, -1)
				if len(names) == 0 {
					names = [][]string{f}
				}
				for _, n := range names {
					q.checks = append(q.checks, n[1])
				}
			}
			s.questions, q = append(s.questions, q), question{}
		}
	}
	return s
}

// with returns the cells, with some answers in place of the lecturer's.
func (s *sheet) with(answers map[string]string) []*nbformat.Cell {
	cells := slices.Clone(s.cells)
	for i, c := range cells {
		if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Answer {
			if source, ok := answers[m.ID]; ok {
				cells[i] = &nbformat.Cell{ID: c.ID, Type: c.Type, Source: source}
			}
		}
	}
	return cells
}

// build compiles the code cells of a notebook, as the kernel would a %test cell at its
// end. It returns nil if that does not compile.
func (s *sheet) build(t *testing.T, cells []*nbformat.Cell) *compiled {
	session := program.NewSession(".")
	for _, c := range cells {
		if c.Type == "code" {
			session.Remember(session.Step(c.ID, c.Source))
		}
	}
	p := session.Step("all", "%test")
	if err := s.checker.Check(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if !p.Compiles {
		t.Log(p.Errors)
		return nil
	}
	dir := t.TempDir()
	if err := export.WriteModule(dir, s.root); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main_test.go"), []byte(p.File().Text), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &compiled{file: filepath.Join(dir, "tests")}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", b.file)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return b
}

// A compiled submission is a program of tests.
type compiled struct {
	file, said string // what the last check said
}

// passes runs a check in a process of its own: a panic or an endless loop ends no other.
func (b *compiled) passes(t *testing.T, check string) bool {
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(check), "/", "$/^") + "$"
	out, err := exec.CommandContext(t.Context(), b.file, "-test.v", "-test.timeout=30s", "-test.run="+pattern).CombinedOutput()
	b.said = string(out)
	return err == nil && strings.Contains(b.said, "--- PASS: "+check)
}
