package site

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/site/live"
)

// A section ends with the links to its playgrounds, in their order, and each playground leads back
// to the heading of its section. One whose lecture the site does not have leads nowhere.
func TestPlayLinks(t *testing.T) {
	s := staged(t, "")
	s.sources["notebooks/01-a.ipynb"] = true
	s.living.playgrounds = live.Playgrounds{
		{ID: "one", Title: "One & all", Section: "01-a#First"}, {ID: "two", Title: "Two", Section: "01-a#First"},
		{ID: "end", Title: "End", Section: "01-a#Last?"}, {ID: "none", Title: "None", Section: "02-b#First"}}
	cell := func(id, kind, source string) *nbformat.Cell {
		return &nbformat.Cell{ID: id, Type: kind, Source: source}
	}
	cells := s.playLinks("notebooks/01-a.ipynb", "A", []*nbformat.Cell{
		cell("title", "markdown", "# A"), cell("first", "markdown", "## 1. First\n\ntext"), cell("sub", "markdown", "### Deeper"),
		cell("code", "code", "## no heading"), cell("last", "markdown", "## 2. Last?")})
	var ids []string
	for _, c := range cells {
		ids = append(ids, c.ID)
	}
	if got, want := strings.Join(ids, " "), "title first sub code play-one play-two last play-end"; got != want {
		t.Errorf("the cells are %s, want %s", got, want)
	}
	if got, want := cells[4].Source, `<p data-site class="play-link">Playground: <a href="../playgrounds.html#play-one">One &amp; all</a></p>`; got != want {
		t.Errorf("the link is %s, want %s", got, want)
	}
	for id, want := range map[string]string{
		"end":  "It belongs to section <a href=\"notebooks/01-a.html#cell-id=last\">2. Last?</a> of the lecture [A](notebooks/01-a.ipynb).\n",
		"none": "",
	} {
		if got := s.backLink("playgrounds.md", id); got != want {
			t.Errorf("%s leads back by %q, want %q", id, got, want)
		}
	}
}

// The list of a page's sections says which of them a reader may leave out.
func TestOptional(t *testing.T) {
	section := func(id, cell string) string {
		return `<section id="` + id + `">` + "\n" + `<span id="x"></span><h3>` + id + `</h3>` + "\n" + `<a class="cell-anchor" id="cell-id=` + cell + `"></a><p>Text, <a href="#votes">votes</a>.</p></section>`
	}
	list := func(more string) string {
		return `<div class="toc-tree"><a class="reference internal" href="#rule">The rule</a><a class="reference internal" href="#votes">Votes` + more + `</a></div>`
	}
	text := section("rule", "a") + section("votes", "b")
	if got, want := string(optional([]byte(text+list("")), []string{"b", "c"})), text+list(", <em>more</em>"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
