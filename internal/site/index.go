package site

import (
	"bytes"
	"fmt"
	"path/filepath"
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
	b.Write(text)
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
	var assignments, other []string
	for _, file := range pages {
		if strings.HasPrefix(s.rel(file), "docs/assignments/") {
			assignments = append(assignments, file)
		} else {
			other = append(other, file)
		}
	}
	tree("Assignments", docs(assignments)...)
	tree("Library", "gallery", "library/index")
	tree("Documentation", docs(other)...)
	return s.write("index.md", b.Bytes())
}
