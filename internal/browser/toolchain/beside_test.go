package toolchain

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// write writes files into a new folder.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = must.Get(filepath.EvalSymlinks(t.TempDir())).Or(t)
	for name, text := range files {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

// collected are the packages that are not of the standard library, and what lacks.
func collected(t *testing.T, root string, beside ...*Beside) (paths []string, lacking map[string]string) {
	t.Helper()
	m := &manifest.Manifest{Lacking: map[string]string{}}
	for _, p := range must.Get(collect(t.Context(), root, m, []string{"errors", "example.org/base/..."}, beside)).Or(t) {
		if !p.Standard {
			paths = append(paths, p.ImportPath)
		}
	}
	return paths, m.Lacking
}

// course is a module of a course, beside one that stands for the repository.
var course = map[string]string{
	"base/go.mod": "module example.org/base\n\ngo 1.26\n", "base/a/a.go": "package a\n",
	"dep/go.mod": "module example.org/dep\n", "dep/dep.go": "package dep\n\nconst D = 4\n", "dep/unused/u.go": "package unused\n",
	"course/go.mod":            "module example.org/course\n\ngo 1.26\n\nrequire (\n\texample.org/base v0.0.0\n\texample.org/dep v0.0.0\n)\n\nreplace (\n\texample.org/base => ../base\n\texample.org/dep => ../dep\n)\n",
	"course/ours/ours.go":      "package ours\n\nimport \"example.org/dep\"\n\nconst Four = dep.D\n",
	"course/wrong/wrong.go":    "package wrong\n\nvar x int = \"a\"; var _ = x\n",
	"course/above/above.go":    "package above\n\nimport _ \"example.org/course/wrong\"\n",
	"course/c/c.go":            "package c\n\nimport \"C\"\n",
	"course/answers/a.go":      "package answers\n\nconst Answer = 4711\n",
	"course/leaks/leaks.go":    "package leaks\n\nimport \"example.org/course/answers\"\n\nconst A = answers.Answer\n",
	"course/gone/gone.go":      "package gone\n\nimport _ \"example.org/gone\"\n",
	"course/program/main.go":   "package main\n\nfunc main() {}\n",
	"course/other/linux.go":    "//go:build linux\n\npackage other\n",
	"course/ours/ours_test.go": "package ours\n",
}

// Each package that pages can't have is left out with all that imports it, and its reason is in words and names no folder of
// this computer.
func TestBeside(t *testing.T) {
	dir := write(t, course)
	o := &Beside{Dir: filepath.Join(dir, "course"), Patterns: []string{"example.org/course/...", "example.org/course/c", "example.org/course/other", "example.org/gone", "net/http/cookiejar", "nowhere"},
		Hidden: func(dir string) bool { return filepath.Base(dir) == "answers" }}
	paths, lacking := collected(t, filepath.Join(dir, "base"), o)
	slices.Sort(paths)
	if want := []string{"example.org/base/a", "example.org/course/ours", "example.org/dep"}; !slices.Equal(paths, want) || o.Fault != nil {
		t.Errorf("pages have %q, %v; want %q", paths, o.Fault, want)
	}
	for path, want := range map[string]string{
		"example.org/course/wrong":   `wrong.go:3:13: cannot use "a" (untyped string constant) as int value in variable declaration`,
		"example.org/course/above":   "example.org/course/wrong is missing: wrong.go:3:13: ",
		"example.org/course/c":       "it needs cgo",
		"example.org/course/answers": "it lies in a folder that the site leaves out",
		"example.org/course/leaks":   "example.org/course/answers is missing: it lies in a folder that the site leaves out",
		"example.org/course/gone":    "example.org/gone is missing: ",
		"example.org/gone":           "example.org/gone", // the go command's words
		"example.org/course/other":   "build constraints exclude all Go files in other",
	} {
		if got := lacking[path]; !strings.Contains(got, want) || strings.Contains(got, dir) {
			t.Errorf("%s lacks since %q, want %q", path, got, want)
		}
		delete(lacking, path)
	}
	if len(lacking) > 0 { // a kernel knows better what "nowhere" may mean
		t.Errorf("what lacks has %q, too", slices.Sorted(maps.Keys(lacking)))
	}
}

// A module that the go command can't load keeps no other package away.
func TestBesideRefused(t *testing.T) {
	dir := write(t, course)
	testfile.Write(t, filepath.Join(dir, "course", "go.mod"), "module example.org/course\n\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ./nowhere\n")
	o := &Beside{Dir: filepath.Join(dir, "course"), Patterns: []string{"example.org/course/...", "example.org/course/ours"}}
	paths, lacking := collected(t, filepath.Join(dir, "base"), o)
	if want := []string{"example.org/base/a"}; !slices.Equal(paths, want) || !strings.Contains(lacking["example.org/course/ours"], "example.org/dep") || strings.Contains(lacking["example.org/course/ours"], dir) {
		t.Errorf("pages have %q, and lack %q", paths, lacking)
	}
}

// Of two modules that mean other packages by the same path, the second has none in pages. Other modules share them.
func TestBesideConflict(t *testing.T) {
	dir := write(t, course)
	testfile.Write(t, filepath.Join(dir, "dep2", "go.mod"), "module example.org/dep\n")
	testfile.Write(t, filepath.Join(dir, "dep2", "dep.go"), "package dep\n")
	for to, same := range map[string]bool{"dep": true, "dep2": false} {
		testfile.Write(t, filepath.Join(dir, "week2", "go.mod"), "module example.org/week2\n\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ../"+to+"\n")
		testfile.Write(t, filepath.Join(dir, "week2", "w", "w.go"), "package w\n\nimport _ \"example.org/dep\"\n")
		first := &Beside{Dir: filepath.Join(dir, "course"), Patterns: []string{"example.org/course/ours"}}
		second := &Beside{Dir: filepath.Join(dir, "week2"), Patterns: []string{"./..."}}
		paths, _ := collected(t, filepath.Join(dir, "base"), first, second)
		if got := slices.Contains(paths, "example.org/week2/w"); got != same || (second.Fault == nil) != same || first.Fault != nil {
			t.Errorf("with %s pages have %q, faults %v and %v", to, paths, first.Fault, second.Fault)
		}
	}
}
