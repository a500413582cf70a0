package celltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A cell runs again if something has changed that its program can see, and only then.
func TestStore(t *testing.T) {
	store, figures, runs := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "runs")
	type state struct {
		cell                layout.Cell
		built, folder, does string
		env                 []string
		edited              bool // while it runs
	}
	base := state{cell: layout.Cell{ID: "a", Key: "text"}, built: "packages", folder: t.TempDir(), does: "echo shown"}
	// run runs the cell, and reports whether its program did.
	run := func(t *testing.T, s state) bool {
		t.Helper()
		testfile.Write(t, runs, "")
		at := t.TempDir()
		must.Do(t, os.Mkdir(filepath.Join(at, "a"), 0o755))
		binary := filepath.Join(s.folder, "cells")
		testfile.Write(t, binary, fmt.Sprintf("#!/bin/sh\n# %s/cells.go\necho x >>%s\necho line >$FIGURES/one.svg\n%s\n", s.folder, runs, s.does))
		must.Do(t, os.Chmod(binary, 0o755))
		nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "a", Type: "code"}}}
		suite := must.Get(NewSuite(filepath.Join(figures, "one.ipynb"), nb, []layout.Package{{Dir: s.folder, Binary: binary, Cells: []layout.Cell{s.cell}}})).Or(t)
		suite.Store = &Store{Dir: store, Built: s.built, Folder: func(id string) string { return filepath.Join(at, id) }, Same: func() bool { return !s.edited }}
		suite.Env = func(id string) []string {
			return append([]string{"FIGURES=" + filepath.Join(at, id)}, s.env...)
		}
		res := suite.Run(t.Context(), "a")
		must.Do(t, suite.Close())
		suite.Store.Close()
		if len(res.Outputs) == 0 || !strings.HasPrefix(res.Outputs[0].Text, "shown\n") {
			t.Errorf("it shows %v", res.Outputs)
		}
		if got := testfile.Read(t, filepath.Join(at, "a", "one.svg")); got != "line\n" {
			t.Errorf("its figure is %q", got)
		}
		return testfile.Read(t, runs) != ""
	}
	if !run(t, base) {
		t.Fatal("it did not run")
	}
	for name, change := range map[string]struct {
		to   func(*state)
		runs bool // each time
	}{
		"nothing":                       {func(s *state) {}, false},
		"another cell":                  {func(s *state) { s.does += " # b" }, false},
		"a comment":                     {func(s *state) { s.cell.Key = "text // comment" }, false},
		"a package, where it is unused": {func(s *state) { s.built = "packages, edited" }, false},
		"the folder": {func(s *state) {
			s.cell.Key, s.folder = "moved", s.folder[:len(s.folder)-1]+"x"
			os.Mkdir(s.folder, 0o755)
		}, false},
		"its text":                       {func(s *state) { s.cell.Key = "other"; s.does = "echo shown; :" }, true},
		"a package, where it is used":    {func(s *state) { s.built = "new"; s.does = "echo shown; : " }, true},
		"its arguments":                  {func(s *state) { s.cell.Args = []string{"-v"} }, true},
		"its environment":                {func(s *state) { s.cell.Env = []string{"A=1"} }, true},
		"the environment of its figures": {func(s *state) { s.env = []string{"FORMATS=svg"} }, true},
		"what it prints before":          {func(s *state) { s.cell.Prints = []layout.Print{{Stream: "stdout", Text: "shown\n"}} }, true},
	} {
		s := base
		change.to(&s)
		if first := run(t, s); first != change.runs {
			t.Errorf("after an edit of %s it runs: %v, want %v", name, first, change.runs)
		}
		if run(t, s) {
			t.Errorf("after an edit of %s it runs twice", name)
		}
	}
	t.Run("an edit while it runs, taken back", func(t *testing.T) {
		s := base
		s.cell.Key, s.edited, s.does = "edited", true, "echo shown; : new"
		run(t, s)
		s.edited, s.does = false, "echo shown; : old"
		if !run(t, s) {
			t.Error("it shows what the edited program has shown")
		}
		s.does = "echo shown; : not built" // what is built from the same is the same
		if run(t, s) {
			t.Error("the program is asked for a result that its text has")
		}
	})
	t.Run("the user's environment", func(t *testing.T) {
		t.Setenv("MARGINALIA_SIMD", "off")
		if !run(t, base) {
			t.Error("it does not run")
		}
	})
	// These run each time.
	for name, change := range map[string]func(*state){
		"it reads a file": func(s *state) { s.cell.Key = "" },
		"it fails":        func(s *state) { s.cell.Key, s.does = "fails", "echo shown; exit 1" },
	} {
		s := base
		change(&s)
		if first, second := run(t, s), run(t, s); !first || !second {
			t.Errorf("%s, and what it showed is taken from an earlier run", name)
		}
	}
}

// What was shown comes back as it was, with its order, its kinds and its numbers.
func TestStoreTellsAll(t *testing.T) {
	s := &Store{Dir: t.TempDir(), Folder: func(string) string { return t.TempDir() }}
	r := &run{cell: layout.Cell{ID: "a"}, rec: &recorder{}}
	r.rec.stream("stdout", "a")
	r.rec.stream("stderr", "b\x00\u2028\n")
	r.rec.add(nbformat.Output{Type: "display_data", Data: map[string]any{"text/plain": "c", "application/json": map[string]any{"n": []any{true, nil, "x"}}}, Metadata: map[string]any{"figure": "f"}}, "id")
	path := s.path("a")
	must.Do(t, s.keep(r, path))
	again := &run{cell: r.cell, rec: &recorder{}}
	if !s.take(path, again) {
		t.Fatal("nothing was kept")
	}
	if got, want := fmt.Sprintf("%+v", again.outputs()), fmt.Sprintf("%+v", r.outputs()); got != want || !again.rec.named() {
		t.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
	if s.take(s.path("b"), again) {
		t.Error("under another key there is something")
	}
	testfile.Write(t, path, "cut off")
	if s.take(path, again) {
		t.Error("what is cut off is taken")
	}
}
