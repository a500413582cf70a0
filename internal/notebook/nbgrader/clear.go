package nbgrader

import (
	"fmt"
	"net/url"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// Stubs are what takes the place of a solution.
type Stubs struct {
	Code  string // of a region in a code cell
	Whole string // of a code cell without regions
	Text  string // of a region, or all, of another cell
	// Parses, if not nil, reports whether a code cell parses. Where Code would keep one from that, as a statement
	// outside of functions does, its first line alone takes the place of a region.
	Parses func(source string) bool
}

// of returns what takes the place of each region of a cell.
func (s Stubs) of(c *nbformat.Cell, regions []Region) func(region int) []string {
	stub := strings.Split(s.Text, "\n")
	if c.Type == "code" {
		stub = strings.Split(s.Code, "\n")
	}
	fits := make([]bool, len(regions))
	parses := func(fits func(region int) bool) bool {
		source, _ := cut(c.Source, regions, func(i int) []string {
			if fits(i) {
				return stub
			}
			return stub[:1]
		})
		return s.Parses(source)
	}
	// A cell that does not parse whatever stands there is not the stubs' fault.
	asked := c.Type == "code" && s.Parses != nil && parses(func(int) bool { return false })
	for i := range fits {
		fits[i] = !asked || parses(func(region int) bool { return region == i })
	}
	return func(region int) []string {
		if fits[region] {
			return stub
		}
		return stub[:1]
	}
}

// Go are the stubs of a Go notebook. A function that returns values still compiles
// with Code as its end, since panic ends it. At the top of a cell a statement does
// not compile without %%, so Whole begins with that.
var Go = Stubs{
	Code:  "// YOUR CODE HERE\npanic(\"not implemented\")",
	Whole: "%%\n// YOUR CODE HERE\npanic(\"not implemented\")",
	Text:  "YOUR ANSWER HERE",
}

// A Removed is something that was taken from a notebook and is kept from students.
type Removed struct {
	Cell        int    // its place, from 1
	ID          string // its grade_id
	Mark        Mark   // what it is
	Type        string // of the cell: "code" or "markdown"
	Line        int    // its first line in the source that it was taken from, from 1
	Text        string
	Attachments map[string]any // that nothing left in the cell refers to
}

// ClearSolutions replaces each solution region by a stub, and cells for solutions
// without regions as a whole. A region in another cell is an error.
func ClearSolutions(nb *nbformat.Notebook, stubs Stubs) ([]Removed, error) {
	return remove(nb, Solution, func(m Meta) bool { return m.Solution }, stubs.of, func(c *nbformat.Cell, m Meta) bool {
		if !m.Solution {
			return false
		}
		if c.Source = stubs.Text; c.Type == "code" {
			c.Source = stubs.Whole
		}
		return true
	})
}

// ClearHiddenTests removes the regions of hidden tests. One in a cell that has no
// points of its own is an error.
func ClearHiddenTests(nb *nbformat.Notebook) ([]Removed, error) {
	return remove(nb, HiddenTests, func(m Meta) bool { return m.Grade }, nothing, nil)
}

// ClearMarkSchemes removes mark schemes. One in a cell that is no task is an error.
func ClearMarkSchemes(nb *nbformat.Notebook) ([]Removed, error) {
	return remove(nb, MarkScheme, func(m Meta) bool { return m.Task }, nothing, nil)
}

// nothing takes the place of regions.
func nothing(*nbformat.Cell, []Region) func(int) []string { return func(int) []string { return nil } }

// remove removes the regions of one mark. allowed says whether a cell may have any,
// and by returns what takes their place. whole, if there is one, may replace the source of a
// cell without regions, and reports whether it did.
func remove(nb *nbformat.Notebook, mark Mark, allowed func(Meta) bool, by func(*nbformat.Cell, []Region) func(region int) []string, whole func(*nbformat.Cell, Meta) bool) ([]Removed, error) {
	var all []Removed
	for i, c := range nb.Cells {
		m, err := Read(c)
		if err != nil {
			return nil, faultOf(i, c, err)
		}
		regions, err := mark.Regions(c.Source)
		if err != nil {
			return nil, faultOf(i, c, err)
		}
		if !allowed(m) && len(regions) > 0 {
			return nil, faultOf(i, c, &Fault{Line: regions[0].Begin + 1, Text: fmt.Sprintf("%s in a cell of kind %v: say what the cell is in nbgrader's panel, or in its text: give tests a line // POINTS: 4", mark.Begin, m.Kind())})
		}
		first, old := len(all), c.Source
		if len(regions) > 0 {
			var texts []string
			c.Source, texts = cut(c.Source, regions, by(c, regions))
			for n, text := range texts {
				all = append(all, Removed{Cell: i + 1, ID: m.ID, Mark: mark, Type: c.Type, Line: regions[n].Begin + 2, Text: text})
			}
		} else if whole != nil && whole(c, m) {
			all = append(all, Removed{Cell: i + 1, ID: m.ID, Mark: mark, Type: c.Type, Line: 1, Text: old})
		}
		if len(all) > first {
			all[first].Attachments = unreferenced(c)
		}
	}
	return all, nil
}

// unreferenced takes the attachments from a cell that its source does not show.
func unreferenced(c *nbformat.Cell) map[string]any {
	gone := map[string]any{}
	for name, bundle := range c.Attachments {
		if !strings.Contains(c.Source, "attachment:"+name) && !strings.Contains(c.Source, "attachment:"+url.PathEscape(name)) {
			gone[name] = bundle
			delete(c.Attachments, name)
		}
	}
	if len(c.Attachments) == 0 {
		c.Attachments = nil
	}
	return gone
}

// ClearOutputs removes what all code cells printed and drew.
func ClearOutputs(nb *nbformat.Notebook) {
	for _, c := range nb.Cells {
		if c.Type == "code" {
			c.Outputs, c.ExecutionCount = nil, nil
			delete(c.Metadata, "collapsed")
			delete(c.Metadata, "scrolled")
		}
	}
}

// Lock has Jupyter refuse to delete the cells that grading needs, and to edit those
// that are not the student's.
func Lock(nb *nbformat.Notebook) error {
	return each(nb, func(c *nbformat.Cell, m Meta) {
		if m.Solution || m.ReadOnly() {
			c.Metadata["deletable"] = false
		}
		if m.ReadOnly() {
			c.Metadata["editable"] = false
		}
	})
}

// SetChecksums stores the checksum and the type of each cell that is graded, a
// solution or locked.
func SetChecksums(nb *nbformat.Notebook) error {
	return each(nb, func(c *nbformat.Cell, m Meta) {
		if m.Solution || m.ReadOnly() {
			m.Checksum, m.CellType = Checksum(c, m), c.Type
			Write(c, m)
		}
	})
}

func each(nb *nbformat.Notebook, do func(*nbformat.Cell, Meta)) error {
	for i, c := range nb.Cells {
		m, err := Read(c)
		if err != nil {
			return faultOf(i, c, err)
		}
		do(c, m)
	}
	return nil
}
