package grade

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/verdict"
)

// graded returns a student's notebook with the verdicts as outputs of the tests cells. The
// lecturer's cells are those of the release, whatever became of them, and stand behind the cell
// that they followed there if they were deleted. A copy of one of them has no metadata of
// nbgrader's, which takes it for an error. shown are the outputs of the student's cells; if it is nil,
// cells have not been run.
func graded(release, nb *nbformat.Notebook, v *verdict.Notebook, shown map[*nbformat.Cell][]nbformat.Output) *nbformat.Notebook {
	out := *nb
	out.Cells = nil
	ids, place := map[string]bool{}, map[string]int{}
	ours := map[string]*nbformat.Cell{}
	for _, c := range release.Cells {
		if m, _ := nbgrader.Read(c); m.Stored() {
			ours[m.ID] = c
		}
	}
	for _, c := range nb.Cells {
		own := *c
		m, err := nbgrader.Read(c)
		r := ours[m.ID]
		_, twice := place[m.ID]
		switch {
		case r == nil || twice || err != nil:
			if _, has := c.Metadata["nbgrader"]; has {
				own.Metadata = maps.Clone(c.Metadata)
				delete(own.Metadata, "nbgrader")
			}
		default:
			place[m.ID] = len(out.Cells)
			own = restored(r, c)
		}
		if own.Type == "code" {
			own.ExecutionCount = nil
			if own.Outputs = shown[c]; shown == nil {
				own.Outputs = handedIn(c.Outputs)
			}
		}
		ids[own.ID] = true
		out.Cells = append(out.Cells, &own)
	}
	before := ""
	for _, r := range release.Cells {
		m, _ := nbgrader.Read(r)
		if !m.Stored() {
			continue
		}
		if _, there := place[m.ID]; !there {
			at := 0
			if before != "" {
				at = place[before] + 1
			}
			own := *r
			for i := 1; ids[own.ID]; i++ {
				own.ID = "restored-" + strconv.Itoa(i)
			}
			ids[own.ID] = true
			out.Cells = slices.Insert(out.Cells, at, &own)
			for id, i := range place {
				if i >= at {
					place[id] = i + 1
				}
			}
			place[m.ID] = at
		}
		before = m.ID
	}
	for _, t := range v.Tests {
		if i, ok := place[t.ID]; ok {
			c := *out.Cells[i]
			c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: Told(t)}}
			c.ExecutionCount = nil
			out.Cells[i] = &c
		}
	}
	return &out
}

// restored is a cell of the release with what the student may have changed: the source of an answer.
func restored(r, c *nbformat.Cell) nbformat.Cell {
	own := *r
	own.ID = c.ID
	m, _ := nbgrader.Read(r)
	if !m.ReadOnly() {
		if own.Source = c.Source; own.Type != "code" { // which has no attachments
			own.Attachments = c.Attachments
		}
	}
	return own
}

// Told says the verdict on a tests cell in words. Nothing hidden is in it.
func Told(t verdict.Test) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s of %s points\n", points(t.Score), points(t.Max))
	for _, c := range t.Checks {
		if c.Worth == 0 && c.Passed {
			continue
		}
		if c.Passed {
			fmt.Fprintf(&w, "passed: %s\n", c.Words)
			continue
		}
		fmt.Fprintf(&w, "failed: %s\n", c.Words)
		if c.Beside && t.Score > 0 {
			fmt.Fprintf(&w, "    it fails outside its subtests, which costs %s points\n", points(c.Cost))
		}
		if c.Hidden {
			continue
		}
		texts := c.Messages
		if c.Panic != "" {
			texts = append(slices.Clone(texts), c.Panic)
		}
		for _, text := range texts {
			fmt.Fprintf(&w, "    %s\n", strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    "))
		}
		if c.Place != nil {
			fmt.Fprintf(&w, "    in cell %s, line %d\n", nbgrader.Shown(c.Place.Cell), c.Place.Line)
		}
	}
	return w.String()
}

func points(p float64) string { return strconv.FormatFloat(p, 'g', 4, 64) }

// scores returns the marks of one notebook: the tests', and of what is marked by hand the 0 of
// one who has not answered. reason is why the whole notebook gets none.
func scores(name string, release, nb *nbformat.Notebook, v *verdict.Notebook, reason string) gradebook.NotebookScores {
	source := map[string]string{}
	if nb != nil {
		for _, c := range slices.Backward(nb.Cells) { // the first of several counts
			if m, _ := nbgrader.Read(c); m.ID != "" {
				source[m.ID] = c.Source
			}
		}
	}
	all := gradebook.NotebookScores{Notebook: name}
	for _, c := range release.Cells {
		m, _ := nbgrader.Read(c)
		score := gradebook.Score{Cell: m.ID}
		var zero float64
		switch m.Kind() {
		case nbgrader.Tests:
			score.Auto = &zero
			for _, t := range v.Tests {
				if t.ID == m.ID {
					score.Auto = &t.Score
				}
			}
		case nbgrader.ManualAnswer:
			if source[m.ID] == "" || source[m.ID] == c.Source {
				score.Auto, score.Comment = &zero, "No response." // nbgrader's words
			}
		case nbgrader.Task:
			if reason != "" {
				score.Auto = &zero
			}
		case nbgrader.Answer:
		default:
			continue
		}
		if reason != "" && m.Kind() != nbgrader.Tests {
			score.Comment = reason
		}
		if score.Auto != nil || score.Comment != "" {
			all.Cells = append(all.Cells, score)
		}
	}
	return all
}
