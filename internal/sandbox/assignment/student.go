package assignment

import (
	"strconv"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Individual reports whether the assignment differs from student to student: a cell whose
// metadata.marginalia has "student": true declares a variable for the student's id,
//
//	var student = "your id"
//
// from which given cells make numbers, data or texts. Students write their id there. In the judge and
// the guest the variable holds the id of the student who is judged (host.Student, worker.Student), whatever
// the notebook says.
func (a *Assignment) Individual() bool { return a.student != "" }

// studentOf returns the variable for the student's id, "" unless it is the only thing that the cell declares.
func studentOf(c *Cell) string {
	if c.Decls == nil || c.Meta.Kind() != nbgrader.Given || len(c.Decls.Names()) != 1 {
		return ""
	}
	for name, v := range c.Decls.Vars {
		if _, err := strconv.Unquote(v.Value); err == nil && (v.Type == "" || v.Type == "string") {
			return name
		}
	}
	return ""
}

// individual sets the variable for the student's id to the id of the student who is judged.
func (a *Assignment) individual(d *gonb.Decls) {
	if a.student == "" {
		return
	}
	v := *d.Vars[a.student]
	v.Value, v.Tuple = "marginalia_student("+v.Value+")", nil
	d.Vars[a.student] = &v
}

// Says returns the student's id in a notebook, or what was handed out in its place.
func (a *Assignment) Says(nb *nbformat.Notebook) string {
	for _, c := range nb.Cells {
		if d, err := declarations(c.ID, c.Source); c.Type == "code" && err == nil && d != nil && d.Vars[a.student] != nil {
			id, _ := strconv.Unquote(d.Vars[a.student].Value)
			return id
		}
	}
	return ""
}
