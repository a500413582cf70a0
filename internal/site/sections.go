package site

import (
	"bytes"
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// A section is a section of a lecture, with the cell of its heading.
type section struct{ page, lecture, heading, cell string }

// sectionHeading is the heading of a section, and its name without the number.
var sectionHeading = regexp.MustCompile(`^## ((?:\d+\. )?([^\n]+))`)

// playLinks adds to the cells of a lecture, at the end of each section, the links to its playgrounds.
func (s *stage) playLinks(rel, title string, cells []*nbformat.Cell) []*nbformat.Cell {
	name := strings.TrimSuffix(path.Base(rel), ".ipynb")
	for _, p := range s.living.playgrounds {
		begins := func(c *nbformat.Cell) []string {
			if c.Type != "markdown" {
				return nil
			}
			return sectionHeading.FindStringSubmatch(c.Source)
		}
		at := slices.IndexFunc(cells, func(c *nbformat.Cell) bool {
			m := begins(c)
			return m != nil && name+"#"+m[2] == p.Section
		})
		if at < 0 {
			continue
		}
		s.sections[p.ID] = section{rel, title, begins(cells[at])[1], cells[at].ID}
		end := at + 1
		for end < len(cells) && begins(cells[end]) == nil {
			end++
		}
		cells = slices.Insert(cells, end, &nbformat.Cell{ID: "play-" + p.ID, Type: "markdown", Metadata: map[string]any{},
			Source: fmt.Sprintf("<p data-site class=\"play-link\">Playground: <a href=\"%s\">%s</a></p>", html.EscapeString(relative(rel, "playgrounds.html")+"#"+playAnchor+p.ID), html.EscapeString(p.Title))})
	}
	return cells
}

// optional marks, in the list of a page's sections, those that a reader may leave out.
func optional(page []byte, more []string) []byte {
	text, list, found := bytes.Cut(page, []byte(`<div class="toc-tree">`))
	if !found {
		return page
	}
	for _, m := range headingCell.FindAllSubmatch(text, -1) {
		if before, link, found := bytes.Cut(list, fmt.Appendf(nil, `href="#%s">`, m[1])); found && slices.Contains(more, string(m[2])) {
			list = slices.Concat(before, fmt.Appendf(nil, `href="#%s">`, m[1]), bytes.Replace(link, []byte("</a>"), []byte(", <em>more</em></a>"), 1))
		}
	}
	return slices.Concat(text, []byte(`<div class="toc-tree">`), list)
}

// headingCell is a section, and the cell whose text begins with its heading.
var headingCell = regexp.MustCompile(`<section id="([^"]*)">\s*(?:<span [^>]*></span>)*<h[2-6]>.*</h[2-6]>\s*<a class="cell-anchor" id="cell-id=([^"]*)">`)

// playAnchor begins the anchor of a playground.
const playAnchor = "play-"

// backLink says which section a playground belongs to; "" if the site does not have the lecture.
func (s *stage) backLink(page, playground string) string {
	of, ok := s.sections[playground]
	if !ok {
		return ""
	}
	return fmt.Sprintf("It belongs to section <a href=\"%s\">%s</a> of the lecture [%s](%s).\n",
		html.EscapeString(relative(page, pageOf(of.page))+"#"+cellAnchor+of.cell), of.heading, of.lecture, of.page)
}
