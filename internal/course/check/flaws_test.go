package check_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/check"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// hx is an assignment of two questions. The students' right answers are not the lecturer's.
var hx = []struct{ id, kind, source, answer string }{
	{"intro", "text", "Two questions.", ""},
	{"given", "given", "import \"testing\"\n\nfunc double(x int) int { return 2 * x }", ""},
	{"sum", "answer", "// Sum adds.\nfunc Sum(xs []int) int {\n\t// BEGIN SOLUTION\n\treturn addAll(xs)\n\t// END SOLUTION\n}\n\n// First is the first.\nfunc First(xs []int) int {\n\t// BEGIN SOLUTION\n\treturn xs[0]\n\t// END SOLUTION\n}\n\n// BEGIN SOLUTION\nfunc addAll(xs []int) (s int) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn s\n}\n\n// END SOLUTION",
		"func Sum(xs []int) int {\n\tif len(xs) == 0 {\n\t\treturn 0\n\t}\n\treturn First(xs) + Sum(xs[1:])\n}\n\nfunc First(xs []int) int {\n\treturn xs[len(xs)-len(xs)]\n}"},
	{"sum-test", "tests", "%test\n\nfunc TestSum(t *testing.T) {\n\tif Sum([]int{1, 2, 3}) != 6 || First([]int{7}) != 7 {\n\t\tt.Error(\"sum\")\n\t}\n}", ""},
	{"twice", "answer", "func Twice(x int) int {\n\t// BEGIN SOLUTION\n\treturn double(x)\n\t// END SOLUTION\n}", "func Twice(x int) int {\n\treturn x + x\n}"},
	{"twice-test", "tests", "%test\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(4) != double(4) {\n\t\tt.Error(\"twice\")\n\t}\n}", ""},
	{"why", "words", "YOUR ANSWER HERE", "Because."},
}

func cellOf(nb *nbformat.Notebook, id string) *nbformat.Cell {
	return nb.Cells[slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { m, _ := nbgrader.Read(c); return m.ID == id })]
}

// newCourse makes a course with the release of hx.
func newCourse(t *testing.T) (*course.Course, *release.Handout) {
	t.Helper()
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	for _, c := range hx {
		own := &nbformat.Cell{ID: "id-" + c.id, Type: "code", Source: c.source, Metadata: map[string]any{}}
		m := nbgrader.Meta{ID: c.id, Locked: c.kind != "answer" && c.kind != "words", Solution: c.kind == "answer" || c.kind == "words"}
		if m.Grade = c.kind == "tests" || c.kind == "words"; m.Grade {
			m.Points = 2
		}
		if c.kind == "words" || c.kind == "text" {
			own.Type = "markdown"
		}
		nbgrader.Write(own, m)
		nb.Cells = append(nb.Cells, own)
	}
	dir := t.TempDir()
	for _, step := range []string{"source/hx", "release/hx"} {
		must.Do(t, os.MkdirAll(filepath.Join(dir, step), 0o777))
	}
	must.Do(t, nb.WriteFile(filepath.Join(dir, "source/hx/hx.ipynb")))
	must.Do(t, os.WriteFile(filepath.Join(dir, "course.toml"), nil, 0o666))
	c := must.Get(course.Open(dir)).Or(t)
	a := must.Get(release.Make(c, "hx")).Or(t)
	r := a.Notebooks[0]
	terms := release.Terms{Memory: 64 << 20, Tests: []release.Test{{Name: "TestSum", Seconds: 2, Checks: []release.Check{{Name: "TestSum", Worth: 2}}}, {Name: "TestTwice", Seconds: 2, Checks: []release.Check{{Name: "TestTwice", Worth: 2}}}}}
	must.Do(t, terms.Store(r.Release, func(_, source string) string { return source }))
	must.Do(t, r.Release.WriteFile(filepath.Join(dir, "release/hx/hx.ipynb")))
	return c, a
}

