package site

import (
	"testing"

	"marginalia/internal/base/repo/repotest"
)

// Lectures and exercises have the numbers that the texts name them by; other pages have none, and a course's have their
// own names.
func TestNumber(t *testing.T) {
	root := repotest.Root(t)
	b := &book{root: root, dir: root}
	for rel, want := range map[string]string{
		"notebooks/04-margins.ipynb": "Lecture 4", "notebooks/exercises/09-errata.ipynb": "Lecture 9",
		"notebooks/00-index.ipynb": "", "README.md": "", "docs/04-x.md": "", "notebooks/extra.ipynb": "",
	} {
		if got := string(b.withNumber(rel, []byte("<h1>"))); (want == "" && got != "<h1>") || (want != "" && got != "<p class=\"number\">"+want+"</p>\n<h1>") {
			t.Errorf("%s is %q, want %q", rel, got, want)
		}
	}
	if kind, n := (&book{root: root, dir: t.TempDir()}).number("notebooks/04-margins.ipynb"); n != 0 {
		t.Errorf("a notebook of a course is %s %d", kind, n)
	}
	for title, want := range map[string]string{"Exercises: from LDA": "4. From LDA", "Assignment 1: übung": "4. Übung", "Features: what to give": "4. Features: what to give"} {
		if got := entry(4, title); got != want {
			t.Errorf("%q is listed as %q, want %q", title, got, want)
		}
	}
}

// A figure's caption is its title, or else what its author says first.
func TestCaption(t *testing.T) {
	for alt, want := range map[string]string{
		"Figure “a or b”: line x₁ = 0; 4 points.":       "a or b",
		"Panel 1 of 2. Figure “mistake 1: w”: line. …":  "mistake 1: w",
		"Two rings, coloured by clusters. Black is few": "Two rings, coloured by clusters",
		"A clump\nin an annulus":                        "A clump in an annulus",
		"":                                              "c slider",
		"A long sentence that goes on and on about what the figure shows, and on, until nobody reads it to the end": "A long sentence that goes on and on about what the figure shows, and on, until nobody …",
	} {
		if got := (picture{Name: "c-slider", Alt: alt}).caption(); got != want {
			t.Errorf("%q has the caption %q, want %q", alt, got, want)
		}
	}
}
