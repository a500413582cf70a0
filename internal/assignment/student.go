package assignment

import (
	"strconv"

	"marginalia/internal/cell"
	"marginalia/internal/nbformat"
	"marginalia/internal/nbgrader"
)

// Individual reports whether the assignment differs from student to student: a cell whose
// metadata.marginalia has "student": true declares a variable for the student's id,
//
//	var student = "your id"
//
// from which given cells make numbers, data or texts. Students write their id there. The
// judge and the guest have the id of the one who is judged instead (judge.Student,
// worker.Student), whatever the notebook says.
func (a *Assignment) Individual() bool { return a.student != "" }

// studentOf returns the variable of a cell for the student's id, "" if that is not all it declares.
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

// individual has the variable for the student's id hold that of the one who is judged.
func (a *Assignment) individual(d *cell.Decls) {
	if a.student == "" {
		return
	}
	v := *d.Vars[a.student]
	v.Value, v.Tuple = "marginalia_student("+v.Value+")", nil
	d.Vars[a.student] = &v
}

// Says returns whose a notebook says that it is: the student's id, or what was handed out in
// its place.
func (a *Assignment) Says(nb *nbformat.Notebook) string {
	for _, c := range nb.Cells {
		if d, err := declarations(c.ID, c.Source); c.Type == "code" && err == nil && d != nil && d.Vars[a.student] != nil {
			id, _ := strconv.Unquote(d.Vars[a.student].Value)
			return id
		}
	}
	return ""
}
