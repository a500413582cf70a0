package notebooks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/notebook/checks"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/tier"
)

// solutions returns the notebooks with the solutions of the exercises.
func solutions(t *testing.T) []string {
	files, err := filepath.Glob("solutions/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no solutions: %v", err)
	}
	return files
}

// The notebooks of exercises are those of solutions without what stands between BEGIN SOLUTION
// and END SOLUTION, and without outputs. After a change of one:
//
//	go test ./notebooks -run TestExercises -update
func TestExercises(t *testing.T) {
	t.Parallel()
	var made []string
	for _, file := range solutions(t) {
		nb := nbtest.Read(t, file)
		form(t, file, nb)
		if err := unsolve(nb); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		want, err := nb.Encode()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		to := filepath.Join("exercises", filepath.Base(file))
		made = append(made, to)
		if have, err := nbformat.Read(to); err == nil && begun(have) {
			t.Errorf("%s has answers: move it to the folder own, and restore it with git checkout", to)
			continue
		}
		if *update {
			if err := atomicfile.Write(to, want); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(to); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what %s makes (%v): go test ./notebooks -run TestExercises -update", to, file, err)
		}
	}
	if have, _ := filepath.Glob("exercises/*.ipynb"); !slices.Equal(have, made) {
		t.Errorf("the folder exercises has %v, want %v", have, made)
	}
}

// begun reports whether somebody works on the exercises: an answer is there, or a cell has run.
func begun(nb *nbformat.Notebook) bool {
	return slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool {
		return len(c.Outputs) > 0 || strings.HasPrefix(c.ID, "answer-") && !strings.Contains(c.Source, "YOUR CODE HERE")
	})
}

func TestBegun(t *testing.T) {
	nb := nbtest.Read(t, "solutions/02-least-squares.ipynb")
	if !begun(nb) {
		t.Error("the solutions are not taken for answers")
	}
	nbgrader.ClearOutputs(nb)
	if !begun(nb) {
		t.Error("the solutions are not taken for answers without their outputs")
	}
	if err := unsolve(nb); err != nil || begun(nb) {
		t.Errorf("exercises are taken for answers, or %v", err)
	}
}

// unsolve makes of solutions what readers get. A check has to fail until its exercise is
// solved, so it is tagged raises-exception.
func unsolve(nb *nbformat.Notebook) error {
	stubs := nbgrader.Go
	stubs.Parses = func(source string) bool { _, _, err := gonb.Read("", source).Parse(); return err == nil }
	if _, err := nbgrader.ClearSolutions(nb, stubs); err != nil {
		return err
	}
	nbgrader.ClearOutputs(nb)
	for _, c := range nb.Cells {
		delete(c.Metadata, "nbgrader")
		if strings.HasPrefix(c.ID, "check-") {
			c.Metadata["tags"] = []any{"raises-exception"}
		}
	}
	return nil
}

var heading = regexp.MustCompile(`^## (\d+)\. [★]{1,3} \S`)

// form wants, for each exercise N, three cells or more: exercise-N in Markdown, with its number,
// one to three stars, a name and a hint to unfold; answer-N, whose solution is marked; check-N,
// tests of the answer.
func form(t *testing.T, file string, nb *nbformat.Notebook) {
	t.Helper()
	if _, err := nb.Encode(); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	at := func(id string) *nbformat.Cell {
		k := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
		if k < 0 {
			return nil
		}
		return nb.Cells[k]
	}
	passed := strings.Fields(checks.Reword("=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\n", nil))[0]
	if !strings.Contains(nb.Cells[0].Source, "it says "+passed) {
		t.Errorf("%s: the introduction has to tell what a check says that passes: %s", file, passed)
	}
	n, most := 1, 0
	for ; at(fmt.Sprint("exercise-", n)) != nil; n++ {
		question, answer, check := at(fmt.Sprint("exercise-", n)), at(fmt.Sprint("answer-", n)), at(fmt.Sprint("check-", n))
		if answer == nil || check == nil {
			t.Errorf("%s: exercise %d has no cell answer-%[2]d, or no check-%[2]d", file, n)
			continue
		}
		if m := heading.FindStringSubmatch(question.Source); m == nil || m[1] != fmt.Sprint(n) || !strings.Contains(question.Source, "<details>") {
			t.Errorf("%s, cell %s: want \"## %d. ★ Name\" with one to three stars, and a hint in <details>", file, question.ID, n)
		}
		most = max(most, strings.Count(question.Source, "★"))
		m, err := nbgrader.Read(answer)
		if regions, bad := nbgrader.Solution.Regions(answer.Source); err != nil || bad != nil || !m.Solution || len(regions) == 0 {
			t.Errorf("%s, cell %s: want metadata.nbgrader.solution and a region from BEGIN SOLUTION to END SOLUTION", file, answer.ID)
		}
		if !strings.HasPrefix(check.Source, "%test") {
			t.Errorf("%s, cell %s: want a check that begins with %%test", file, check.ID)
		}
	}
	if hardest := " to " + strings.Repeat("★", most) + " ("; !strings.Contains(nb.Cells[0].Source, hardest) {
		t.Errorf("%s: the title does not say%s", file, hardest)
	}
	for _, c := range nb.Cells {
		if k := 0; strings.Contains(c.ID, "-") {
			if _, err := fmt.Sscanf(c.ID[strings.LastIndex(c.ID, "-")+1:], "%d", &k); err == nil && k >= n {
				t.Errorf("%s, cell %s: the exercises end with %d", file, c.ID, n-1)
			}
		}
	}
}

// Solutions pass their checks, and no check passes without its solution.
func TestSolutions(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	root := repotest.Root(t)
	files := solutions(t)
	for _, file := range files {
		files = append(files, filepath.Join("exercises", filepath.Base(file)))
	}
	all, errs := built.Notebooks(t.Context(), files, root)
	for k, b := range all {
		t.Run(strings.TrimSuffix(files[k], ".ipynb"), func(t *testing.T) {
			if errs[k] != nil {
				t.Fatal(errs[k])
			}
			defer b.Close()
			b.Test(t)
		})
	}
}
