//go:build browser

package site

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A lecturer's course becomes a site by one command: its packages are documented, its names are
// linked, and its slider is alive, with the file that it reads. A second build says the same and
// makes the same.
func TestCourse(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	root := repotest.Root(t)
	dir, out := lecturers(t), filepath.Join(t.TempDir(), "site")
	testfile.Write(t, filepath.Join(dir, "notes", "b.md"), "# B\n\n[gone](gone.md)\n\n```nolanguage\nx\n```\n")
	// An error of the compiler is no Python: a lexer for that would warn of the caret's line.
	testfile.Write(t, filepath.Join(dir, "notes", "error.ipynb"), `{"cells": [{"cell_type": "code", "id": "e", "metadata": {}, "execution_count": 1, "source": "%%\nx := %%",
"outputs": [{"output_type": "error", "ename": "ERROR", "evalue": "line 2", "traceback": ["line 2: expected operand, found '%'\n  …x := %%\n       ^"]}]}],
"metadata": {"kernelspec": {"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`)
	var before map[string]string
	for range 2 {
		r := must.Get(Build(t.Context(), root, Options{Out: out, Course: dir}, nil)).Or(t)
		faults := fmt.Sprint(r.Faults)
		if len(r.Faults) != 2 || !strings.Contains(faults, "notes/b.md: a link leads to gone.md") || !strings.Contains(faults, "nolanguage") {
			t.Errorf("faults %v", r.Faults)
		}
		if !slices.Equal(r.Read, []string{"data/points.csv"}) {
			t.Errorf("the sliders may read %q", r.Read)
		}
		now := contents(t, out)
		for name, text := range before {
			if now[name] != text {
				t.Errorf("a second build makes another %s", name)
			}
		}
		before = now
	}
	for name := range before {
		if strings.Contains(before[name], "4711") {
			t.Errorf("%s has the solution of an assignment", name)
		}
	}
	for page, want := range map[string][]string{
		"index.html":                                   {"A course in notebooks", `href="notebooks/other/plain.html"`, `src="figures/02-slack-slack.svg"`},
		"notebooks/02-slack.html":                      {`<a href="../library/example.org/course/ours.html#Read">`, `<a href="../library/mlkit/svm.html#Classifier">`, "go run . lab --dir COURSE"},
		"library/example.org/course/ours.html":         {`id="Mean"`, "../../../files/ours/ours.go.txt"},
		"library/mlkit/svm.html":                       {"../../files/marginalia/mlkit/svm/"},
		"notes/error.html":                             {"line 2: expected operand, found '%'"},
		"notebooks/other/plain.html":                   {"highlight-python", "plain"},
		"notes/Woche 1.html":                           {`href="../library/example.org/course/ours.html#Mean"`, `href="../index.html"`, `href="../files/data/points.csv"`, `02-slack.html#What-does-C-do%3F`},
		"files/marginalia/mlkit/svm/classifier.go.txt": {"package svm"},
	} {
		for _, w := range want {
			if !strings.Contains(before[page], w) {
				t.Errorf("%s has no %q", page, w)
			}
		}
	}
	pages := pagesOf(t, out)
	checkLinks(t, out, pages)
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, labtest.Offline(ctx, t))
	sliders := 0
	for _, page := range pages {
		if !strings.HasPrefix(page, "library/m") {
			sliders += w.visit(out, page)
		}
	}
	if sliders != 1 {
		t.Errorf("%d sliders move, want 1", sliders)
	}
	address := served(t, out)
	ctx = labtest.Window(t, browser)
	w = watch(ctx, t, func() []string { return nil })
	w.open(address + "notebooks/02-slack.html")
	w.evaluate(`document.querySelector('[data-slider]').scrollIntoView()`)
	// Without its program the slider goes from 0 to the last of its stored frames.
	labtest.Wait(ctx, t, "the slider's program", `document.querySelector('.marginalia-slider input')?.min === '-2'`)
	// Its program has read the points, or it would have ended, and draws what it is asked for.
	w.evaluate(`(() => {
		globalThis.before = document.querySelector('.marginalia-figure').innerHTML;
		const input = document.querySelector('.marginalia-slider input');
		input.value = -2;
		input.dispatchEvent(new Event('input'));
	})()`)
	labtest.Wait(ctx, t, "a figure of the program", `document.querySelector('.marginalia-figure').innerHTML !== globalThis.before`)
	t.Log(labtest.Picture(ctx, "course-slider"))
	w.quiet("the course's slider")
}