// right is a student's notebook, with all answers, that changes may be made of.
func right(t *testing.T, r release.Notebook) *nbformat.Notebook {
	t.Helper()
	data := must.Get(r.Release.Encode()).Or(t)
	nb := must.Get(nbformat.Decode(data)).Or(t)
	for _, c := range hx {
		if c.answer != "" {
			cellOf(nb, c.id).Source = c.answer
		}
	}
	return nb
}

// changed makes a flaw of what is done to the notebook's cells.
func changed(do func(nb *nbformat.Notebook)) func(*testing.T, *nbformat.Notebook) string {
	return func(t *testing.T, nb *nbformat.Notebook) string {
		do(nb)
		data := must.Get(nb.Encode()).Or(t)
		return string(data)
	}
}

// text makes a flaw of what is done to the file's bytes.
func text(do func(text string) string) func(*testing.T, *nbformat.Notebook) string {
	return func(t *testing.T, nb *nbformat.Notebook) string {
		return do(changed(func(*nbformat.Notebook) {})(t, nb))
	}
}

func own(id, source string) *nbformat.Cell {
	return &nbformat.Cell{ID: id, Type: "code", Source: source, Metadata: map[string]any{}}
}

func insert(nb *nbformat.Notebook, after string, cells ...*nbformat.Cell) {
	nb.Cells = slices.Insert(nb.Cells, slices.Index(nb.Cells, cellOf(nb, after))+1, cells...)
}

func remove(nb *nbformat.Notebook, id string) {
	at := slices.Index(nb.Cells, cellOf(nb, id))
	nb.Cells = slices.Delete(nb.Cells, at, at+1)
}

// again returns a copy of a cell as JupyterLab makes it: with the metadata, and an id of its own.
func again(nb *nbformat.Notebook, id, source string) *nbformat.Cell {
	c := *cellOf(nb, id)
	c.ID, c.Source, c.Metadata = "copy-of-"+id, source, maps.Clone(c.Metadata)
	return &c
}

const stub = "func Sum(xs []int) int {\n\t// YOUR CODE HERE\n\tpanic(\"not implemented\")\n}\n\nfunc First(xs []int) int {\n\t// YOUR CODE HERE\n\tpanic(\"not implemented\")\n}"

// halves are the two functions of the answer sum.
func halves() (sum, first string) {
	a, b, _ := strings.Cut(hx[2].answer, "\n\n")
	return a, b
}

func firstOutput(s string) func(string) string {
	return func(text string) string { return strings.Replace(text, `"outputs": []`, `"outputs": [`+s+`]`, 1) }
}

