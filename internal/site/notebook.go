package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	_ "image/png" // attachments
	"path"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/nbformat"
)

// notebook stages a notebook: links, figures as files, the cell's id as its anchor, what
// JupyterLab folds folded, and below an exercise's answer its solution.
func (s *stage) notebook(ctx context.Context, rel string, lecture bool) error {
	nb, err := nbformat.Read(s.book.at(rel))
	if err != nil {
		return err
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

// page stages the page of a notebook. box is the cell below its title if it has code.
func (s *stage) page(ctx context.Context, rel string, nb *nbformat.Notebook, solutions map[string]string, lecture bool, box func() (*nbformat.Cell, error)) error {
	session := newCalls(s, rel)
	var cells []*nbformat.Cell
	title := heading(nb)
	if title == "" {
		title = s.book.name(rel)
		cells = append(cells, &nbformat.Cell{ID: "name", Type: "markdown", Source: "# " + title, Metadata: map[string]any{}})
	}
	s.frame[rel] = title
	titles := 0
	code, stored, language := false, false, cmp.Or(nb.Language(), "go")
	for _, c := range nb.Cells {
		switch c.Type {
		case "markdown":
			if err := s.markdownCell(rel, c); err != nil {
				return fmt.Errorf("cell %s: %w", c.ID, err)
			}
			c.Source = below(c.Source, &titles)
			c.Source = anchored(c.ID, c.Source)
			cells = append(cells, c)
		case "code":
			code = true
			stored = stored || len(c.Outputs) > 0
			var links []call
			var err error
			if language == "go" {
				links, err = session.step(ctx, c.ID, c.Source)
			}
			if err != nil {
				return fmt.Errorf("cell %s: %w", c.ID, err)
			}
			staged := codeCell(c.ID, c.Source, links, c.Metadata)
			if staged.Outputs, err = s.outputs(rel, title, c); err != nil {
				return fmt.Errorf("cell %s: %w", c.ID, err)
			}
			cells = append(cells, staged)
			if answer := solutions[c.ID]; answer != "" && answer != c.Source {
				solution := codeCell(c.ID+"-solution", answer, nil, nil)
				fold(solution, "Show a solution", "Hide the solution")
				cells = append(cells, solution)
			}
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
	nb.Cells = cells
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

// codeCell is a cell of code as MyST-NB and the site's extension of Sphinx read it.
func codeCell(id, source string, links []call, metadata map[string]any) *nbformat.Cell {
	c := &nbformat.Cell{ID: id, Type: "code", Source: strings.TrimRight(source, "\n"), Metadata: map[string]any{"anchor": cellAnchor + id}}
	if len(links) > 0 {
		c.Metadata["links"] = links
	}
	if folded, _ := metadata["jupyter"].(map[string]any); folded["source_hidden"] == true {
		fold(c, "Show the code", "Hide the code")
	}
	return c
}

// fold has a cell's code stand in a <details> that is closed.
func fold(c *nbformat.Cell, show, hide string) {
	c.Metadata["tags"] = []any{"hide-input"}
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
	fmt.Fprintf(&b, "<div class=\"run-box\">\n<p><strong>Run %s.</strong> In a clone of marginalia, the first command opens it in JupyterLab, the second executes it without Python:</p>\n", what)
	fmt.Fprintf(&b, "<pre>go run . lab%s\ngo run . run %s</pre>\n", lab, html.EscapeString(where))
	fmt.Fprintf(&b, "<p><a href=\"%s\" download>The notebook</a>", html.EscapeString(relative(rel, file)))
	if s.source != "" {
		fmt.Fprintf(&b, " · <a href=\"%s\">its source</a>", html.EscapeString(s.source+"/"+rel))
	}
	fmt.Fprintf(&b, "%s</p>\n</div>\n", needs)
	return &nbformat.Cell{ID: "run", Type: "markdown", Source: b.String(), Metadata: map[string]any{}}, nil
}

// markdownCell rewrites the links and attachments of a cell of text.
func (s *stage) markdownCell(rel string, c *nbformat.Cell) error {
	text, err := s.links(rel, c.Source)
	if err != nil {
		return err
	}
	var fault error
	c.Source = attachment.ReplaceAllStringFunc(text, func(found string) string {
		m := attachment.FindStringSubmatch(found)
		bundle, _ := c.Attachments[m[2]].(map[string]any)
		for _, data := range bundle {
			picture, err := base64.StdEncoding.DecodeString(text64(data))
			if err != nil {
				fault = fmt.Errorf("attachment %s: %w", m[2], err)
			}
			name := "figures/" + s.book.name(rel) + "-" + fileName(m[2])
			s.file(name, picture)
			size := ""
			if c, _, err := image.DecodeConfig(bytes.NewReader(picture)); err == nil {
				size = fmt.Sprintf(` width="%d" height="%d"`, c.Width, c.Height)
			}
			return fmt.Sprintf(`<img class="plot" src="%s" alt="%s"%s loading="lazy">`, html.EscapeString(relative(rel, name)), html.EscapeString(m[1]), size)
		}
		fault = fmt.Errorf("there is no attachment %s", m[2])
		return ""
	})
	c.Attachments = nil
	return fault
}

var attachment = regexp.MustCompile(`!\[([^\]]*)\]\(attachment:([^()\s]+)\)`)

// text64 is base64 as nbformat has it, without line ends.
func text64(data any) string {
	text, _ := data.(string)
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "")
}

// outputs are those of a cell with figures as files.
func (s *stage) outputs(rel, title string, c *nbformat.Cell) ([]nbformat.Output, error) {
	var staged []nbformat.Output
	c.Outputs = nbformat.MergeStreams(c.Outputs)
	for i, o := range c.Outputs {
		o.Text = nbformat.Shown(o.Text)
		page, err := s.figure(rel, title, c, i, o)
		switch {
		case err != nil:
			return nil, err
		case page != "":
			o = nbformat.Output{Type: "display_data", Data: map[string]any{"text/html": page}, Metadata: map[string]any{}}
		case o.Data["text/markdown"] != nil:
			text, _ := o.Data["text/markdown"].(string)
			text, err = s.links(rel, text)
			if err != nil {
				return nil, err
			}
			// MyST-NB takes no headings inside a cell.
			o.Data = map[string]any{"text/markdown": headingLine.ReplaceAllString(text, "**$1**\n")}
		}
		staged = append(staged, o)
	}
	return staged, nil
}
