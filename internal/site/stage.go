package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/lab"
	"marginalia/internal/program"
)

//go:embed sphinx
var sphinxFiles embed.FS

//go:embed page
var pageFiles embed.FS

// A stage is the folder from which Sphinx makes the pages, and the files that the site has
// beside them. Paths in it are slashed, from the top of the site: the source of
// notebooks/01-perceptron.html is notebooks/01-perceptron.ipynb.
type stage struct {
	book   *book
	dir    string
	source string                      // see Options
	types  map[string]*program.Checker // by the folder where they find packages

	written  map[string]bool   // files in dir
	sources  map[string]bool   // files of the repository that become pages
	files    map[string][]byte // files of the site that Sphinx does not see
	library  *library
	gallery  []lecture
	living   living
	handouts []handout
	sections map[string]section // by playground
	frame    map[string]string  // what all pages depend on: see sum
}

// sourceURL checks the address of the repository's files.
func sourceURL(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("site: --source %q: want the address before the path of a file, as in https://github.com/you/marginalia/blob/main", address)
	}
	return strings.TrimSuffix(address, "/"), nil
}

func newStage(b *book, dir, source string, l *library) *stage {
	return &stage{book: b, dir: dir, source: source, types: map[string]*program.Checker{}, library: l,
		written: map[string]bool{}, sources: map[string]bool{}, files: map[string][]byte{}, sections: map[string]section{}, frame: map[string]string{}}
}

// all writes everything, and removes what an earlier build wrote and this one does not.
func (s *stage) all(ctx context.Context) error {
	b := s.book
	for _, file := range slices.Concat(b.lectures, b.exercises, b.documents) {
		s.sources[b.rel(file)] = true
	}
	s.sources[frontPage] = b.course()
	if !b.course() {
		if err := s.release(); err != nil {
			return err
		}
	}
	if err := s.living.files(s); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	for i, file := range slices.Concat(b.lectures, b.exercises) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.notebook(ctx, b.rel(file), i < len(b.lectures)); err != nil {
			return fmt.Errorf("site: %s: %w", b.rel(file), err)
		}
	}
	if len(s.living.playgrounds) > 0 {
		if err := s.playgroundsPage(); err != nil {
			return err
		}
	}
	if err := s.assignments(ctx); err != nil {
		return err
	}
	for _, file := range b.documents {
		if err := s.document(b.rel(file)); err != nil {
			return err
		}
	}
	if err := s.libraryPages(); err != nil {
		return err
	}
	if err := s.galleryPage(); err != nil {
		return err
	}
	if err := s.index(); err != nil {
		return err
	}
	if err := s.settings(); err != nil {
		return err
	}
	return s.sweep()
}

// checker finds packages and types for the notebooks of a folder.
func (s *stage) checker(dir string) *program.Checker {
	i, ok := s.book.imports[dir]
	if !ok {
		i = imports{from: s.book.root, adds: s.book.root}
	}
	if s.types[i.from] == nil {
		s.types[i.from] = program.NewChecker(i.from, i.adds)
	}
	return s.types[i.from]
}

// settings writes what Sphinx reads beside the pages.
func (s *stage) settings() error {
	text, err := json.Marshal(map[string]any{"title": s.book.title})
	if err != nil {
		return err
	}
	script, err := siteScript()
	if err != nil {
		return err
	}
	style, err := pageFiles.ReadFile("page/marginalia.css")
	if err != nil {
		return err
	}
	conf, err := sphinxFiles.ReadFile("sphinx/conf.py")
	if err != nil {
		return err
	}
	extension, err := sphinxFiles.ReadFile("sphinx/marginalia_site.py")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"settings.json":           text,
		"conf.py":                 conf,
		"_ext/marginalia_site.py": extension,
		"_static/marginalia.css":  style,
		"_static/marginalia.js":   script,
	} {
		s.frame[name] = string(data)
		if err := s.write(name, data); err != nil {
			return err
		}
	}
	return nil
}

// siteScript is the script of all pages: figure.js of the lab without the word export, since a
// page that was opened as a file may not load modules, and the page's own part after it.
func siteScript() ([]byte, error) {
	own, err := pageFiles.ReadFile("page/marginalia.js")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("\"use strict\";\n(() => {\n")
	b.WriteString(strings.ReplaceAll(lab.FigureScript(), "\nexport ", "\n"))
	b.Write(own)
	b.WriteString("})();\n")
	return b.Bytes(), nil
}

// sum is that of what all pages depend on: Sphinx's settings, styles and scripts, the order of the
// pages, and their titles, since the navigation stands in each page.
func (s *stage) sum() (string, error) {
	frame, err := json.Marshal(s.frame)
	return fmt.Sprintf("%x", sha256.Sum256(frame)), err
}

// write writes a staged file unless it has this content: Sphinx makes a page anew whose
// source has a new time.
func (s *stage) write(name string, data []byte) error {
	s.written[name] = true
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	return nil
}

// sweep removes staged files that this build has not written.
func (s *stage) sweep() error {
	return filepath.WalkDir(s.dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.dir, file)
		if err == nil && !s.written[filepath.ToSlash(name)] {
			err = os.Remove(file)
		}
		return err
	})
}

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
