package site

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// cellAnchor begins the anchor of a cell, as in JupyterLab's links.
const cellAnchor = "cell-id="

// notebook stages a notebook: figures as files, the cell's id as its anchor, what JupyterLab folds
// folded, and below an exercise's answer its solution. The page of a course's notebook that can't be read
// says so.
func (s *stage) notebook(ctx context.Context, rel string, lecture bool) error {
	nb, err := nbformat.Read(s.book.at(rel))
	if err != nil {
		if err := s.book.fault(fmt.Errorf("%s: %w", rel, err)); err != nil {
			return err
		}
		return s.unreadable(rel, err)
	}
	if s.codes[rel] == "" {
		s.codes[rel] = codeOf(nb)
	}
	if s.book.course() {
		if err := public(nb); err != nil {
			return err
		}
	}
	solutions, err := s.solutions(rel)
	if err != nil {
		return err
	}
	return s.page(ctx, rel, nb, solutions, lecture, func() (*nbformat.Cell, error) { return s.runBox(rel, lecture) })
}

// unreadable stages the page of a notebook that can't be read.
func (s *stage) unreadable(rel string, why error) error {
	name := s.book.name(rel)
	s.frame[rel] = name
	said := fmt.Sprintf("<p data-site>This notebook can't be read: %s</p>", html.EscapeString(strings.ReplaceAll(why.Error(), "\n", " ")))
	nb := &nbformat.Notebook{Metadata: map[string]any{}, Cells: []*nbformat.Cell{
		{ID: "name", Type: "markdown", Source: "# " + escapeMarkdown(name), Metadata: map[string]any{}},
		{ID: "fault", Type: "markdown", Source: said, Metadata: map[string]any{}},
	}}
	staged, err := nb.Encode()
	if err != nil {
		return err
	}
	return s.write(rel, staged)
}

// page stages the page of a notebook. box is the cell below its title if it has code.
func (s *stage) page(ctx context.Context, rel string, nb *nbformat.Notebook, solutions map[string]string, lecture bool, box func() (*nbformat.Cell, error)) error {
	session := newCalls(s, rel)
	var cells []*nbformat.Cell
	title := heading(nb)
	if title == "" {
		title = escapeMarkdown(s.book.name(rel))
		cells = append(cells, &nbformat.Cell{ID: "name", Type: "markdown", Source: "# " + title, Metadata: map[string]any{}})
	}
	s.frame[rel] = title
	s.cells[rel], s.more[rel] = map[int]cellOf{}, nil
	code, stored, language := false, false, languageOf(nb)
	for i, c := range nb.Cells {
		n := i + 1
		s.cells[rel][n] = cellOf{fmt.Sprintf("cell %d (%s)", n, c.ID), c.Attachments}
		code = code || c.Type == "code"
		stored = stored || len(c.Outputs) > 0
		if tagged(c, "remove-cell") {
			continue
		}
		if tagged(c, "more") {
			s.more[rel] = append(s.more[rel], c.ID)
		}
		if c.Type != "code" {
			if staged := textCell(c, n); staged != nil {
				cells = append(cells, staged)
			}
			continue
		}
		var links []call
		var err error
		if language == "go" {
			links, err = session.step(ctx, c.ID, c.Source)
		}
		if err != nil {
			return fmt.Errorf("cell %s: %w", c.ID, err)
		}
		staged := codeCell(c.ID, c.Source, links)
		staged.Metadata["cell"] = n
		foldAs(staged, c)
		if staged.Outputs, err = s.outputs(rel, title, c, n); err != nil {
			return fmt.Errorf("cell %s: %w", c.ID, err)
		}
		cells = append(cells, staged)
		if answer := solutions[c.ID]; answer != "" && answer != c.Source {
			solution := codeCell(c.ID+"-solution", answer, nil)
			fold(solution, "Show a solution", "Hide the solution", "hide-input")
			cells = append(cells, solution)
		}
	}
	if code && language == "go" {
		box, err := box()
		if err != nil {
			return err
		}
		cells = slices.Insert(cells, min(1, len(cells)), box)
	}
	if lecture {
		cells = s.playLinks(rel, title, cells)
	}
	if sliders := s.slidersCell(rel); sliders != nil {
		cells = append(cells, sliders)
	}
	if code && language == "go" && s.runs(rel) {
		runs, err := s.goCell(rel, nb)
		if err != nil {
			return err
		}
		cells = append(cells, runs)
	}
	nb.Cells = cells
	s.order[rel] = nil
	for _, c := range cells {
		n, _ := c.Metadata["cell"].(int)
		s.order[rel] = append(s.order[rel], n)
	}
	if code && !stored && s.book.course() {
		s.book.faults = append(s.book.faults, fmt.Errorf("%s: no outputs are stored, and the page shows none: go run . run %s", rel, s.book.at(rel)))
	}
	nb.Metadata = map[string]any{
		"kernelspec":    map[string]any{"name": language, "display_name": language, "language": language},
		"language_info": map[string]any{"name": language, "pygments_lexer": language},
	}
	staged, err := nb.Encode()
	if err != nil {
		return err
	}
	return s.write(rel, staged)
}

