// Package notebooks tests what holds for all lectures together. Package celltests below runs their cells.
package notebooks

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/repo"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

const index = "00-index.ipynb"

func lectures(t testing.TB) []string {
	files := must.Get(repo.Lectures("..")).Or(t)
	for i, file := range files {
		files[i] = filepath.Base(file)
	}
	return files
}

// read returns a notebook, which is read once for all tests: the lectures have 18 MB.
func read(t testing.TB, file string) *nbformat.Notebook {
	t.Helper()
	first, _ := notebooksRead.LoadOrStore(file, sync.OnceValues(func() (*nbformat.Notebook, error) { return nbformat.Read(file) }))
	return must.Get(first.(func() (*nbformat.Notebook, error))()).Or(t)
}

var notebooksRead sync.Map // by file

// notebooks returns the lectures by file, in their order, without the index. The notebooks are those of
// all tests.
func notebooks(t testing.TB) iter.Seq2[string, *nbformat.Notebook] {
	t.Helper()
	return func(yield func(string, *nbformat.Notebook) bool) {
		for _, file := range lectures(t) {
			if file == index {
				continue
			}
			if !yield(file, read(t, file)) {
				return
			}
		}
	}
}

// A lecture without its package would never run, and the package of a lecture that is gone fails.
//
//	go test ./notebooks -run TestLectures -update
func TestLectures(t *testing.T) {
	const test = "lecture_test.go"
	text := must.Get(os.ReadFile(filepath.Join("celltests", strings.TrimSuffix(index, ".ipynb"), test))).Or(t)
	for _, file := range lectures(t) {
		at := filepath.Join("celltests", strings.TrimSuffix(file, ".ipynb"), test)
		if *update {
			must.Do(t, os.MkdirAll(filepath.Dir(at), 0o755))
			must.Do(t, atomicfile.Write(at, text))
		}
		if own, err := os.ReadFile(at); err != nil || string(own) != string(text) {
			t.Errorf("%s does not run its notebook (%v): -update writes it", at, err)
		}
	}
}

// The package of a lecture compares the figures that its cells show with figures.sum. What only
// the file has is a figure that no cell shows any more.
func TestNoFigureIsGone(t *testing.T) {
	sums := must.Get(os.ReadFile("figures.sum")).Or(t)
	gone := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^[0-9a-f]{64}  (.+)$`).FindAllSubmatch(sums, -1) {
		gone[string(m[1])] = true
	}
	if len(gone) == 0 {
		t.Fatal("figures.sum records no figure")
	}
	for _, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			for _, o := range c.Outputs {
				name, _ := o.Metadata["figure"].(string)
				delete(gone, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		t.Errorf("%s: it is recorded, and no cell shows it: go run . figures --update", name)
	}
}
