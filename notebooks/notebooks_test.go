// Package notebooks tests the lectures: every code cell of every notebook in
// this folder runs as a Go test, in a process of its own.
//
//	go test ./notebooks                                                        all of them
//	go test ./notebooks -run TestNotebooks/01-perceptron                       one lecture
//	go test ./notebooks -run TestNotebooks/01-perceptron/cells/novikoff-bound  one cell
//	go test ./notebooks -run TestNotebooks/figures                             the figures
//	go test ./notebooks -bench .                                               against the kernel
package notebooks

import (
	"flag"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/datasets"
	"marginalia/internal/base/repo"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/figures"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/tier"
)

const index = "00-index.ipynb"

func lectures(t testing.TB) []string {
	files, err := repo.Lectures("..")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = filepath.Base(file)
	}
	return files
}

// notebooks returns the lectures by file, in their order, without the index.
func notebooks(t testing.TB) iter.Seq2[string, *nbformat.Notebook] {
	t.Helper()
	return func(yield func(string, *nbformat.Notebook) bool) {
		for _, file := range lectures(t) {
			if file == index {
				continue
			}
			nb := nbtest.Read(t, file)
			if !yield(file, nb) {
				return
			}
		}
	}
}

// Every cell runs once, and leaves its figures: they are those that figures.sum records, or
// at least those stored in the notebooks, pixel by pixel.
func TestNotebooks(t *testing.T) {
	t.Parallel() // its builds wait for one another, and leave room for the other tests
	root := repotest.Root(t)
	dir := t.TempDir()
	c, err := figures.New(dir, figures.Options{Formats: []string{"svg", "png"}, Lacks: func(need string) string { return lacks(t, need) }})
	if err != nil {
		t.Fatal(err)
	}
	builds, failed := map[string]*built.Build{}, map[string]error{}
	build := func(sub *testing.T, file string) *built.Build {
		if builds[file] == nil && failed[file] == nil {
			files := []string{file}
			if flag.Lookup("test.run").Value.String() == "" { // all will be asked for
				files = lectures(t)
			}
			made, errs := built.Notebooks(t.Context(), files, root)
			for i, b := range made {
				if builds[files[i]], failed[files[i]] = b, errs[i]; b != nil {
					t.Cleanup(func() { b.Close() })
					// A cell learns all of MNIST with both cores, and other packages are tested meanwhile.
					b.Timeout = 8 * time.Minute
					failed[files[i]] = c.Expect(b)
				}
			}
		}
		if err := failed[file]; err != nil {
			sub.Fatal(err)
		}
		return builds[file]
	}
	for _, file := range lectures(t) {
		t.Run(strings.TrimSuffix(file, ".ipynb"), func(t *testing.T) { build(t, file).Test(t) })
	}
	t.Run("figures", func(t *testing.T) {
		for _, file := range lectures(t) {
			if err := c.Add(t.Context(), file, build(t, file)); err != nil {
				t.Error(err)
			}
		}
		if err := c.Move(); err != nil {
			t.Fatal(err)
		}
		changes, err := c.Check("figures.sum", true)
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

// lacks says why what a cell needs is not here: all of MNIST is for the tier long.
func lacks(t *testing.T, need string) string {
	switch {
	case need != "mnist":
		return ""
	case !tier.IsLong(t):
		return "it takes minutes: MARGINALIA_TEST=long go test -timeout 40m ./notebooks"
	case !datasets.HaveMNIST():
		t.Error("a cell needs MNIST, which is not on this machine: run the lecture once with a network, or set MARGINALIA_DATA")
	}
	return ""
}