// languageOf is the language of a notebook's code.
func languageOf(nb *nbformat.Notebook) string { return cmp.Or(nb.Language(), "go") }

// codeCell is a cell of code as MyST-NB and the site's extension of Sphinx read it.
func codeCell(id, source string, links []call) *nbformat.Cell {
	c := &nbformat.Cell{ID: id, Type: "code", Source: strings.TrimRight(source, "\n"), Metadata: map[string]any{"anchor": cellAnchor + id}}
	if len(links) > 0 {
		c.Metadata["links"] = links
	}
	return c
}

// textCell is a cell of text as the site's extension of Sphinx reads it; nil if it is one for other
// programs: nbformat's metadata say for which form a raw cell is. Without it, it shows as it stands.
func textCell(c *nbformat.Cell, n int) *nbformat.Cell {
	staged := &nbformat.Cell{ID: c.ID, Type: "markdown", Source: c.Source, Metadata: map[string]any{"cell": n, "anchor": cellAnchor + c.ID}}
	if c.Type == "markdown" {
		return staged
	}
	format, _ := c.Metadata["raw_mimetype"].(string)
	if format == "" {
		format, _ = c.Metadata["format"].(string)
	}
	switch format {
	case "text/markdown", "text/html":
		staged.Metadata["form"] = format
	case "":
		staged.Metadata["form"] = "text/plain"
	default:
		return nil
	}
	return staged
}

// foldAs has a staged cell show what the tags of Jupyter Book and JupyterLab's folding leave of it.
func foldAs(staged, c *nbformat.Cell) {
	jupyter, _ := c.Metadata["jupyter"].(map[string]any)
	source := jupyter["source_hidden"] == true || tagged(c, "hide-input")
	outputs := jupyter["outputs_hidden"] == true || c.Metadata["collapsed"] == true || tagged(c, "hide-output")
	switch {
	case tagged(c, "hide-cell"):
		fold(staged, "Show the cell", "Hide the cell", "hide-cell")
	case source && outputs:
		fold(staged, "Show the {type}", "Hide the {type}", "hide-input", "hide-output")
	case source:
		fold(staged, "Show the code", "Hide the code", "hide-input")
	case outputs:
		fold(staged, "Show the output", "Hide the output", "hide-output")
	}
	for _, tag := range []string{"remove-input", "remove-output"} {
		if tagged(c, tag) {
			tags, _ := staged.Metadata["tags"].([]any)
			staged.Metadata["tags"] = append(tags, tag)
		}
	}
}

// tagged reports whether a cell has a tag, which may have _ for -.
func tagged(c *nbformat.Cell, tag string) bool {
	return c.HasTag(tag) || c.HasTag(strings.ReplaceAll(tag, "-", "_"))
}

// fold has parts of a cell stand in a <details> that is closed.
func fold(c *nbformat.Cell, show, hide string, tags ...any) {
	c.Metadata["tags"] = tags
	c.Metadata["mystnb"] = map[string]any{"code_prompt_show": show, "code_prompt_hide": hide}
}

