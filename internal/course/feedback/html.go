package feedback

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"marginalia/internal/notebook/nbgrader"
)

//go:embed page.html
var pageText string

// Style is the style sheet of pages.
//
//go:embed page.css
var Style string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Policy lets a browser load nothing for a page: no script, no font, no picture from outside
// (W3C, Content Security Policy Level 3). A hash names the one style sheet.
func Policy() string {
	sum := sha256.Sum256([]byte(Style))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// writeHTML writes a page as one file that needs no other.
func (p *page) writeHTML(w io.Writer) error {
	return pageTemplate.Execute(w, struct {
		Policy, Notebook, ID string
		Style                template.CSS
		Page                 *page
	}{Policy(), p.Notebook, p.ID, template.CSS(Style), p})
}

var labels = map[string]string{
	nbgrader.Answer.String():       "Your answer",
	nbgrader.Tests.String():        "Checks",
	nbgrader.ManualAnswer.String(): "Your answer",
	nbgrader.Task.String():         "Task",
}

// Label names a cell on the page, "" if it needs no name.
func (c *cell) Label() string {
	if c.Kind == "" && c.Code {
		return "Cell"
	}
	return labels[c.Kind]
}

// answer reports whether the student writes the cell.
func (c *cell) answer() bool {
	return c.Kind == nbgrader.Answer.String() || c.Kind == nbgrader.ManualAnswer.String()
}

// Class is the cell's class in the style sheet.
func (c *cell) Class() string {
	class := ""
	switch {
	case c.answer():
		class = "yours"
	case c.Graded:
		class = "asks"
	}
	if len(c.Lines) > 40 {
		class += " long"
	}
	return class
}

// Folded is the heading under which the page folds code that students were given, "" for
// other cells.
func (c *cell) Folded() string {
	switch {
	case !c.Code || len(c.Lines) == 0:
	case c.Kind == nbgrader.Tests.String():
		return "The visible tests"
	case c.Kind == nbgrader.Given.String():
		return "Code that was given"
	}
	return ""
}

// Mark is the class of the points.
func (c *cell) Mark() string {
	switch {
	case c.Pending:
		return "pending"
	case c.Full:
		return "full"
	case c.None:
		return "none"
	}
	return ""
}

// Run counts the checks, without those that stand for a group.
func (c *cell) Run() (n int) {
	for _, k := range c.Checks {
		if !k.Group {
			n++
		}
	}
	return n
}

// Passed counts those of them that passed.
func (c *cell) Passed() (n int) {
	for _, k := range c.Checks {
		if k.Passed && !k.Group {
			n++
		}
	}
	return n
}