// flaws are what happens to a notebook whose answers are right. note is what check and grade say of it, "" for nothing.
var flaws = map[string]struct {
	file string // "" is hx.ipynb
	make func(*testing.T, *nbformat.Notebook) string
	note string
}{
	"nothing":           {"", text(func(s string) string { return s }), ""},
	"two cells, one id": {"", text(func(s string) string { return strings.Replace(s, `"id": "id-twice"`, `"id": "id-given"`, 1) }), ""},
	"all of one id": {"", text(func(s string) string {
		return strings.Replace(strings.Replace(s, `"id": "id-twice"`, `"id": "x"`, 1), `"id": "id-sum"`, `"id": "x"`, 1)
	}), ""},
	"half a character": {"", text(firstOutput(`{"output_type":"stream","name":"stdout","text":"\ud83d"}`)), ""},
	"NaN in metadata": {"", text(func(s string) string {
		return strings.Replace(s, `"deletable": false`, `"deletable": false, "t": NaN, "u": -Infinity`, -1)
	}), ""},
	"UTF-16":            {"", text(func(s string) string { return utf16Of("\ufeff" + s) }), ""},
	"UTF-16, bare":      {"", text(utf16Of), ""},
	"a byte order mark": {"", text(func(s string) string { return "\ufeff" + s }), ""},
	"bad bytes":         {"", text(firstOutput("{\"output_type\":\"stream\",\"name\":\"stdout\",\"text\":\"ü \xff\"}")), "the file is not UTF-8"},
	"NULs behind it":    {"", text(func(s string) string { return s + strings.Repeat("\x00", 1000) }), ""},
	"twice in a file":   {"", text(func(s string) string { return s + s }), "text follows the end of the notebook"},
	"12 MB of output":   {"", text(firstOutput(`{"output_type":"stream","name":"stdout","text":"` + strings.Repeat("the same line\\n", 12<<20/14) + `"}`)), ""},
	"40 MB of output":   {"", text(firstOutput(`{"output_type":"stream","name":"stdout","text":"` + strings.Repeat("the same line\\n", 43<<20/15) + `"}`)), "outputs of 43 MB in all are left out"},
	"format 3":          {"", formatThree, ""},
	"Safari":            {"hx.ipynb.txt", text(func(s string) string { return s }), ""},
	"Firefox":           {"hx.json", text(func(s string) string { return s }), ""},
	"no extension":      {"hx", text(func(s string) string { return s }), ""},
	"as a page":         {"hx.ipynb.html", text(func(s string) string { return s }), ""},
	"second download":   {"hx (1).ipynb", text(func(s string) string { return s }), ""},
	"capitals":          {"HX.IPYNB", text(func(s string) string { return s }), ""},
	"NBSP":              {"hx\u00a0.ipynb\u00a0", text(func(s string) string { return s }), ""},
	"another name":      {"Lösung von Ada", text(func(s string) string { return s }), ""},

	"metadata lost": {"", changed(func(nb *nbformat.Notebook) {
		for _, c := range nb.Cells {
			c.Metadata = map[string]any{}
		}
	}), "no cell has nbgrader's metadata of this answer: the one that has its id is taken for it"},
	"metadata and ids lost": {"", changed(func(nb *nbformat.Notebook) {
		for i, c := range nb.Cells {
			c.ID, c.Metadata = fmt.Sprint("new", i), map[string]any{}
		}
	}), "the one that declares what it does is taken for it"},
	"some metadata lost": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "twice").Metadata, cellOf(nb, "why").Metadata = map[string]any{}, map[string]any{}
	}), "the one that has its id"},
	"metadata no object": {"", text(func(s string) string {
		cells, rest, _ := strings.Cut(s, "\n \"metadata\"") // of the notebook, with the terms of the release
		return strings.ReplaceAll(cells, `"nbgrader": {`, `"nbgrader": [], "was": {`) + "\n \"metadata\"" + rest
	}), "the one that has its id"},
	"split, both with metadata": {"", changed(func(nb *nbformat.Notebook) {
		a, b := halves()
		cellOf(nb, "sum").Source = a
		insert(nb, "sum", again(nb, "sum", b))
	}), "it is another part of cell sum, which was split or copied: Sum counts too"},
	"split in a function": {"", changed(func(nb *nbformat.Notebook) {
		above, below, _ := strings.Cut(hx[2].answer, "\n\treturn First")
		cellOf(nb, "sum").Source = above
		insert(nb, "sum", again(nb, "sum", "\treturn First"+below))
	}), "it was split in the middle"},
	"split, second without": {"", changed(func(nb *nbformat.Notebook) {
		a, b := halves()
		cellOf(nb, "sum").Source = a
		insert(nb, "sum", own("second", b))
	}), ""},
	"split, stub above": {"", changed(func(nb *nbformat.Notebook) {
		a, b := halves()
		cellOf(nb, "sum").Source = stub
		insert(nb, "sum", again(nb, "sum", b), own("first", a))
	}), "it is a copy of cell sum"},
	"copied, stub first": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "sum").Source = stub
		insert(nb, "sum", again(nb, "sum", hx[2].answer))
	}), "it is a copy of cell sum, which counts: delete one of them"},
	"copied, stub last": {"", changed(func(nb *nbformat.Notebook) {
		insert(nb, "sum", again(nb, "sum", stub))
	}), "it is a copy of cell sum"},
	"copied, wrong first": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "sum").Source = strings.ReplaceAll(hx[2].answer, "return", "return 7 +")
		insert(nb, "sum", again(nb, "sum", hx[2].answer))
	}), "it is a copy of cell sum"},
	"as Markdown": {"", changed(func(nb *nbformat.Notebook) { cellOf(nb, "sum").Type = "markdown" }), "it is a markdown cell, and was a code cell: it is taken as code, since it is Go"},
	"as raw":      {"", changed(func(nb *nbformat.Notebook) { cellOf(nb, "twice").Type = "raw" }), "it is a raw cell"},
	"moved": {"", changed(func(nb *nbformat.Notebook) {
		c := cellOf(nb, "sum")
		remove(nb, "sum")
		nb.Cells = append(nb.Cells, c)
	}), ""},
	"in the tests": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "twice").Source = "func Twice(x int) int {\n\t// YOUR CODE HERE\n\tpanic(\"not implemented\")\n}"
		cellOf(nb, "twice-test").Source += "\n\n" + hx[4].answer
	}), "it stood in cell twice-test, which is the lecturer's: Twice counts from here"},
	"in a given cell": {"", changed(func(nb *nbformat.Notebook) {
		remove(nb, "sum")
		cellOf(nb, "given").Source += "\n\n" + hx[2].answer
	}), "it stood in cell given"},
	"in an own cell": {"", changed(func(nb *nbformat.Notebook) {
		remove(nb, "sum")
		nb.Cells = append(nb.Cells, own("mine", hx[2].answer))
	}), "the one that declares what it does"},
	"both in one cell": {"", changed(func(nb *nbformat.Notebook) {
		remove(nb, "sum")
		remove(nb, "twice")
		nb.Cells = append(nb.Cells, own("mine", hx[2].answer+"\n\n"+hx[4].answer))
	}), ""},
	"merged with the tests": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "sum").Source += "\n\n" + cellOf(nb, "sum-test").Source
		remove(nb, "sum-test")
	}), ""},
	"merged into a given cell": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "given").Source += "\n\n" + cellOf(nb, "sum").Source
		remove(nb, "sum")
	}), "it stood in cell given"},
	"two answers merged": {"", changed(func(nb *nbformat.Notebook) {
		cellOf(nb, "sum").Source += "\n\n" + cellOf(nb, "twice").Source
		remove(nb, "twice")
	}), ""},
	"package and main": {"", changed(func(nb *nbformat.Notebook) {
		c := cellOf(nb, "twice")
		c.Source = "package main\n\n" + c.Source + "\n\nfunc main() {\n\tprintln(Twice(2))\n}"
	}), ""},
	"comments only": {"", changed(func(nb *nbformat.Notebook) { insert(nb, "sum", again(nb, "sum", "// nothing here")) }), "it is a copy of cell sum"},
}

