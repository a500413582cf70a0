//go:build browser

package site

import (
	"context"
	"path/filepath"
	"testing"

	"marginalia/internal/install/lab/labtest"
)

// checkPrint opens all pages as they are printed on A4: no code, text, table or formula is cut at the edge.
func checkPrint(t *testing.T, browser context.Context, dir string, pages []string) {
	w := watch(labtest.Window(t, browser), t, nil)
	for _, page := range pages {
		w.open("file://" + filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(page))))
		labtest.Wait(w.ctx, t, page, `document.readyState === "complete"`)
		if cut := labtest.Cut(w.ctx, t, labtest.A4); len(cut) > 0 {
			t.Errorf("%s: %d texts are cut on paper: %.60q%s", page, len(cut), cut, labtest.Picture(w.ctx, "site-print"))
		}
		w.quiet(page)
	}
}
