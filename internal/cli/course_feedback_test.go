package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// exampleCourse makes the folder of a course, with the example ps0.
func exampleCourse(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "course")
	must.Do(t, course.New(dir))
	return dir
}

// judgedCourse makes a course that takes a quarter of the points for each day late, with the
// [lateBook] of these students, and what course grade leaves of them in autograded.
func judgedCourse(t *testing.T, students ...string) string {
	t.Helper()
	dir := t.TempDir()
	writeBelow(t, dir, "course.toml", "[late]\npolicy = \"25% per day\"\n"+dueOfLateBook)
	for _, s := range lateBook(t, dir, students...) {
		v := &verdict.Notebook{Assignment: "ps1", Notebook: "ps1", Student: s.Student, Tests: []verdict.Test{{ID: "q", Score: 4, Max: 5}}}
		data, err := json.Marshal(grade.Record{Submitted: s.Submitted, Notebooks: []*verdict.Notebook{v}, Scores: s})
		if err != nil {
			t.Fatal(err)
		}
		writeBelow(t, dir, "autograded/"+s.Student+"/ps1/"+grade.VerdictFile, string(data))
		writeBelow(t, dir, "autograded/"+s.Student+"/ps1/ps1.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}`)
	}
	return dir
}

// dueOfLateBook is the due date of [lateBook] for course.toml.
const dueOfLateBook = "[assignment.ps1]\ndue = 2026-11-01T12:00:00Z\n"

// lateBook makes a gradebook in dir with the scores of these students: 4 of 5 points of ps1,
// handed in a day late, without a penalty.
func lateBook(t *testing.T, dir string, students ...string) (all []gradebook.Scores) {
	t.Helper()
	b := must.Get(gradebook.Create(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
	defer b.Close()
	due := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	a := gradebook.Assignment{Name: "ps1", Due: due, Notebooks: []gradebook.Notebook{{Name: "ps1", Cells: []gradebook.Cell{{ID: "q", Type: "code", Grade: true, Max: 5}}}}}
	must.Do(t, b.SetAssignment(t.Context(), a))
	points := 4.0
	for _, id := range students {
		s := gradebook.Scores{Assignment: "ps1", Student: id, Submitted: due.Add(24 * time.Hour), Notebooks: []gradebook.NotebookScores{{Notebook: "ps1", Cells: []gradebook.Score{{Cell: "q", Auto: &points}}}}}
		must.Get(b.Save(t.Context(), s, nil)).Or(t)
		all = append(all, s)
	}
	return all
}

// writeBelow writes a file below dir, and the folders that it needs.
func writeBelow(t *testing.T, dir, name, text string) {
	t.Helper()
	testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
}

// Students who were judged get pages, with the penalty that course.toml asks for now; one
// without a record is a failure that costs the others nothing.
func TestCourseFeedback(t *testing.T) {
	dir := judgedCourse(t, "ada", "bob")
	page := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, "feedback", filepath.FromSlash(name)))
		return string(text)
	}
	status := func(want int, args ...string) {
		t.Helper()
		if got := statusOf(t.Context(), append([]string{"course", "feedback", "--course", dir}, args...)); got != want {
			t.Errorf("%q: status %d, want %d", args, got, want)
		}
	}
	ungraded := t.TempDir()
	writeBelow(t, ungraded, "course.toml", "")
	if got := statusOf(t.Context(), []string{"course", "feedback", "ps1", "--course", ungraded}); got != statusFailed {
		t.Errorf("status %d without a gradebook, want %d", got, statusFailed)
	}

	status(0, "ps1", "--student", "ada")
	if text := page("ada/ps1/ps1.md"); !strings.Contains(text, "**3 of 5 points**") || !strings.Contains(text, "less 1 for handing in") || page("bob/ps1/ps1.html") != "" {
		t.Errorf("ada reads\n%s", text)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "autograded", "ada", "ps1", grade.VerdictFile)))
	writeBelow(t, dir, "feedback/zed/ps1/ps1.html", "old")
	status(statusFailed, "ps1")
	if page("bob/ps1/ps1.html") == "" || page("zed/ps1/ps1.html") != "old" {
		t.Error("bob has no page, or zed has lost his")
	}
	status(statusFailed, "ps1", "--student", "cid")
	status(statusFailed, "ps2")
	status(statusFailed, "../ps1")
	status(statusUsage)
}

// The report is a page beside the course's folders, or where it is asked for.
func TestCourseReport(t *testing.T) {
	dir := exampleCourse(t)
	report := func(want int, args ...string) {
		t.Helper()
		if got := statusOf(t.Context(), append([]string{"course", "report", "--course", dir}, args...)); got != want {
			t.Errorf("%q: status %d, want %d", args, got, want)
		}
	}
	report(statusFailed, "ps0") // there is no gradebook
	b := must.Get(gradebook.Create(t.Context(), filepath.Join(dir, "gradebook.db"))).Or(t)
	defer b.Close()
	if err := b.SetAssignment(t.Context(), gradebook.Assignment{Name: "ps0", Notebooks: []gradebook.Notebook{{Name: "ps0", Cells: []gradebook.Cell{{ID: "q", Type: "code", Grade: true, Max: 5}}}}}); err != nil {
		t.Fatal(err)
	}
	report(0, "ps0") // nobody is judged: that is said, and there is nothing to sum up
	if _, err := os.Stat(filepath.Join(dir, "report-ps0.html")); err == nil {
		t.Error("there is a report of nothing")
	}
	points := 4.0
	must.Get(b.Save(t.Context(), gradebook.Scores{Assignment: "ps0", Student: "ada", Notebooks: []gradebook.NotebookScores{{Notebook: "ps0", Cells: []gradebook.Score{{Cell: "q", Auto: &points}}}}}, nil)).Or(t)
	report(0, "ps0")
	report(0, "ps0", "-o", filepath.Join(dir, "other.html"))
	report(statusFailed, "ps1")
	report(statusFailed, "../ps0")
	report(statusFailed, "ps0", "-o", filepath.Join(dir, "no", "such", "folder.html"))
	report(statusUsage)
	for _, file := range []string{"report-ps0.html", "other.html"} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(text), "1</strong> handed in") {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}
