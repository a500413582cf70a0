package site

import (
	"bytes"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/repo"
)

// frontPage is the source of the site's first page.
const frontPage = "index.md"

// index writes the first page, with all pages in their order.
func (s *stage) index() error {
	text, err := s.front()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(text)
	trees := b.Len()
	var gallery []string
	if len(s.gallery) > 0 {
		gallery = []string{"gallery"}
	}
	tree := func(caption string, files []string, more ...string) {
		var entries []string
		for _, file := range files {
			name := strings.TrimSuffix(s.book.rel(file), filepath.Ext(file))
			if _, n := s.book.number(s.book.rel(file)); n > 0 {
				name = fmt.Sprintf("%s <%s>", entry(n, s.frame[s.book.rel(file)]), name)
			} else if filepath.Base(file) == repo.Index && !s.book.course() {
				name = "All lectures <" + name + ">"
			}
			entries = append(entries, name)
		}
		if entries = append(entries, more...); len(entries) > 0 {
			fmt.Fprintf(&b, "\n```{site-pages}\n:hidden:\n:maxdepth: 1\n:caption: %s\n\n%s\n```\n", caption, strings.Join(entries, "\n"))
		}
	}
	if s.book.course() {
		tree("Notebooks", s.book.lectures)
		tree("Pages", s.book.documents)
		tree("Library", nil, append(gallery, "library/index")...)
		s.frame[frontPage] = b.String()[trees:]
		return s.write(frontPage, b.Bytes())
	}
	tree("Lectures", s.book.lectures)
	tree("Exercises", s.book.exercises)
	var assignments []string
	for i, h := range s.handouts {
		assignments = append(assignments, fmt.Sprintf("%s <%s>", entry(i+1, s.frame[h.page]), strings.TrimSuffix(h.page, ".ipynb")))
	}
	tree("Assignments", nil, assignments...)
	tree("Library", nil, slices.Concat([]string{"playgrounds"}, gallery, []string{"library/index"})...)
	tree("Documentation", s.book.documents)
	s.frame[frontPage] = b.String()[trees:]
	return s.write(frontPage, b.Bytes())
}

// front is the text of the first page: of a course its own, and its notebooks.
func (s *stage) front() (string, error) {
	if !s.book.course() {
		text, err := pageFiles.ReadFile("page/index.md")
		return strings.NewReplacer("LECTURES\n", s.cards(), "HERO\n", s.hero()).Replace(string(text)), err
	}
	text := "# " + s.book.title + "\n"
	if s.book.front != "" {
		var err error
		if text, err = s.markdown(s.book.front); err != nil {
			return "", err
		}
	}
	pictured := map[string]bool{}
	for _, l := range s.gallery {
		pictured[l.page] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", text, s.cards())
	for _, file := range s.book.lectures {
		if rel := s.book.rel(file); !pictured[rel] {
			fmt.Fprintf(&b, "- [%s](%s)\n", s.frame[rel], relative(frontPage, rel))
		}
	}
	return b.String(), nil
}

// cards leads to each lecture by its title and the figure that stands for it, the same as in the
// index of the lectures: that of the cell which says so, or the first that is about as high as wide.
func (s *stage) cards() string {
	if len(s.gallery) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<div data-site class=\"lectures\">\n")
	for _, l := range s.gallery {
		i := slices.IndexFunc(l.pictures, func(f picture) bool { return f.Thumbnail })
		if i < 0 {
			i = max(0, slices.IndexFunc(l.pictures, func(f picture) bool { return f.width < 2*f.height }))
		}
		f := l.pictures[i]
		number := ""
		if kind, n := s.book.number(l.page); n > 0 {
			number = fmt.Sprintf("<small>%s %d</small> ", kind, n)
		}
		fmt.Fprintf(&b, "<a href=\"%s\"><img class=\"plot\" src=\"%s\" alt=\"\" loading=\"lazy\" decoding=\"async\"><span>%s%s</span></a>\n",
			html.EscapeString(pageOf(l.page)), html.EscapeString(relative(frontPage, f.File)), number, html.EscapeString(l.title))
	}
	b.WriteString("</div>\n")
	return b.String()
}

// heroName is the slider that plays on the first page: the perceptron's line after each update.
const heroName = "replay-slider"

// hero is that slider with its button, which hero.js enlivens, or "".
func (s *stage) hero() string {
	for _, l := range s.gallery {
		for _, f := range l.pictures {
			if f.Name == heroName {
				return "<div class=\"hero\">\n" + strings.Replace(f.html(frontPage), " data-site", "", 1) + "\n<p><button type=\"button\">Pause</button> <a href=\"" +
					html.EscapeString(pageOf(f.Page)+"#"+cellAnchor+f.Cell) + "\">A perceptron learns</a></p>\n</div>\n"
			}
		}
	}
	return ""
}
