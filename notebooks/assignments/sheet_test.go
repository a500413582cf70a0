package assignments

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/export"
	"marginalia/internal/nbformat"
	"marginalia/internal/program"
)

// A sheet is a lecturer's notebook, taken apart.
type sheet struct {
	cells     []*nbformat.Cell
	source    map[string]string // of answer and tests cells, by grade_id
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

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// open reads a notebook, and lists its checks by running the solution.
func open(t *testing.T, file string) *sheet {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{cells: nb.Cells, source: map[string]string{}, checker: program.NewChecker(root, root), root: root}
	var q question
	for _, c := range nb.Cells {
		meta, _ := c.Metadata["nbgrader"].(map[string]any)
		id, _ := meta["grade_id"].(string)
		switch {
		case c.Type != "code" || meta["solution"] == meta["grade"]: // text, given, or marked by hand
			continue
		case meta["solution"] == true:
			q.answers = append(q.answers, id)
		default:
			number, _ := meta["points"].(json.Number)
			credit, _ := c.Setting("credit")
			q.tests, q.shared = id, credit == "subtests"
			if q.points, err = number.Float64(); err != nil || len(q.answers) == 0 {
				t.Fatalf("%s: points %v for the answers %v", id, meta["points"], q.answers)
			}
			s.questions, q = append(s.questions, q), question{}
		}
		s.source[id] = c.Source
	}
	solution := s.build(t, nil)
	if solution == nil {
		t.Fatal("the solution does not compile")
	}
	for i, q := range s.questions {
		for _, f := range testFunc.FindAllStringSubmatch(s.source[q.tests], -1) {
			if !solution.passes(t, f[1]) {
				t.Errorf("the solution fails %s: %s", f[1], solution.said)
			}
			names := regexp.MustCompile(`(?m)^    --- PASS: (\S+)`).FindAllStringSubmatch(solution.said, -1)
			if len(names) == 0 {
				names = [][]string{f}
			}
			for _, n := range names {
				s.questions[i].checks = append(s.questions[i].checks, n[1])
			}
		}
	}
	return s
}

// build compiles the notebook with some cells replaced, as the kernel would a %test cell at
// its end. It returns nil if that does not compile.
func (s *sheet) build(t *testing.T, with map[string]string) *compiled {
	session := program.NewSession(".")
	for _, c := range s.cells {
		if c.Type != "code" {
			continue
		}
		source, ok := with[c.ID]
		if !ok {
			source = c.Source
		}
		session.Remember(session.Step(c.ID, source))
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
	out, err := exec.CommandContext(t.Context(), b.file, "-test.v", "-test.timeout=10s", "-test.run="+pattern).CombinedOutput()
	b.said = string(out)
	return err == nil && strings.Contains(b.said, "--- PASS: "+check)
}

// strip replaces the lines of a cell from each BEGIN of a region to its END.
func strip(source, region string, with ...string) string {
	var kept []string
	inside := false
	for line := range strings.Lines(source) {
		switch text := strings.TrimSpace(line); text {
		case "// BEGIN " + region:
			inside = true
			for _, w := range with {
				kept = append(kept, strings.Replace(line, text, w, 1))
			}
		case "// END " + region:
			inside = false
		default:
			if !inside {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "")
}
