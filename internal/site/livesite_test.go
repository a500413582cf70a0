//go:build browser

package site

import (
	"compress/flate"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestLive has a reader look at a page while its notebook is written: it shows what was saved, says what is wrong, keeps
// what it showed until that is mended, and learns of a notebook that comes and of one that goes.
func TestLive(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	dir, out := must.Get(filepath.EvalSymlinks(t.TempDir())).Or(t), filepath.Join(t.TempDir(), "site")
	notebook := func(text string) {
		t.Helper()
		nb := &nbformat.Notebook{Metadata: map[string]any{}, Cells: []*nbformat.Cell{{ID: "text", Type: "markdown", Source: "# Street\n\n" + text, Metadata: map[string]any{}}}}
		// As editors do it: first another file, then its name.
		testfile.Write(t, filepath.Join(dir, "saved"), string(must.Get(nb.Encode()).Or(t)))
		must.Do(t, os.Rename(filepath.Join(dir, "saved"), filepath.Join(dir, "a.ipynb")))
	}
	notebook("The first words.")
	testfile.Write(t, filepath.Join(dir, "README.md"), "# A course\n\nText.\n")

	ctx, stop := context.WithCancel(t.Context())
	started, ended, said := make(chan string, 1), make(chan error, 1), make(chan string, 100)
	go func() {
		ended <- Live(ctx, repotest.Root(t), Options{Out: out, Course: dir}, 0, nil, func(Report) {}, func(address string) { started <- address }, func(line string) { said <- line })
	}()
	var address string
	select {
	case address = <-started:
	case err := <-ended:
		t.Fatal(err)
	}
	defer func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	}()
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("the site is served at %s, want this computer alone", address)
	}
	window := labtest.Window(t, browser)
	w := watch(window, t, nil)
	w.open(address + "a.html")
	has := func(text string) {
		t.Helper()
		labtest.Wait(window, t, text, `document.querySelector("article")?.textContent.includes(`+quote(text)+`)`)
	}
	says := func(text string) {
		t.Helper()
		labtest.Wait(window, t, "the notice "+text, `document.querySelector("[role=alert]")?.textContent.includes(`+quote(text)+`)`)
	}
	has("The first words.")
	notebook("The second words.")
	has("The second words.")
	testfile.Write(t, filepath.Join(dir, "a.ipynb"), `{"cells": [`) // half of a file
	says("a.ipynb")
	has("The second words.")
	notebook("The second words.") // what the page shows: an edit that was undone
	labtest.Wait(window, t, "no notice", `!document.querySelector("[role=alert]")`)
	notebook("The third words.")
	has("The third words.")
	labtest.Wait(window, t, "no notice", `!document.querySelector("[role=alert]")`)
	notebook("The fourth words: $\\frac{1}$")
	has("The fourth words:")
	for line := ""; !strings.HasPrefix(line, "warning: "); { // a test that fails waits here until it is killed
		if line = <-said; strings.Contains(line, "\x1b") {
			t.Errorf("it says %q, want no colours", line)
		}
	}
	testfile.Write(t, filepath.Join(dir, "README.md"), "# A course\n\nOther text.\n\n[Street](a.ipynb)\n")
	w.open(address)
	has("Other text.")
	must.Do(t, os.Rename(filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "b.ipynb")))
	labtest.Wait(window, t, "the new page in the list", `document.querySelector(".sidebar-tree a[href='b.html']") !== null && document.querySelector(".sidebar-tree a[href='a.html']") === null`)
	if text := read(t, out, "index.html"); strings.Contains(text, reloadName) {
		t.Error("the folder of the site has the script that only this server gives")
	}
}

// checkFolders fails if a file of the site names the folder that the site was made from.
func checkFolders(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if path.Ext(name) == ".wasmz" {
			text = string(must.Get(io.ReadAll(flate.NewReader(strings.NewReader(text)))).Or(t))
		}
		if at := strings.Index(text, root[1:]); at >= 0 { // as part of a relative path, too
			t.Errorf("%s names it: %q", name, text[max(0, at-40):at+len(root)])
		}
	}
}
