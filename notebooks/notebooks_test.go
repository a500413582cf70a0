// Package notebooks tests the lectures: every code cell of every notebook in
// this folder runs as a Go test, in a process of its own.
//
//	go test ./notebooks                                                        all of them
//	go test ./notebooks -run TestNotebooks/01-perceptron                       one lecture
//	go test ./notebooks -run TestNotebooks/01-perceptron/cells/novikoff-bound  one cell
//	go test ./notebooks -bench .                                               against the kernel
package notebooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/datasets"
	"marginalia/internal/built"
)

func lectures(t testing.TB) []string {
	files, err := filepath.Glob("*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no notebooks here: %v", err)
	}
	return files
}

func TestNotebooks(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range lectures(t) {
		t.Run(strings.TrimSuffix(file, ".ipynb"), func(t *testing.T) {
			b, err := built.Notebook(t.Context(), file, root)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			// A cell learns all of MNIST with both cores, and other packages are tested meanwhile.
			b.Timeout = 8 * time.Minute
			b.Lacks = func(need string) string { return lacks(t, need) }
			b.Test(t)
		})
	}
}

// lacks says why what a cell needs is not here. In CI all has to be here.
func lacks(t *testing.T, need string) string {
	if need != "mnist" || datasets.HaveMNIST() {
		return ""
	}
	if os.Getenv("CI") == "true" {
		t.Error("a cell needs MNIST, and CI has to have it")
	}
	return "MNIST is not on this machine: run the lecture once with a network, or set $MARGINALIA_DATA"
}
