// Package testfile reads and writes the files of tests: what fails ends the test.
package testfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write writes a file, and makes the folders above it.
func Write[T string | []byte](t testing.TB, path string, text T) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
