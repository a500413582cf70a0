// Package celltest runs the cells of an exported notebook, each in a process
// of its own as GoNB does, and compares what they print and show with what the
// notebook holds.
//
// The package that `marginalia export` writes is one test, which builds the programs in its
// testdata (see packages cellrun and layout) and runs them for each cell:
//
//	func TestMain(m *testing.M) {
//		celltest.StarterMain()
//		os.Exit(m.Run())
//	}
//
//	func TestNotebook(t *testing.T) { celltest.Run(t, "testdata/01-perceptron.ipynb", "../notebooks") }
//
// Cells run in parallel, except those that may touch files, ports or processes (see package
// effects): these run in the notebook's order, so that what passes on the kernel passes here.
package celltest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
)

// Run is the body of an exported package's test: it builds the programs of the
// package in the working directory, and runs a subtest for each cell of the
// notebook in file, which is a copy of that in the folder home. Cells find there what lies beside
// the notebook; if it is not there, they run in the folder of the copy.
func Run(t *testing.T, file, home string) {
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	packages, err := layout.All(".", func(dir string) string {
		return filepath.Join(tmp, strings.ReplaceAll(filepath.ToSlash(dir), "/", "-"))
	})
	if err != nil {
		t.Fatal(err)
	}
	var builds errgroup.Group
	for _, p := range packages {
		builds.Go(func() error { return p.Build(t.Context()) })
	}
	if err := builds.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := NewSuite(file, nb, packages)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.in(home); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.Test(t)
	neverCached(t)
}

// ranFile is a file in the package's testdata that is new whenever its test has run.
const ranFile = "testdata/ran"

// neverCached has `go test` run the test anew each time. What its result depends on the go command
// can't know: packages that it does not link, and whatever the cells read. A result is
// not kept if the test has read a file that is younger than two seconds.
func neverCached(t *testing.T) {
	if err := os.WriteFile(ranFile, nil, 0o644); err != nil {
		t.Log("the result of this test may come from the cache the next time: ", err)
	}
}

// Test runs the suite: a subtest for each cell, named by its id. Those that may touch the outside
// run in the notebook's order, all others in parallel behind them.
// Cells that can't be tested are skipped, and counted in the log.
func (s *Suite) Test(t *testing.T) {
	untestable := make(chan string, len(s.runs))
	t.Run("cells", func(t *testing.T) {
		for _, id := range s.IDs() {
			t.Run(id, func(t *testing.T) {
				if !s.byID[id].cell.Outside {
					t.Parallel()
				}
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

// RunAll runs the cells with these ids, as many at a time as there are processors, and of those that
// may touch the outside one at a time. It returns what came of each in the order of ids, and calls
// ended after each, one call at a time, with the cell's place in ids. When the context is done it
// begins no further cell.
func (s *Suite) RunAll(ctx context.Context, ids []string, ended func(i int, r Result)) []Result {
	results := make([]Result, len(ids))
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	run := func(i int) {
		if ctx.Err() != nil {
			return
		}
		r := s.Run(ctx, ids[i])
		mu.Lock()
		defer mu.Unlock()
		results[i] = r
		ended(i, r)
	}
	var ordered, free []int
	for i, id := range ids {
		if s.byID[id].cell.Outside {
			ordered = append(ordered, i)
		} else {
			free = append(free, i)
		}
	}
	pool.Go(func() error {
		for _, i := range ordered {
			run(i)
		}
		return nil
	})
	for _, i := range free {
		pool.Go(func() error {
			run(i)
			return nil
		})
	}
	pool.Wait()
	return results
}
