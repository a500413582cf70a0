package check

import (
	"strings"
	"testing"

	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
)

// What a student has done to the notebook is said by cell and line, and the lecturer's cells are
// judged as they were handed out.
func TestWarnings(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*nbformat.Notebook)
		want   string // a warning; "" for none
		bare   string // without terms, if it is another
	}{
		"nothing": {func(*nbformat.Notebook) {}, "", ""},
		"answered": {func(nb *nbformat.Notebook) {
			cellOf(nb, "mean").Source = "// Mean is right.\nfunc Mean(x []float64) (float64, error) { return 0, nil }"
		}, "", ""},
		"space": {func(nb *nbformat.Notebook) { cellOf(nb, "imports").Source += "\n" }, "", "cell 2 (imports): the cell was changed, and students must not: the grader takes it as it was handed out, this check as it is"},
		"tests changed": {func(nb *nbformat.Notebook) { cellOf(nb, "mean-test").Source = "%test\nfunc TestMean(t *testing.T) {}" },
			"cell 5 (mean-test): the cell was changed, and students must not: the grader takes it as it was handed out, and so does this check",
			"cell 5 (mean-test): the cell was changed, and students must not: the grader takes it as it was handed out, this check as it is"},
		"text changed": {func(nb *nbformat.Notebook) { cellOf(nb, "mean-question").Source = "easier" }, "cell 3 (mean-question): the cell was changed", ""},
		"tests deleted": {func(nb *nbformat.Notebook) { without(nb, "imports") },
			"cell imports: the cell was deleted, and students must not: the grader puts it back, and so does this check", "-"},
		"answer deleted": {func(nb *nbformat.Notebook) { without(nb, "mean") }, "cell mean: the cell is missing, and with it your answer", "-"},
		"words deleted":  {func(nb *nbformat.Notebook) { without(nb, "words") }, "cell words: the cell is missing, and with it your answer", "-"},
		"type": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Type = "markdown" },
			"cell 4 (mean): it is a markdown cell, and was a code cell: it is taken as code, since it is Go", "-"},
		"copy": {func(nb *nbformat.Notebook) {
			own := *cellOf(nb, "mean")
			own.ID = "copy"
			nb.Cells = append(nb.Cells, &own)
		}, "cell 9: it is a copy of cell 4 (mean), which counts: delete one of them", ""},
		"directive": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source += "\n//go:linkname f runtime.g" },
			"cell 4 (mean), line 6: //go:linkname does nothing here: the grader takes out all comments", ""},
		"build tag":  {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "// +build linux\n" }, "cell 4 (mean), line 1: // +build does nothing here", ""},
		"no comment": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source += "\n//godoc is a tool, //lined too" }, "", ""},
		"own cell": {func(nb *nbformat.Notebook) {
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "!ls\n//export f\n", Metadata: map[string]any{}})
		}, "cell 9, line 2: //export does nothing here", ""},
		"shell":   {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "\n!rm -rf /" }, "cell 4 (mean), line 2: !rm -rf / does nothing here: the grader takes the Go code alone", ""},
		"command": {func(nb *nbformat.Notebook) { cellOf(nb, "mean").Source = "%goflags -race\nfunc f() {}\n%%\nf()" }, "cell 4 (mean), line 1: %goflags -race does nothing here", ""},
	} {
		for _, kind := range []string{"release", "bare"} {
			nb, want := released(t), c.want
			if kind == "bare" {
				if nb = bare(t); c.bare == "-" {
					continue // nobody knows which cells there were
				} else if c.bare != "" {
					want = c.bare
				} else {
					want = strings.Replace(want, "and so does this check", "this check as it is", 1)
				}
			}
			handed := map[string]string{}
			for _, c := range nb.Cells {
				handed[name(c)] = c.Source
			}
			c.change(nb)
			s := read(t, nb)
			r := &Report{places: places(nb)}
			submitted := s.warn(r)
			s.note(r, nil)
			text, _, _ := strings.Cut(printed(t, r), "cell 7 (words): ")
			if want == "" && strings.Contains(text, "warning") || want != "" && !strings.HasPrefix(text, "warning: "+want) || strings.Count(text, "warning") > 1 {
				t.Errorf("%s, %s: %q, want %q", what, kind, text, want)
			}
			for _, c := range submitted.Cells {
				if m, _ := nbgrader.Read(c); kind == "release" && m.ReadOnly() && strings.TrimSpace(c.Source) != strings.TrimSpace(handed[m.ID]) {
					t.Errorf("%s: cell %s is judged as %q", what, m.ID, c.Source)
				}
			}
		}
	}
}