func utf16Of(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// formatThree is the notebook as IPython 2 had it.
func formatThree(t *testing.T, nb *nbformat.Notebook) string {
	var cells []string
	for _, c := range nb.Cells {
		key := "source"
		if c.Type == "code" {
			key = "input"
		}
		one := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}, Cells: []*nbformat.Cell{c}}
		data := must.Get(one.Encode()).Or(t)
		text := string(data[bytes.Index(data, []byte("[\n"))+2 : bytes.LastIndex(data, []byte("\n ],"))])
		text = strings.Replace(text, `"source":`, `"`+key+`":`, 1)
		cells = append(cells, strings.Replace(text, `"id": "`+c.ID+`",`, "", 1))
	}
	all := must.Get((&nbformat.Notebook{Minor: 5, Metadata: nb.Metadata}).Encode()).Or(t)
	text := strings.Replace(string(all), `"cells": []`, `"worksheets": [{"metadata": {}, "cells": [`+strings.Join(cells, ",")+`]}]`, 1)
	end := strings.LastIndex(text, `"nbformat": 4`)
	return text[:end] + `"nbformat": 3, "nbformat_minor": 0}`
}

// Whatever befalls the file or its cells, right answers are judged as such: from a platform's zip, from a folder, by grade and
// by check, which all say the same of it. What grade writes is a notebook that nbgrader takes.
func TestFlaws(t *testing.T) {
	root := must.Get(repo.Root()).Or(t)
	c, released := newCourse(t)
	r := released.Notebooks[0]
	a := must.Get(assignment.Read(t.Context(), r.Source, root)).Or(t)
	b := &grade.Builder{Root: root}
	dir := t.TempDir()
	var export bytes.Buffer
	z := zip.NewWriter(&export)
	files := map[string]string{}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(flaws)), func(name string) bool {
		return name == "40 MB of output" && !tier.IsLong(t)
	})
	for i, name := range names {
		f := flaws[name]
		file := f.file
		if file == "" {
			file = "hx.ipynb"
		}
		data := f.make(t, right(t, r))
		files[name] = data
		w := must.Get(z.Create(fmt.Sprintf("Ada Lovelace_%d_assignsubmission_file_/%s", 100+i, file))).Or(t)
		must.Get(w.Write([]byte(data))).Or(t)
		own := filepath.Join(dir, "in", fmt.Sprint("s", i))
		must.Do(t, os.MkdirAll(own, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(own, file), []byte(data), 0o666))
	}
	must.Do(t, z.Close())
	must.Do(t, os.WriteFile(filepath.Join(dir, "moodle.zip"), export.Bytes(), 0o666))
	inputs := []string{filepath.Join(dir, "moodle.zip"), filepath.Join(dir, "in")}
	must.Get(collect.Collect(t.Context(), collect.Options{Course: c, Assignment: "hx", Inputs: inputs})).Or(t)
	graded := map[string]grade.Graded{}
	if tier.IsLong(t) {
		o := grade.Options{Course: c, Release: released, Builder: b, Results: t.TempDir(), Jobs: 1, NoOutputs: true, Report: func(g grade.Graded) { graded[g.Student] = g }}
		for i := range names {
			o.Students = append(o.Students, fmt.Sprint("s", i))
		}
		must.Do(t, grade.Run(t.Context(), o))
	}
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			for _, student := range []string{fmt.Sprint(100 + i), fmt.Sprint("s", i)} {
				at := filepath.Join(c.Dir, "submitted", student, "hx")
				rec := must.Get(collect.ReadRecord(at)).Or(t)
				data, err := os.ReadFile(filepath.Join(at, "hx.ipynb"))
				if err != nil || string(data) != files[name] {
					t.Errorf("collect, %s: %v, %d bytes, want the %d that were handed in: %+v", student, err, len(data), len(files[name]), rec.Faults)
				}
			}
			nb, notes, err := grade.Returned(a, r.Release, []byte(files[name]))
			must.Do(t, err)
			if said := fmt.Sprint(notes); flaws[name].note == "" && notes != nil || !strings.Contains(said, flaws[name].note) {
				t.Errorf("grade says %s, want %q", said, flaws[name].note)
			}
			whole(t, a, nb)
			for _, id := range []string{"why", "sum", "twice"} {
				if i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { m, _ := nbgrader.Read(c); return m.ID == id }); i < 0 && name != "both in one cell" && name != "two answers merged" && !(strings.HasSuffix(name, "a given cell") && id == "sum") {
					t.Errorf("the notebook has no %s", id)
				}
			}
			read, mended, err := nbformat.Mend([]byte(files[name]))
			must.Do(t, err)
			sheet := must.Get(check.Read(read, t.TempDir(), mended...)).Or(t)
			if !tier.IsLong(t) {
				return
			}
			if g := graded[fmt.Sprint("s", i)]; g.Err != nil || g.Score != 4 || g.Max != 4 || g.Faults != nil {
				t.Errorf("%+v, want 4 points", g)
			}
			at := filepath.Join(c.Dir, "autograded", fmt.Sprint("s", i), "hx", "hx.ipynb")
			written := must.Get(nbformat.Read(at)).Or(t)
			must.Do(t, nbgrader.Validate(written))
			for _, c := range hx[2:] { // a student's text is lost nowhere
				line, _, _ := strings.Cut(c.answer, "\n")
				if !slices.ContainsFunc(written.Cells, func(own *nbformat.Cell) bool { return strings.Contains(own.Source, line) }) {
					t.Errorf("the graded notebook has no %q", line)
				}
			}
			result := must.Get(sheet.Run(t.Context(), b)).Or(t)
			for _, note := range notes {
				if !slices.Contains(result.Warnings, note) {
					t.Errorf("check says %v, and not %v", result.Warnings, note)
				}
			}
			if !result.Passed() {
				t.Errorf("by check it fails: %+v", result.Tests)
			}
		})
	}
}

