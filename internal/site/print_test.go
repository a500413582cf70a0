//go:build browser

package site

import "marginalia/internal/install/lab/labtest"

// print looks at a page as it is printed on A4: no code, text, table or formula is cut at the edge.
func (w *watcher) print(page string) {
	w.t.Helper()
	if cut := labtest.Cut(w.ctx, w.t, labtest.A4); len(cut) > 0 {
		w.t.Errorf("%s: %d texts are cut on paper: %.60q%s", page, len(cut), cut, labtest.Picture(w.ctx, "site-print"))
	}
}