// What the grader says of a submission reaches the student once, with the place in the notebook.
func TestNotes(t *testing.T) {
	nb := released(t)
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "code", Source: "func x() {}", Metadata: map[string]any{}})
	s := read(t, nb)
	r := &Report{places: places(nb)}
	s.warn(r)
	note := func(cell string, line int, text string) verdict.Note {
		return verdict.Note{Place: verdict.Place{Cell: cell, Line: line}, Text: text}
	}
	s.note(r, []verdict.Note{
		note("own.mine", 2, "it declares Mean again, which cell mean declares: that one counts"),
		note("mean", 3, "Mean does not compile: undefined: sum"), note("mean", 3, "Mean does not compile: undefined: sum"),
		note("mean", 0, "the cell is missing"), note("", 0, "\x1b[31mred"),
	})
	want := `warning: the notebook: ` + "\uFFFD" + `[31mred
warning: cell 4 (mean), line 3: Mean does not compile: undefined: sum
warning: cell 9, line 2: it declares Mean again, which cell 4 (mean) declares: that one counts
cell 7 (words): not answered yet; a person marks it
`
	if got := printed(t, r); !strings.HasPrefix(got, want) {
		t.Errorf("the student reads\n%s\nwant\n%s", got, want)
	}
}

// Where numbers differ from student to student, the notebook's id counts, and has to be there.
func TestWhose(t *testing.T) {
	nb := bare(t)
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "who", Type: "code", Source: "var student = \"your id\"", Metadata: map[string]any{"marginalia": map[string]any{"student": true}}})
	must.Do(t, (release.Terms{Memory: 1}).Store(nb, func(_, source string) string { return source }))
	s := read(t, nb)
	r := &Report{}
	a, _, err := s.assignment(t.Context(), root(t), r)
	must.Do(t, err)
	if id := s.whose(r, a); id != "your id" || !strings.Contains(printed(t, r), `warning: the notebook: it does not say whose it is: write your id in place of "your id"`) {
		t.Errorf("as it was handed out it is %q's: %v", id, r.Warnings)
	}
	nb.Cells[len(nb.Cells)-1].Source = "var student = `ada`"
	r = &Report{}
	if id := s.whose(r, a); id != "ada" || len(r.Warnings) > 0 {
		t.Errorf("it is %q's: %v, want ada and no warning", id, r.Warnings)
	}
}

// What go vet says of an answer keeps the student's %test cells from running, and costs nothing: check says so.
func TestVet(t *testing.T) {
	nb := released(t)
	cellOf(nb, "mean").Source = "func Mean(x []float64) (float64, error) {\n\tif len(x) == 0 || len(x) == 0 {\n\t\treturn 0, errors.New(\"none\")\n\t}\n\treturn x[0], nil\n}"
	s := read(t, nb)
	r := &Report{places: places(nb)}
	a, _, err := s.assignment(t.Context(), root(t), r)
	must.Do(t, err)
	program := must.Get(a.Assemble(t.Context(), nb, nil, nil)).Or(t)
	must.Do(t, r.vet(t.Context(), program))
	want := "warning: cell 4 (mean), line 2: go vet: redundant or: len(x) == 0 || len(x) == 0: the grader takes it, and your %test cells do not build with it\n"
	if got := printed(t, r); !strings.HasPrefix(got, want) || strings.Count(got, "warning") != 1 {
		t.Errorf("%q, want %q", got, want)
	}
}
