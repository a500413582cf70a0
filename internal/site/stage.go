package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/lab"
	"marginalia/internal/program"
	"marginalia/internal/repo"
)

//go:embed sphinx
var sphinxFiles embed.FS

//go:embed page
var pageFiles embed.FS

// A stage is the folder from which Sphinx makes the pages, and the files that the site has
// beside them. Paths in it are slashed, from the top of the site: the source of
// notebooks/01-perceptron.html is notebooks/01-perceptron.ipynb.
type stage struct {
	root, dir string
	source    string // see Options
	types     *program.Checker

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

func newStage(root, dir, source string, l *library) *stage {
	return &stage{root: root, dir: dir, source: source, types: program.NewChecker(root, root), library: l,
		written: map[string]bool{}, sources: map[string]bool{}, files: map[string][]byte{}, sections: map[string]section{}, frame: map[string]string{}}
}

// documents are the project's pages in Markdown, folders with all pages in them.
var documents = []string{"README.md", "CONTRIBUTING.md", "docs", "docker/README.md", "datasets/data/README.md", "mlkit/testdata/README.md"}

// all writes everything, and removes what an earlier build wrote and this one does not.
func (s *stage) all(ctx context.Context) error {
	lectures, err := repo.Lectures(s.root)
	if err != nil {
		return err
	}
	exercises, err := filepath.Glob(filepath.Join(s.root, "notebooks", "exercises", "*.ipynb"))
	if err != nil {
		return err
	}
	pages, err := s.markdownFiles()
	if err != nil {
		return err
	}
	for _, file := range slices.Concat(lectures, exercises, pages) {
		s.sources[s.rel(file)] = true
	}
	if err := s.release(); err != nil {
		return err
	}
	if err := s.living.files(s); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	for i, file := range slices.Concat(lectures, exercises) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.notebook(ctx, s.rel(file), i < len(lectures)); err != nil {
			return fmt.Errorf("site: %s: %w", s.rel(file), err)
		}
	}
	if err := s.playgroundsPage(); err != nil {
		return err
	}
	if err := s.assignments(ctx); err != nil {
		return err
	}
	for _, file := range pages {
		if err := s.document(s.rel(file)); err != nil {
			return err
		}
	}
	if err := s.libraryPages(); err != nil {
		return err
	}
	if err := s.galleryPage(); err != nil {
		return err
	}
	if err := s.index(lectures, exercises, pages); err != nil {
		return err
	}
	if err := s.settings(); err != nil {
		return err
	}
	return s.sweep()
}

func (s *stage) rel(file string) string {
	rel, err := filepath.Rel(s.root, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// markdownFiles are the files of [documents] that are there.
func (s *stage) markdownFiles() (files []string, err error) {
	for _, d := range documents {
		err := filepath.WalkDir(filepath.Join(s.root, d), func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && path.Ext(file) == ".md" && !lecturersOnly(s.rel(file)) {
				files = append(files, file)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("site: %w", err)
		}
	}
	return files, nil
}

// settings writes what Sphinx reads beside the pages.
func (s *stage) settings() error {
	text, err := json.Marshal(map[string]any{"title": "marginalia"})
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
	name := "files/" + rel
	if path.Ext(rel) == ".go" {
		name += ".txt" // which servers send as text
	}
	if s.files[name] != nil {
		return name, nil
	}
	data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(rel)))
	if err != nil {
		return "", fmt.Errorf("site: %w", err)
	}
	s.file(name, data)
	return name, nil
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

// relative is the address of a file of the site, seen from a page.
func relative(page, to string) string {
	up := strings.Repeat("../", strings.Count(page, "/"))
	return up + (&url.URL{Path: to}).EscapedPath()
}

// pageOf is the page that a source becomes.
func pageOf(source string) string { return strings.TrimSuffix(source, path.Ext(source)) + ".html" }
