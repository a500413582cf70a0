package notebooks

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Links in Markdown lead to files that are there, and within notebooks to cells or headings.
func TestLinks(t *testing.T) {
	t.Parallel()
	files := lectures(t)
	for _, pattern := range []string{"exercises/*.ipynb", "solutions/*.ipynb"} {
		more, err := filepath.Glob(pattern)
		if err != nil || more == nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, more...)
	}
	links := 0
	for _, file := range files {
		for _, c := range read(t, file).Cells {
			if c.Type != "markdown" {
				continue
			}
			for _, target := range targets(c) {
				links++
				to, anchor, _ := strings.Cut(target, "#")
				path := file
				if to != "" {
					path = filepath.Join(filepath.Dir(file), filepath.FromSlash(to))
				}
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s, cell %s: %s leads nowhere: %v", file, c.ID, target, err)
				} else if anchor != "" && (filepath.Ext(path) != ".ipynb" || !hasAnchor(read(t, path), anchor)) {
					t.Errorf("%s, cell %s: %s has no cell or heading %s", file, c.ID, target, anchor)
				}
			}
		}
	}
	if links < 1000 { // the index and the calls alone have more
		t.Errorf("%d links found", links)
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)`)

// targets returns the relative links of a Markdown cell, and of its images those that it does not carry.
func targets(c *nbformat.Cell) (found []string) {
	for _, m := range markdownLink.FindAllStringSubmatch(code.ReplaceAllString(c.Source, ""), -1) {
		if u, err := url.Parse(m[1]); err != nil || u.Scheme == "" {
			found = append(found, m[1])
		}
	}
	return found
}

var code = regexp.MustCompile("(?s)```.*?```|\\$\\$.*?\\$\\$|\\$[^$]*\\$")

var anyHeading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)

// hasAnchor reports whether JupyterLab finds a fragment: a cell by "cell-id=…", or a heading by its
// text with hyphens for spaces.
func hasAnchor(nb *nbformat.Notebook, anchor string) bool {
	if text, err := url.PathUnescape(anchor); err == nil {
		anchor = text
	}
	return slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool {
		if id, ok := strings.CutPrefix(anchor, "cell-id="); ok {
			return c.ID == id
		}
		return c.Type == "markdown" && slices.ContainsFunc(anyHeading.FindAllStringSubmatch(c.Source, -1), func(m []string) bool {
			return strings.ReplaceAll(m[1], " ", "-") == anchor
		})
	})
}

func TestLinksFound(t *testing.T) {
	t.Parallel()
	c := &nbformat.Cell{ID: "a", Type: "markdown", Source: "# Why it stops\n\n[b](b.ipynb#c), [page](https://example.org/x), ![f](attachment:f.png), $[0](1)$, [here](#Why-it-stops)"}
	if got := targets(c); !slices.Equal(got, []string{"b.ipynb#c", "#Why-it-stops"}) {
		t.Errorf("links %q", got)
	}
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{c}}
	for anchor, want := range map[string]bool{"cell-id=a": true, "cell-id=b": false, "Why-it-stops": true, "Why%2Dit-stops": true, "why-it-stops": false} {
		if hasAnchor(nb, anchor) != want {
			t.Errorf("%s is found: %v, want %v", anchor, !want, want)
		}
	}
}

// Each playground belongs to a section that its lecture has: the site puts the links there.
func TestPlaygrounds(t *testing.T) {
	t.Parallel()
	files := must.Get(filepath.Glob("../internal/site/play/*.go")).Or(t)
	found := 0
	for _, file := range files {
		for _, m := range regexp.MustCompile(`\n\tSection: "([^#"]+)#([^"]+)"`).FindAllStringSubmatch(testfile.Read(t, file), -1) {
			found++
			heading := regexp.MustCompile(`^## [0-9]+\. ` + regexp.QuoteMeta(m[2]) + `\n`)
			if !slices.ContainsFunc(read(t, m[1]+".ipynb").Cells, func(c *nbformat.Cell) bool { return c.Type == "markdown" && heading.MatchString(c.Source) }) {
				t.Errorf("%s: %s has no section %q", filepath.Base(file), m[1], m[2])
			}
		}
	}
	if found != 11 {
		t.Errorf("%d playgrounds, want the eleven of the site", found)
	}
}
