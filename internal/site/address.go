package site

import (
	"fmt"
	"go/token"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// file gives the site a file that Sphinx does not see.
func (s *stage) file(name string, data []byte) { s.files[name] = data }

// copied gives the site a copy of a file of the repository, and returns its name there.
func (s *stage) copied(rel string) (string, error) {
	name := copyOf(rel)
	if s.files[name] != nil {
		return name, nil
	}
	data, err := os.ReadFile(s.book.at(rel))
	if err != nil {
		return "", fmt.Errorf("site: %w", err)
	}
	s.file(name, data)
	return name, nil
}

// copyOf is the name of the copy of a file in the site.
func copyOf(rel string) string {
	if path.Ext(rel) == ".go" {
		rel += ".txt" // which servers send as text
	}
	return "files/" + rel
}

// sourceOf is the address of a file of the repository, seen from a page: on the web if
// Options has where, else its copy in the site.
func (s *stage) sourceOf(page, rel string) (string, error) {
	if s.source != "" {
		return s.source + "/" + rel, nil
	}
	name, err := s.copied(rel)
	return relative(page, name), err
}

// goSource is the address of a line of a package, seen from its page. Of the library, a course's site has
// copies: its Options.Source says where the course is.
func (s *stage) goSource(page string, at token.Position, own bool) (string, error) {
	if s.book.course() && !own {
		rel, err := filepath.Rel(s.book.root, at.Filename)
		if err != nil {
			return "", fmt.Errorf("site: %w", err)
		}
		data, err := os.ReadFile(at.Filename)
		if err != nil {
			return "", fmt.Errorf("site: %w", err)
		}
		name := copyOf("marginalia/" + filepath.ToSlash(rel))
		s.file(name, data)
		return relative(page, name), nil
	}
	address, err := s.sourceOf(page, s.book.rel(at.Filename))
	if s.source != "" {
		address += fmt.Sprintf("#L%d", at.Line)
	}
	return address, err
}

// relative is the address of a file of the site, seen from a page.
func relative(page, to string) string {
	up := strings.Repeat("../", strings.Count(page, "/"))
	return up + (&url.URL{Path: to}).EscapedPath()
}

// pageOf is the page that a source becomes.
func pageOf(source string) string { return strings.TrimSuffix(source, path.Ext(source)) + ".html" }
