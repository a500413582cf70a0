package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/shell"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/gotest/figures"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/notebook/picture"
	"marginalia/internal/notebook/report"
)

// differing gathers the cells of all notebooks that are not as stored.
type differing struct {
	cells []report.Cell
	files []string // the notebooks with outputs that --update may store
	total int      // cells that were compared or failed
}

// add takes what came of the cells of a notebook.
func (d *differing) add(file string, nb *nbformat.Notebook, results []celltest.Result) {
	for _, r := range results {
		if r.Skipped == "" {
			d.total++
		}
		if len(r.Failures) == 0 {
			continue
		}
		c := report.Cell{Name: filepath.Base(file) + "#" + r.ID, Differences: figuresOnce(r.Differences)}
		for _, f := range r.Failures {
			if !slices.ContainsFunc(r.Differences, func(x outputs.Difference) bool { return x.String() == f }) {
				c.Failures = append(c.Failures, outputs.Visible(strings.TrimRight(f, "\n")))
			}
		}
		if c.Failures != nil { // it says what those do that repeat it
			c.Differences = slices.DeleteFunc(c.Differences, outputs.Difference.Repeats)
		}
		at := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == r.ID })
		c.Heading = sectionOf(nb.Cells[:at])
		if o, err := outputs.OptionsOf(nb.Cells[at]); err == nil && len(c.Differences) > 0 {
			c.Compared = compared(o, c.Differences)
		}
		if len(c.Failures) == 0 {
			c.Accept = called() + " test " + shell.Quote(file) + " --run " + shell.Quote(r.ID) + " --update"
			if !slices.Contains(d.files, file) {
				d.files = append(d.files, file)
			}
		}
		d.cells = append(d.cells, c)
	}
}

// refused takes a notebook whose cells could not be run.
func (d *differing) refused(file string, err error) {
	d.cells = append(d.cells, report.Cell{Name: file, Failures: []string{outputs.Visible(err.Error())}})
}

// figuresOnce returns the differences with one for each display that has pictures: a figure may be
// there as SVG and as PNG, and the last has pixels.
func figuresOnce(all []outputs.Difference) (list []outputs.Difference) {
	display := func(d outputs.Difference) string { name, _, _ := strings.Cut(d.What, ","); return name }
	for _, d := range all {
		last := len(list) - 1
		if pictures := d.Old != nil || d.New != nil; pictures && last >= 0 && display(list[last]) == display(d) {
			list[last] = d
			continue
		}
		list = append(list, d)
	}
	return list
}

// compared says how closely the outputs of a cell were compared.
func compared(o outputs.Options, differences []outputs.Difference) string {
	var how []string
	text, pictures := false, false
	for _, d := range differences {
		drawn := d.Old != nil || d.New != nil
		text, pictures = text || !drawn, pictures || drawn
	}
	switch {
	case text && o.Tolerance > 0:
		how = append(how, fmt.Sprintf("Numbers in text may differ by a share of %g (metadata.marginalia.tolerance).", o.Tolerance))
	case text && o.Timings:
		how = append(how, "Text is compared exactly, except how long tests took.")
	case text:
		how = append(how, "Text is compared exactly.")
	}
	if pictures {
		how = append(how, picture.Tolerance)
	}
	return strings.Join(how, " ")
}

// sectionOf is the last heading in cells, without its mark.
func sectionOf(cells []*nbformat.Cell) (section string) {
	for _, c := range slices.Backward(cells) {
		fenced := false
		for line := range strings.Lines(c.Source) {
			fenced = fenced != strings.HasPrefix(line, "```")
			if text := strings.TrimLeft(line, "#"); c.Type == "markdown" && !fenced && text != line && strings.HasPrefix(text, " ") {
				section = strings.TrimSpace(text)
			}
		}
		if section != "" {
			return section
		}
	}
	return ""
}

// report writes the page, if there is to be one, and says how to get it and how to accept what differs.
func (t *tester) report(w io.Writer, notebooks []string) error {
	d, file := &t.differ, t.reportFile
	update := called() + " test " + shell.Join(d.files) + " --update"
	if d.files == nil {
		update = ""
	}
	stored := ""
	if update != "" {
		stored = "; " + update + " stores what is new"
	}
	if file == "" {
		if update != "" {
			again := shell.Join(notebooks)
			if t.only != "" {
				again += " --run " + shell.Quote(t.only)
			}
			fmt.Fprintf(w, "%s test %s --report report.html shows what differs, old and new%s\n", called(), again, stored)
		}
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() || strings.HasSuffix(file, string(filepath.Separator)) {
		file = filepath.Join(file, "report.html")
	}
	page := report.Page{Title: "Outputs that differ", Accept: update, Cells: d.cells}
	if len(d.cells) == 0 {
		page.Title = "All outputs are as stored"
	}
	page.Lead = fmt.Sprintf("%d cells of %s ran.", d.total, strings.Join(notebooks, ", "))
	if err := page.Write(file); err != nil {
		return err
	}
	fmt.Fprintf(w, "report: %s%s\n", file, stored)
	return nil
}

// figuresThatDiffer is the page of figures that are not as recorded.
func figuresThatDiffer(changes []figures.Change) report.Page {
	p := report.Page{Title: "Figures that changed", Accept: "go run . figures --update"}
	for _, ch := range changes {
		p.Cells = append(p.Cells, report.Cell{Name: ch.Name, Heading: ch.Cell, Differences: []outputs.Difference{
			{What: "figure", Note: ch.Why, Old: ch.Want, New: ch.Got},
		}})
	}
	return p
}
