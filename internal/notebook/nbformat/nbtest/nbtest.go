// Package nbtest reads and writes the notebooks of tests: what fails ends the test.
package nbtest

import (
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// Read reads a notebook's file.
func Read(t testing.TB, path string) *nbformat.Notebook {
	t.Helper()
	nb, err := nbformat.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// Write writes a notebook to a file.
func Write(t testing.TB, nb *nbformat.Notebook, path string) {
	t.Helper()
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
}
