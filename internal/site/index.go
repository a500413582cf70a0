package site

import (
	"bytes"
	"fmt"
	"os"
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
	titles := map[string]string{}
	for _, file := range assignments {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("site: %w", err)
		}
		titles[file], _, _ = strings.Cut(string(text), "\n") // they are numbered
	}
	slices.SortFunc(assignments, func(a, b string) int { return strings.Compare(titles[a], titles[b]) })
	tree("Assignments", docs(assignments)...)
	tree("Library", "playgrounds", "gallery", "library/index")
	tree("Documentation", docs(other)...)
	return s.write("index.md", b.Bytes())
}
