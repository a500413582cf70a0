// Package celltests runs every code cell of a lecture as a Go test, in a process of its own. Each
// lecture has a package below, named after its notebook, so that go test runs only those again that
// have changed or call what has.
//
//	go test ./notebooks/celltests/...                                                  all of them
//	go test ./notebooks/celltests/01-perceptron                                        one lecture
//	go test ./notebooks/celltests/01-perceptron -run TestLecture/cells/novikoff-bound  one cell
//	go test ./notebooks/celltests/01-perceptron -run TestLecture/figures               its figures
//
// After an edit a cell runs whose program the edit changes. Of the others of the lecture what they showed is
// kept in the user's cache (celltest.Store) and compared anew. With -count, and where CI is set, all run.
package celltests

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"marginalia/datasets"
	"marginalia/internal/base/setup"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/gotest/figures"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// Main runs the tests of a lecture's package.
func Main(m *testing.M) {
	celltest.StarterMain()
	os.Exit(reads.Short(m).Run())
}

// Test runs each cell of the notebook that the package's folder is named after. The cells leave
// their figures: they are those that figures.sum records, or at least those stored in the
// notebook, pixel by pixel.
func Test(t *testing.T) {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root, file := filepath.Join(folder, "..", "..", ".."), filepath.Join("..", "..", filepath.Base(folder)+".ipynb")
	c, err := figures.New(t.TempDir(), figures.Options{Formats: []string{"svg", "png"}, Lacks: func(need string) string { return lacks(t, need) }})
	if err != nil {
		t.Fatal(err)
	}
	b, err := built.Notebook(t.Context(), file, root)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := c.Expect(b); err != nil {
		t.Fatal(err)
	}
	// A cell learns all of MNIST with both cores, and other packages are tested meanwhile.
	b.Timeout = 8 * time.Minute
	if !allRun() {
		dir, err := setup.Cache()
		if err != nil {
			t.Fatal(err)
		}
		b.Store = &celltest.Store{Dir: filepath.Join(dir, "cells"), Built: b.Around, Folder: func(id string) string { return c.Folder(b, id) },
			Same: func() bool { return b.Same(t.Context(), root) }}
		defer b.Store.Close()
	}
	b.Test(t)
	t.Run("figures", func(t *testing.T) {
		if err := c.Add(t.Context(), file, b); err != nil {
			t.Error(err)
		}
		if err := c.Move(); err != nil {
			t.Fatal(err)
		}
		changes, err := c.Check(filepath.Join("..", "..", "figures.sum"), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, ch := range changes {
			t.Errorf("%s: %s", ch.Name, ch.Why)
		}
		if t.Failed() {
			t.Log("to see them: go run . figures --check; to record them: go run . figures --update")
		}
	})
}

// allRun reports whether nothing is to be taken from what cells showed before.
func allRun() bool {
	asked := os.Getenv("CI") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.count" })
	return asked
}

// lacks says why what a cell needs is not here: all of MNIST is for the tier long.
func lacks(t *testing.T, need string) string {
	switch {
	case need != "mnist":
		return ""
	case !tier.IsLong(t):
		return "it takes minutes: MARGINALIA_TEST=long go test -timeout 40m ./notebooks/celltests/..."
	case !datasets.HaveMNIST():
		t.Error("a cell needs MNIST, which is not on this machine: run the lecture once with a network, or set MARGINALIA_DATA")
	}
	return ""
}
