package feedback

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
)

const (
	maxText    = 2 << 20  // bytes of a page that the student wrote
	maxImages  = 24 << 20 // bytes of its pictures
	maxSource  = 64 << 10 // bytes of one cell
	maxOwn     = 300      // cells that the student added
	maxWords   = 400      // bytes of the words of a check, of a heading, of a name
	maxMessage = 4 << 10  // bytes of what a test says
	maxSaid    = 20       // messages of a check
	maxComment = 32 << 10 // bytes
	maxNotes   = 100
)

// A page is what a student reads about one notebook. Its texts are clean, and escaped when
// they are written.
type page struct {
	Course, Assignment, Notebook string
	ID, Name                     string // the student's
	Handed, Late                 string // when it was handed in, and how late
	Score, Max, Penalty, Final   string // of the whole submission; Penalty is "" if there is none
	Here, HereMax                string // of this notebook, if there are several
	Pending                      bool   // marks are still to be given by hand
	Refused                      string // why the notebook could not be graded
	Notes                        []note
	Questions                    []*cell // those with points
	Cells                        []*cell
	Left                         int // cells of the student's own that are left out
}

// A note says what the grader found beside the checks.
type note struct {
	Where  string
	Anchor string // of the cell, "" if the page does not show it
	Text   string
}

// A cell is one of the notebook.
type cell struct {
	Anchor, ID, Title string
	Kind              string // "answer", "tests", "manual answer", "task", "given", or "" of one that may be the student's own
	Prose             template.HTML
	Lines             []codeLine // of code, and of Markdown that can't be rendered
	Source            string
	Left              string // what was left out of the source
	Code              bool
	Outputs           []output

	Graded, ByHand, Pending bool
	Points, Max, Extra      string
	Full, None              bool // all of the points; none of them
	Checks                  []check
	All                     bool // the points are given if all checks pass
	Alone                   bool // it was judged over the solutions of other questions
	Comment                 string
	Remark                  template.HTML // the comment, where it was given by hand: formgrader takes Markdown
}

// A codeLine is a line of a student's cell.
type codeLine struct {
	N      int
	Text   string
	Faults []string // what went wrong there
}

// A check is a test in words.
type check struct {
	Words    string
	Depth    int
	Group    bool // it stands for the checks below it, deeper than it
	Passed   bool
	Hidden   bool
	Worth    string // "2 points", where each check has some
	Messages []string
	Where    string // the student's line at fault
	Anchor   string
}

// An output is a picture, a text, or the words that something is left out.
type output struct {
	Image template.URL
	Alt   string
	Words string // what the picture shows, for those who do not see it; "" if that is not known
	Width int    // in CSS pixels, as JupyterLab shows the picture; 0 if that is not known
	Text  string
	Wrong bool // it went to stderr
	Left  string
}

// A builder makes a page.
type builder struct {
	budget
	figures int
}

// newPage makes the page of one notebook of a submission, with its times in zone.
func newPage(rec *grade.Record, v *verdict.Notebook, nb *nbformat.Notebook, s gradebook.Submission, zone *time.Location) *page {
	b := &builder{budget: budget{maxText, maxImages}}
	p := &page{
		Assignment: Line(v.Assignment, maxWords), Notebook: Line(v.Notebook, maxWords), ID: Line(s.Student.ID, maxWords),
		Name:    Line(s.Student.FirstName+" "+s.Student.LastName, maxWords),
		Pending: s.NeedsHand(),
	}
	if !rec.Submitted.IsZero() {
		p.Handed = rec.Submitted.In(zone).Format("2 January 2006, 15:04 MST")
	}
	marks := map[string]gradebook.Mark{}
	most, here, hereMost := 0.0, 0.0, 0.0
	for _, n := range s.Notebooks {
		for _, m := range n.Cells {
			if m.Graded {
				most += m.Max
			}
			if n.Name == v.Notebook {
				marks[m.Cell] = m
				here += m.Score()
				if m.Graded {
					hereMost += m.Max
				}
			}
		}
	}
	p.Score, p.Max, p.Final = points(s.Score().Total), points(most), points(s.Final())
	if lost := s.Penalty(); lost > 0 {
		p.Penalty, p.Late = points(lost), late(s.Late())
	}
	if len(s.Notebooks) > 1 {
		p.Here, p.HereMax = points(here), points(hereMost)
	}
	for _, fault := range rec.Faults {
		if fault.Notebook == v.Notebook {
			p.Refused = Line(fault.Reason, maxMessage)
		}
	}
	tests := map[string]verdict.Test{}
	for _, t := range v.Tests {
		tests[t.ID] = t
	}
	b.cells(p, nb, marks, tests)
	if p.Refused != "" { // the cells are those that were handed out
		for _, c := range p.Cells {
			c.Lines, c.Prose, c.Source, c.Outputs = nil, "", "", nil
		}
		p.Cells = p.Questions
		return p
	}
	p.faults(v.Notes, tests)
	return p
}

