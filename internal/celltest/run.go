package celltest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"marginalia/internal/nbformat"
)

// Run is the body of an exported package's test: a subtest for each of the
// cells, which are those of the notebook in file or some of them.
func Run(t *testing.T, file string, cells []Cell) {
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here := map[string]bool{}
	for _, c := range cells {
		here[c.ID] = true
	}
	var kept []*nbformat.Cell
	for _, c := range nb.Cells {
		if here[c.ID] {
			kept = append(kept, c)
		}
	}
	nb.Cells = kept
	s, err := NewSuite(file, nb, []Package{{Dir: ".", Binary: binary, Cells: cells}})
	if err != nil {
		t.Fatal(err)
	}
	s.Test(t)
}

// Test runs the suite: a subtest for each cell, named by its id, in parallel.
// Cells that can't be tested are skipped, and counted in the log.
func (s *Suite) Test(t *testing.T) {
	untestable := make(chan string, len(s.runs))
	t.Run("cells", func(t *testing.T) {
		for _, id := range s.IDs() {
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				res := s.Run(t.Context(), id)
				if res.Untestable {
					untestable <- id
				}
				if res.Skipped != "" {
					t.Skip(res.Skipped)
				}
				for _, f := range res.Failures {
					t.Error(f)
				}
			})
		}
	})
	close(untestable)
	var names []string
	for id := range untestable {
		names = append(names, id)
	}
	if flag.Lookup("test.run").Value.String() == "" {
		t.Logf("%d code cells, %d not testable %s", len(s.runs), len(names), strings.Join(names, ", "))
	}
}
