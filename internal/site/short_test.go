package site

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// The glue stays glue: the site promises fewer than 500 lines. figure.js is the lab's, which shows
// notebooks with it.
func TestGlueIsShort(t *testing.T) {
	ofAll, _ := filepath.Glob(filepath.Join("page", "*.js"))
	moving, _ := filepath.Glob(filepath.Join("live", "page", "*.js"))
	if len(ofAll) == 0 || len(moving) == 0 {
		t.Fatalf("there are scripts %q and %q", ofAll, moving)
	}
	lines := 0
	for _, script := range slices.Concat(ofAll, moving) {
		lines += strings.Count(testfile.Read(t, script), "\n")
	}
	if lines >= 500 {
		t.Errorf("%d lines, want fewer than 500", lines)
	}
}
