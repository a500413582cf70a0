package assignment

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// returned describes the cells of a notebook: grade_id or -, type if it is not code, source in one line.
func returned(nb *nbformat.Notebook) string {
	var all []string
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		text := m.ID
		if text == "" {
			text = "-"
		}
		if c.Type != "code" {
			text += " " + c.Type
		}
		all = append(all, text+": "+strings.Join(strings.Fields(c.Source), " "))
	}
	return strings.Join(all, "\n")
}

// Cells that are found again take no other's place, and nobody gains by what is not as it was handed out.
func TestReturn(t *testing.T) {
	given, stub := [3]string{"given", "given", "func G() int { return 1 }"}, "func F() int { panic(\"not implemented\") }"
	handed := sheet(given, [3]string{"answer", "f", stub}, [3]string{"tests", "f-test", "func TestF() {}"}, [3]string{"answer", "h", "func H() int { panic(\"not implemented\") }"},
		[3]string{"figure", "why", "// why"}, [3]string{"figure", "how", "// why"})
	for _, c := range handed.Cells[4:] {
		c.Type = "markdown"
	}
	names := map[string]string{"F": "f", "H": "h"}
	for name, c := range map[string]struct {
		nb   *nbformat.Notebook
		want string
		note string
	}{
		"metadata before ids": {func() *nbformat.Notebook {
			nb := sheet([3]string{"own", "", "func F() int { return 2 }"}, [3]string{"answer", "f", "func F() int { return 1 }"})
			nb.Cells[0].ID = handed.Cells[1].ID
			return nb
		}(), "-: func F() int { return 2 }\nf: func F() int { return 1 }", ""},
		"ids before names": {func() *nbformat.Notebook {
			nb := sheet([3]string{"own", "", "func F() int { return helper() }"}, [3]string{"own", "", "func F() int { return 2 }"})
			nb.Cells[0].ID, nb.Cells[1].ID = handed.Cells[1].ID, "other"
			return nb
		}(), "f: func F() int { return helper() }\n-: func F() int { return 2 }", "has its id"},
		"a test of one's own": {sheet([3]string{"tests", "f-test", "func TestF() { println() }"}), "f-test: func TestF() { println() }", ""},
		"flags of one's own": {func() *nbformat.Notebook {
			nb := sheet([3]string{"figure", "f", "func F() int { return 1 }"})
			return nb
		}(), "f: func F() int { return 1 }", ""},
		"the last counts": {sheet([3]string{"answer", "f", "func F() int { return 1 }"}, [3]string{"answer", "f", "func F() int { return 2 }"}, [3]string{"answer", "f", stub}),
			"-: func F() int { return 1 }\nf: func F() int { return 2 }\n-: " + stub, "it is a copy of cell f"},
		"the last that is Go": {sheet([3]string{"answer", "f", "func F() int { return 1 }"}, [3]string{"answer", "f", "func F() int { return"}),
			"f: func F() int { return 1 }\n-: func F() int { return", "it is a copy of cell f"},
		"pasted twice": {sheet([3]string{"given", "given", given[2] + "\nfunc F() int { return 1 }"}, [3]string{"tests", "f-test", "func TestF() {}\nfunc F() int { return 2 }"}),
			"given: func G() int { return 1 } func F() int { return 1 }\n-: func F() int { return 1 }\nf-test: func TestF() {} func F() int { return 2 }\n-: func F() int { return 2 }", "F counts from here"},
		"pasted and answered": {sheet([3]string{"given", "given", given[2] + "\nfunc F() int { return 1 }"}, [3]string{"answer", "f", "func F() int { return 3 }"}),
			"given: func G() int { return 1 } func F() int { return 1 }\nf: func F() int { return 3 }", ""},
		"a given changed alone": {sheet([3]string{"given", "given", "func G() int { return 7 }"}), "given: func G() int { return 7 }", ""},
		"helpers go with it": {sheet([3]string{"given", "given", "func G() int { return 7 }\nfunc F() int { return help() }\nfunc help() int { return 1 }"}),
			"given: func G() int { return 7 } func F() int { return help() } func help() int { return 1 }\n-: func F() int { return help() } func help() int { return 1 }", "F counts from here"},
		"a place of its own": {func() *nbformat.Notebook {
			nb := sheet([3]string{"answer", "h", "// h"}, [3]string{"own", "", "// I know"}, [3]string{"figure", "how", "// so"})
			nb.Cells[1].ID = "lost"
			for _, c := range nb.Cells[1:] {
				c.Type = "markdown"
			}
			return nb
		}(), "h: // h\nwhy markdown: // I know\nhow markdown: // so", "in its place"},
		"two in a place": {func() *nbformat.Notebook {
			nb := sheet([3]string{"answer", "h", "// h"}, [3]string{"own", "", "// I know"}, [3]string{"own", "", "// mine"})
			nb.Cells[1].ID, nb.Cells[2].ID = "lost", "mine"
			for _, c := range nb.Cells[1:] {
				c.Type = "markdown"
			}
			return nb
		}(), "h: // h\n- markdown: // I know\n- markdown: // mine", ""},
		"prose": {func() *nbformat.Notebook {
			nb := sheet([3]string{"answer", "f", "I do not know."})
			nb.Cells[0].Type = "markdown"
			return nb
		}(), "f markdown: I do not know.", "it is not Go"},
		"a block of code": {func() *nbformat.Notebook {
			nb := sheet([3]string{"answer", "f", "```go\nfunc F() int { return 4 }\n```\n"})
			nb.Cells[0].Type = "markdown"
			return nb
		}(), "f: func F() int { return 4 }", "it is taken as code"},
		"three parts": {sheet([3]string{"answer", "f", "func F() int {"}, [3]string{"answer", "f", "return 1 }"}, [3]string{"answer", "f", "func f() {}"}),
			"f: func F() int { return 1 }\n-: func f() {}", "its halves are joined"},
	} {
		before := returned(c.nb)
		r := Return(handed, c.nb, names)
		if got := returned(r.Notebook); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if notes := fmt.Sprint(r.Notes); c.note == "" && r.Notes != nil || !strings.Contains(notes, c.note) {
			t.Errorf("%s: notes %s, want %q", name, notes, c.note)
		}
		if returned(c.nb) != before {
			t.Errorf("%s: the student's notebook was changed", name)
		}
		for _, own := range r.Notebook.Cells {
			if m, err := nbgrader.Read(own); err != nil || m.ID == "f" && (m.Grade || !m.Solution) {
				t.Errorf("%s: cell %s has the metadata %+v, %v", name, m.ID, m, err)
			}
		}
	}
}

// A notebook of thousands of copies and lost cells costs no more than the reading of an honest one: only so much of it is parsed.
func TestReturnBounded(t *testing.T) {
	var parts [][3]string
	for i := range 40 {
		parts = append(parts, [3]string{"answer", fmt.Sprint("a", i), fmt.Sprintf("func A%d() int { return 1 }", i)}, [3]string{"figure", fmt.Sprint("w", i), "// words"})
	}
	names := map[string]string{}
	for i := range 40 {
		names[fmt.Sprint("A", i)] = fmt.Sprint("a", i)
	}
	var many [][3]string
	for range 3000 {
		many = append(many, [3]string{"answer", "a0", "func A0() int { return 1"}, [3]string{"own", "", "x := (" + strings.Repeat("1 + ", 500)})
	}
	r := Return(sheet(parts...), sheet(many...), names)
	if r.read > maxOwnText+maxCell {
		t.Errorf("%d bytes are parsed", r.read)
	}
	if len(r.Notes) > maxNotes {
		t.Errorf("%d notes", len(r.Notes))
	}
}