// cells puts the notebook on the page.
func (b *builder) cells(p *page, nb *nbformat.Notebook, marks map[string]gradebook.Mark, tests map[string]verdict.Test) {
	own := 0
	for i, title := range titles(nb) {
		from := nb.Cells[i]
		meta, _ := nbgrader.Read(from)
		c := &cell{Anchor: "c" + strconv.Itoa(i+1), ID: Line(cmp.Or(meta.ID, from.ID), maxWords), Code: from.Type == "code"}
		if meta.Stored() {
			c.Kind = meta.Kind().String()
		} else if own++; own > maxOwn {
			p.Left++
			continue
		}
		c.Title = title
		b.source(c, from)
		if c.Code && meta.Kind() != nbgrader.Tests { // those of tests are the checks
			c.Outputs = b.outputs(c.ID, from.Outputs)
		}
		if m, ok := marks[meta.ID]; ok && meta.ID != "" {
			c.mark(m)
		}
		if t, ok := tests[meta.ID]; ok && meta.Kind() == nbgrader.Tests {
			credit, _ := from.Setting("credit")
			c.checks(t, credit == "subtests")
		}
		if c.Graded {
			p.Questions = append(p.Questions, c)
		}
		p.Cells = append(p.Cells, c)
	}
}

// titles returns the heading above each cell, or in it.
func titles(nb *nbformat.Notebook) []string {
	all, title := make([]string, len(nb.Cells)), ""
	for i, c := range nb.Cells {
		if meta, _ := nbgrader.Read(c); c.Type == "markdown" && !meta.Solution {
			title = cmp.Or(heading(c.Source), title)
		}
		all[i] = title
	}
	return all
}

// Title returns the heading by which a page calls the cell with a grade_id, "" if it has none.
func Title(nb *nbformat.Notebook, id string) string {
	for i, title := range titles(nb) {
		if meta, _ := nbgrader.Read(nb.Cells[i]); meta.ID == id {
			return title
		}
	}
	return ""
}

// heading returns the first heading of a Markdown text, "" if there is none.
func heading(source string) string {
	for row := range strings.Lines(source[:min(len(source), maxSource)]) {
		if rest := strings.TrimLeft(row, "#"); len(rest) < len(row) && strings.HasPrefix(rest, " ") && len(row)-len(rest) <= 6 {
			return Line(strings.NewReplacer("`", "", "**", "", "$", "").Replace(rest), 120)
		}
	}
	return ""
}

// source puts the text of a cell on the page.
func (b *builder) source(c *cell, from *nbformat.Cell) {
	text, left := b.take(from.Source, maxSource, maxLines)
	c.Source, c.Left = clean(text), left
	if from.Type == "markdown" && c.Left == "" {
		html, ok := prose(c.Source, func(name string) template.URL {
			bundle, _ := from.Attachments[name].(map[string]any)
			return b.picture(bundle)
		})
		if ok {
			c.Prose = html
			return
		}
	}
	for i, row := range strings.Split(text, "\n") { // as Go counts them
		c.Lines = append(c.Lines, codeLine{N: i + 1, Text: strings.ReplaceAll(clean(strings.TrimSuffix(row, "\r")), "\n", "↵")})
	}
}

// mark puts the points and the comment of a cell on the page.
func (c *cell) mark(m gradebook.Mark) {
	c.Comment, _ = cut(m.Comment(), maxComment, maxLines)
	c.Comment = clean(c.Comment)
	if m.HandComment != "" {
		c.Remark, _ = prose(c.Comment, func(string) template.URL { return "" })
	}
	if !m.Graded {
		return
	}
	c.Graded, c.ByHand = true, m.Manual != nil
	c.Pending = m.NeedsHand
	c.Points, c.Max = points(m.Score()), points(m.Max)
	c.Full, c.None = m.Score() >= m.Max, m.Score() <= 0 && m.Max > 0
	if m.Extra != nil && *m.Extra != 0 {
		c.Extra = points(*m.Extra)
	}
	if m.NeedsHand && m.Manual == nil && m.Auto == nil {
		c.Points = "?"
	}
}