// solutions are the sources of the cells that solve the exercises of a notebook, by their ids.
func (s *stage) solutions(rel string) (map[string]string, error) {
	dir, name := path.Split(rel)
	if s.book.course() || !strings.HasSuffix(dir, "/exercises/") {
		return nil, nil
	}
	nb, err := nbformat.Read(s.book.at(strings.TrimSuffix(dir, "exercises/") + "solutions/" + name))
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, c := range nb.Cells {
		sources[c.ID] = solutionMark.ReplaceAllString(c.Source, "")
	}
	return sources, nil
}

var solutionMark = regexp.MustCompile(`(?m)^[ \t]*// (?:BEGIN|END) SOLUTION\n`)

// runBox is a cell that says how to run the notebook, with the notebook itself.
func (s *stage) runBox(rel string, lecture bool) (*nbformat.Cell, error) {
	file, err := s.copied(rel)
	if err != nil {
		return nil, err
	}
	what, where, lab, needs := "these exercises", rel, "", fmt.Sprintf(" · <a href=\"%s\">what you need</a>", html.EscapeString(relative(rel, "README.html")+"#start"))
	switch {
	case s.book.course():
		what, where, lab, needs = "this notebook", "COURSE/"+rel, " --dir COURSE", ", which needs the folder of the course, COURSE"
	case lecture:
		what = "this lecture"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<div data-site class=\"run-box\">\n<p><strong>Run %s.</strong> %sIn a clone of marginalia, the first command opens it in JupyterLab, the second executes it without Python:</p>\n", what, s.labLink(rel))
	fmt.Fprintf(&b, "<pre>go run . lab%s\ngo run . run %s</pre>\n", lab, html.EscapeString(where))
	fmt.Fprintf(&b, "<p><a href=\"%s\" download>The notebook</a>", html.EscapeString(relative(rel, file)))
	if s.source != "" {
		fmt.Fprintf(&b, " · <a href=\"%s\">its source</a>", html.EscapeString(s.source+"/"+rel))
	}
	fmt.Fprintf(&b, "%s</p>\n</div>\n", needs)
	return &nbformat.Cell{ID: "run", Type: "markdown", Source: b.String(), Metadata: map[string]any{}}, nil
}

// outputs are those of a cell with pictures as files. One that a page can't show is a fault.
func (s *stage) outputs(rel, title string, c *nbformat.Cell, n int) ([]nbformat.Output, error) {
	var staged []nbformat.Output
	c.Outputs = nbformat.MergeStreams(c.Outputs)
	for i, o := range c.Outputs {
		o.Text = nbformat.Shown(o.Text)
		page, err := s.figure(rel, title, c, i, o)
		if err == nil && page == "" && o.Data != nil {
			o.Data, err = shown(o.Data)
		}
		if err != nil {
			err = fmt.Errorf("output %d: %w", i+1, err)
			page = fmt.Sprintf("<p data-site>This output can't be shown: %s</p>", html.EscapeString(err.Error()))
			if err := s.book.fault(fmt.Errorf("%s: %w", s.where(rel, n), err)); err != nil {
				return nil, err
			}
		}
		if page != "" {
			o = nbformat.Output{Type: "display_data", Data: map[string]any{"text/html": page}, Metadata: map[string]any{}}
		}
		staged = append(staged, o)
	}
	return staged, nil
}

// shown is what MyST-NB makes something of in an output without a picture: JSON as text, and no script,
// which pages don't run.
func shown(data map[string]any) (map[string]any, error) {
	kept := map[string]any{}
	for _, kind := range []string{"text/html", "text/markdown", "text/latex", "text/plain"} {
		if data[kind] != nil {
			kept[kind] = data[kind]
		}
	}
	if tree, ok := data["application/json"]; ok && (len(kept) == 0 || len(kept) == 1 && kept["text/plain"] != nil) {
		text, err := json.MarshalIndent(tree, "", "  ")
		if err != nil {
			return nil, err
		}
		kept["text/plain"] = string(text)
	}
	if len(kept) == 0 && len(data) > 0 {
		return nil, fmt.Errorf("pages don't show %s", strings.Join(slices.Sorted(maps.Keys(data)), ", "))
	}
	return kept, nil
}