// What grade has made of these notebooks, Jupyter and nbgrader take.
func TestFlawsAsNbgrader(t *testing.T) {
	tier.Peer(t)
	python := must.Get(formgrade.Nbgrader().Python(t.Context(), nil)).Or(t)
	_, released := newCourse(t)
	r, dir := released.Notebooks[0], t.TempDir()
	for i, name := range slices.Sorted(maps.Keys(flaws)) {
		nb, _, err := nbformat.Mend([]byte(flaws[name].make(t, right(t, r))))
		must.Do(t, err)
		file := filepath.Join(dir, fmt.Sprint(i, ".ipynb"))
		must.Do(t, assignment.Return(r.Release, nb, nil).Notebook.WriteFile(file))
	}
	random := rand.New(rand.NewPCG(43, 12))
	for i := range 300 { // random changes, which may make nbgrader's metadata wrong
		var v any
		must.Do(t, json.Unmarshal([]byte(flaws["nothing"].make(t, right(t, r))), &v))
		for range 5 {
			v = mutate(random, v, false)
		}
		data := must.Get(json.Marshal(v)).Or(t)
		if nb, _, err := nbformat.Mend(data); err == nil {
			must.Do(t, nb.WriteFile(filepath.Join(dir, fmt.Sprint("mutant", i, ".ipynb"))))
		}
	}
	out, err := exec.CommandContext(t.Context(), python, "-W", "error", "-c", `
import glob, sys, nbformat
from nbgrader.nbgraderformat import MetadataValidator
for name in glob.glob(sys.argv[1] + "/*.ipynb"):
    nb = nbformat.read(name, as_version=nbformat.NO_CONVERT)
    try:
        nbformat.validate(nb)
        if "mutant" not in name:
            MetadataValidator().validate_nb(nb)
    except Exception as e:
        sys.exit(f"{name}: {e}")
`, dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// whole checks that a notebook's answers are all in the guest.
func whole(t *testing.T, a *assignment.Assignment, nb *nbformat.Notebook) {
	t.Helper()
	g := must.Get(a.Assemble(t.Context(), nb, nil, nil)).Or(t)
	text := string(g.Files["cells.go"])
	for _, has := range []string{"return First(xs) + Sum(xs[1:])", "return xs[len(xs)-len(xs)]", "return x + x"} {
		if !strings.Contains(text, has) {
			t.Errorf("no %q in the guest; missing %v, notes %v", has, g.Missing, g.Notes)
		}
	}
	delete(g.Missing, "addAll") // the lecturer's own
	if len(g.Missing) > 0 {
		t.Errorf("missing %v", g.Missing)
	}
}
