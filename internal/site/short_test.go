package site

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// The glue stays glue: the site promises fewer than 500 lines. figure.js is the lab's, which shows
// notebooks with it. What readers search, fold and copy with calls no program, and has as many for itself.
func TestGlueIsShort(t *testing.T) {
	ofAll, _ := filepath.Glob(filepath.Join("page", "*.js"))
	moving, _ := filepath.Glob(filepath.Join("live", "page", "*.js"))
	if len(ofAll) == 0 || len(moving) == 0 {
		t.Fatalf("there are scripts %q and %q", ofAll, moving)
	}
	reading, _ := filepath.Glob(filepath.Join("page", "reading", "*.js"))
	for what, scripts := range map[string][]string{"glue": slices.Concat(ofAll, moving), "reading": reading} {
		lines := 0
		for _, script := range scripts {
			lines += strings.Count(testfile.Read(t, script), "\n")
		}
		if lines == 0 || lines >= 500 {
			t.Errorf("%s: %d lines, want some and fewer than 500", what, lines)
		}
	}
}
