// Package celltest runs the cells of an exported notebook, each in a process
// of its own as GoNB does, and compares what they print and show with what the
// notebook holds.
//
// The package that `marginalia export` writes is a program (see package
// cellrun), cells.json, and one test, which builds the program and runs it for
// each cell:
//
//	func TestNotebook(t *testing.T) { celltest.Run(t, "testdata/01-perceptron.ipynb") }
package celltest

import (
	"context"
	"flag"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/exported"
	"marginalia/internal/nbformat"
)

// Run is the body of an exported package's test: it builds the program of the
// package in the working directory, and runs a subtest for each of its cells,
// which are those of the notebook in file or some of them.
func Run(t *testing.T, file string) {
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := exported.Open(".", filepath.Join(t.TempDir(), exported.ProgramFile))
	if err == nil {
		err = p.Build(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *nbformat.Cell) bool {
		return !slices.ContainsFunc(p.Cells, func(own exported.Cell) bool { return own.ID == c.ID })
	})
	s, err := NewSuite(file, nb, []exported.Package{p})
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
				for _, w := range res.Warnings {
					t.Log("warning: " + w)
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

// RunAll runs the cells with these ids, as many at a time as there are
// processors, and returns what came of each in the order of ids. It calls ended
// after each, one call at a time, with the cell's place in ids. When the context
// is done it begins no further cell.
func (s *Suite) RunAll(ctx context.Context, ids []string, ended func(i int, r Result)) []Result {
	results := make([]Result, len(ids))
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	for i, id := range ids {
		if ctx.Err() != nil {
			break
		}
		pool.Go(func() error {
			r := s.Run(ctx, id)
			mu.Lock()
			defer mu.Unlock()
			results[i] = r
			ended(i, r)
			return nil
		})
	}
	pool.Wait()
	return results
}
