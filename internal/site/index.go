package site

import (
	"bytes"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/repo"
)

// index writes the first page, with all pages in their order.
func (s *stage) index(lectures, exercises, pages []string) error {
	text, err := pageFiles.ReadFile("page/index.md")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(strings.Replace(string(text), "LECTURES\n", s.cards(), 1))
	tree := func(caption string, entries ...string) {
		fmt.Fprintf(&b, "\n```{toctree}\n:hidden:\n:maxdepth: 1\n:caption: %s\n\n%s\n```\n", caption, strings.Join(entries, "\n"))
	}
	docs := func(files []string) (names []string) {
		for _, file := range files {
			name := strings.TrimSuffix(s.rel(file), filepath.Ext(file))
			if filepath.Base(file) == repo.Index {
				name = "All lectures <" + name + ">"
			}
			names = append(names, name)
		}
		return names
	}
	tree("Lectures", docs(lectures)...)
	tree("Exercises", docs(exercises)...)
	var assignments []string
	for _, h := range s.handouts {
		assignments = append(assignments, strings.TrimSuffix(h.page, ".ipynb"))
	}
	tree("Assignments", assignments...)
	tree("Library", "playgrounds", "gallery", "library/index")
	tree("Documentation", docs(pages)...)
	s.frame["index.md"] = b.String()
	return s.write("index.md", b.Bytes())
}

// cards leads to each lecture by its title and the figure that stands for it, the same as in the
// index of the lectures: that of the cell which says so, or the first that is about as high as wide.
func (s *stage) cards() string {
	var b strings.Builder
	b.WriteString("<div class=\"lectures\">\n")
	for _, l := range s.gallery {
		i := slices.IndexFunc(l.pictures, func(f picture) bool { return f.Thumbnail })
		if i < 0 {
			i = max(0, slices.IndexFunc(l.pictures, func(f picture) bool { return f.width < 2*f.height }))
		}
		f := l.pictures[i]
		fmt.Fprintf(&b, "<a href=\"%s\"><img class=\"plot\" src=\"%s\" alt=\"\" loading=\"lazy\" decoding=\"async\"><span>%s</span></a>\n",
			html.EscapeString(pageOf(l.page)), html.EscapeString(relative("index.md", f.File)), html.EscapeString(l.title))
	}
	b.WriteString("</div>\n")
	return b.String()
}