// checks puts the verdict on a tests cell on the page. A hidden check shows only its words: the
// test's messages have expected values, and how and where the student's code ended may depend
// on what the test called it with. What the code printed is left out for the same reason.
func (c *cell) checks(t verdict.Test, each bool) {
	c.All, c.Alone = !each && len(t.Checks) > 1, t.Alone
	for _, v := range t.Checks {
		k := check{Words: Line(v.Words, maxWords), Passed: v.Passed, Hidden: v.Hidden, Depth: min(3, strings.Count(v.Name, "/"))}
		k.Group = slices.ContainsFunc(t.Checks, func(o verdict.Check) bool { return strings.HasPrefix(o.Name, v.Name+"/") })
		if each && !k.Group && v.Worth > 0 {
			k.Worth = unit(points(v.Worth), "point")
		}
		if each && v.Beside {
			k.Worth = "it fails outside its subtests, which costs " + unit(points(v.Cost), "point")
		}
		if !v.Hidden && !v.Passed {
			for _, text := range append(slices.Clip(v.Messages[:min(maxSaid, len(v.Messages))]), v.Panic) {
				if text = strings.TrimSpace(text); text == "" {
					continue
				}
				text, left := cut(text, maxMessage, 60)
				if left != "" {
					text += "\n… " + left
				}
				k.Messages = append(k.Messages, clean(text))
			}
		}
		c.Checks = append(c.Checks, k)
	}
}

// faults marks the lines at fault, of visible checks that failed and of what does not compile.
func (p *page) faults(notes []verdict.Note, tests map[string]verdict.Test) {
	at := map[string]*cell{}
	for _, c := range slices.Backward(p.Cells) {
		if c.Kind != "" {
			at[c.ID] = c
		} else {
			at[nbgrader.Own(c.ID)] = c
		}
	}
	mark := func(where verdict.Place, text string) (words, anchor string) {
		c := at[where.Cell]
		if c == nil {
			return Line(where.Cell, maxWords), ""
		}
		if where.Line < 1 {
			return "cell " + c.ID, c.Anchor
		}
		if c.Code && where.Line <= len(c.Lines) {
			l := &c.Lines[where.Line-1]
			if text = Line(text, maxMessage); !slices.Contains(l.Faults, text) && len(l.Faults) < maxSaid {
				l.Faults = append(l.Faults, text)
			}
		}
		return fmt.Sprintf("line %d of cell %s", where.Line, c.ID), c.Anchor
	}
	for _, n := range notes[:min(maxNotes, len(notes))] {
		text := Line(n.Text, maxMessage)
		where, anchor := mark(n.Place, text)
		p.Notes = append(p.Notes, note{where, anchor, text})
	}
	var answers []string // those between the last tests cell and this one
	for _, c := range p.Cells {
		if c.Kind == nbgrader.Answer.String() {
			answers = append(answers, c.ID)
		}
		if c.Kind != nbgrader.Tests.String() {
			continue
		}
		t := tests[c.ID]
		for i := range c.Checks {
			from, k := t.Checks[i], &c.Checks[i]
			if from.Hidden || from.Passed || from.Place == nil {
				continue
			}
			// Judged alone, the other answers were the lecturer's.
			if own := at[from.Place.Cell]; t.Alone && own != nil && own.Kind != "" && !slices.Contains(answers, own.ID) {
				continue
			}
			text := k.Words
			if from.Panic != "" {
				text += ": " + from.Panic
			}
			k.Where, k.Anchor = mark(*from.Place, text)
		}
		answers = nil
	}
}

// points writes points with at most two decimals.
func points(p float64) string {
	return strconv.FormatFloat(math.Round(p*100)/100+0, 'f', -1, 64)
}

// unit writes a number of things.
func unit(n, name string) string {
	if n != "1" {
		name += "s"
	}
	return n + " " + name
}

// late writes a delay in days, hours or minutes.
func late(d time.Duration) string {
	hours := int(math.Ceil(d.Hours()))
	switch days := unit(strconv.Itoa(hours/24), "day"); {
	case d < 2*time.Hour:
		return unit(strconv.Itoa(int(math.Ceil(d.Minutes()))), "minute")
	case hours < 48:
		return unit(strconv.Itoa(hours), "hour")
	case hours%24 == 0:
		return days
	default:
		return days + " and " + unit(strconv.Itoa(hours%24), "hour")
	}
}
