package assignment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// copies leaves the metadata to one of several cells that have them.
func (r *Returned) copies() {
	places := map[string][]int{}
	for at, id := range r.ids {
		places[id] = append(places[id], at)
	}
	for _, was := range r.handed {
		m, _ := nbgrader.Read(was)
		all := places[m.ID]
		if len(all) < 2 {
			continue
		}
		counts := all[0]
		for _, at := range all {
			changed := strings.TrimSpace(r.Notebook.Cells[at].Source) != strings.TrimSpace(was.Source)
			if m.Kind() == nbgrader.Answer && r.answers(at, m.ID) || m.Kind() == nbgrader.ManualAnswer && changed {
				counts = at
			}
		}
		for _, at := range all {
			if at == counts {
				continue
			}
			c := plain(r.Notebook.Cells[at])
			r.Notebook.Cells[at], r.ids[at] = c, ""
			more := slices.DeleteFunc(slices.Clone(r.declares(at)), func(name string) bool { return slices.Contains(r.declares(counts), name) })
			if m.Kind() == nbgrader.Answer && len(more) > 0 {
				r.note(nbgrader.Own(c.ID), "it is another part of cell %s, which was split or copied: %s counts too", m.ID, list(more))
			} else {
				r.note(nbgrader.Own(c.ID), "it is a copy of cell %s, which counts: delete one of them", m.ID)
			}
		}
	}
}

// join makes one cell of an answer that was split in the middle of a declaration: of halves that are Go only together.
func (r *Returned) join() {
	parses := func(source string) bool { _, err := declarations("", source); return err == nil }
	for at := 0; at+1 < len(r.ids); at++ {
		first, second := r.Notebook.Cells[at], r.Notebook.Cells[at+1]
		was := r.byID[r.ids[at]]
		if was == nil || first.Type != "code" || second.Type != "code" || r.ids[at+1] != "" && r.ids[at+1] != r.ids[at] {
			continue
		}
		m, _ := nbgrader.Read(was)
		if r.read += len(first.Source) + len(second.Source); r.read > maxOwnText { // no honest notebook has so much
			return
		}
		if m.Kind() != nbgrader.Answer || parses(first.Source) || parses(second.Source) || !parses(first.Source+"\n"+second.Source) {
			continue
		}
		own := *first
		own.Source, own.Outputs = first.Source+"\n"+second.Source, slices.Concat(first.Outputs, second.Outputs)
		r.Notebook.Cells[at] = &own
		r.Notebook.Cells, r.ids = slices.Delete(r.Notebook.Cells, at+1, at+2), slices.Delete(r.ids, at+1, at+2)
		r.note(r.ids[at], "it was split in the middle: its halves are joined, since they are Go only together")
	}
}

// list writes names for a sentence.
func list(names []string) string {
	for i, name := range names {
		names[i] = shown(name)
	}
	if n := len(names); n > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", n-3))
	}
	return strings.Join(names, ", ")
}

// code makes code of an answer that was, and is Go.
func (r *Returned) code(at int) {
	c, was := r.Notebook.Cells[at], r.byID[r.ids[at]]
	if was == nil || c.Type == was.Type || was.Type != "code" {
		return
	}
	if m, _ := nbgrader.Read(was); m.Kind() != nbgrader.Answer {
		return
	}
	source := unfenced(c.Source)
	if d, err := declarations(c.ID, source); err != nil || d == nil || len(d.Names()) == 0 {
		r.note(r.ids[at], "it is a %s cell, and was a code cell: it is not Go, and does not count", c.Type)
		return
	}
	r.note(r.ids[at], "it is a %s cell, and was a code cell: it is taken as code, since it is Go", c.Type)
	own := *c
	own.Type, own.Source, own.Attachments = "code", source, nil
	r.Notebook.Cells[at] = &own
}

// unfenced returns what stands in a block of code that is a whole Markdown cell, in the same lines, and other text as it is.
func unfenced(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	if last := len(lines) - 1; last > 0 && strings.HasPrefix(lines[0], "```") && lines[last] == "```" {
		return strings.Join(append([]string{""}, lines[1:last]...), "\n")
	}
	return text
}

// pasted gives answers that stand in cells of the lecturer's a cell of their own.
func (r *Returned) pasted() {
	changed := map[int]bool{} // of the lecturer's cells
	elsewhere, ids := map[string]bool{}, map[string]bool{}
	for at, c := range r.Notebook.Cells {
		if was := r.byID[r.ids[at]]; was != nil && c.Type == "code" {
			if m, _ := nbgrader.Read(was); m.ReadOnly() {
				changed[at] = strings.TrimSpace(c.Source) != strings.TrimSpace(was.Source)
			}
		}
		ids[c.ID] = true
	}
	if !slices.Contains(slices.Collect(maps.Values(changed)), true) {
		return
	}
	for at, c := range r.Notebook.Cells {
		if _, lecturers := changed[at]; c.Type == "code" && !lecturers {
			for _, name := range r.declares(at) {
				elsewhere[name] = true
			}
		}
	}
	var cells []*nbformat.Cell
	for at, c := range r.Notebook.Cells {
		cells = append(cells, c)
		if !changed[at] {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(r.declares(at)), func(name string) bool { return r.names[name] == "" || elsewhere[name] })
		source := without(c, r.byID[r.ids[at]])
		if d, err := declarations("", source); len(names) == 0 || err != nil || d == nil {
			continue
		}
		own := &nbformat.Cell{Type: "code", Metadata: map[string]any{}, Source: source}
		for n := 1; own.ID == "" || ids[own.ID]; n++ {
			own.ID = "pasted-" + strconv.Itoa(n)
		}
		ids[own.ID], r.Placed[own.ID] = true, at+1
		cells = append(cells, own)
		r.note(nbgrader.Own(own.ID), "it stood in cell %s, which is the lecturer's: %s counts from here", r.ids[at], list(names))
	}
	r.Notebook.Cells = cells
}

// without returns the source of a cell with blank lines in place of what it was handed out with, and of commands.
func without(c, was *nbformat.Cell) string {
	lines := strings.Split(c.Source, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	d, err := declarations("", c.Source)
	if err != nil || d == nil {
		return ""
	}
	for _, name := range Declares("", was.Source) {
		var at []gonb.Origin
		if f := d.Funcs[name]; f != nil {
			at = f.At
		} else if t := d.Types[name]; t != nil {
			at = t.At
		} else if v := d.Vars[name]; v != nil {
			at = v.At
		} else if c := d.Consts[name]; c != nil {
			at = c.At
		}
		for _, o := range at {
			if o.Line >= 0 && o.Line < len(lines) {
				lines[o.Line] = ""
			}
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
