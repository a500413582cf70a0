package site

import (
	"fmt"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	reader "github.com/yuin/goldmark/text"

	"marginalia/internal/notebook/nbformat"
)

// document stages a page in Markdown.
func (s *stage) document(rel string) error {
	staged, err := s.markdown(rel)
	if err != nil {
		return err
	}
	if rel == "README.md" && !s.book.course() { // whose heading is the site's name
		staged = strings.Replace(staged, "# marginalia\n", "# About marginalia\n", 1)
	}
	s.frame[rel] = title(staged)
	return s.write(rel, []byte(staged))
}

// markdown is the text of a page in Markdown, with its name as its heading if it has none.
func (s *stage) markdown(rel string) (string, error) {
	data, err := os.ReadFile(s.book.at(rel))
	if err != nil {
		return "", fmt.Errorf("site: %w", err)
	}
	staged := strings.TrimPrefix(string(data), "\ufeff")
	if title(staged) == "" {
		staged = "# " + s.book.name(rel) + "\n\n" + staged
	}
	return staged, nil
}

// heading is the text of a notebook's first heading, in Markdown.
func heading(nb *nbformat.Notebook) string {
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			if t := title(c.Source); t != "" {
				return t
			}
		}
	}
	return ""
}

// title is the text of the first heading of a text, in Markdown; "" if it has none.
func title(markdown string) string {
	source, found := []byte(markdown), ""
	_ = ast.Walk(goldmark.DefaultParser().Parse(reader.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok {
			found = strings.TrimSpace(strings.ReplaceAll(string(h.Lines().Value(source)), "\n", " "))
		}
		if found != "" {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}
