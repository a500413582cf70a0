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

	"marginalia/internal/notebook/program"
)

//go:embed sphinx/*.py
var sphinxFiles embed.FS

// A stage is the folder from which Sphinx makes the pages, and the files that the site has
// beside them. Paths in it are slashed, from the top of the site: the source of
// notebooks/01-perceptron.html is notebooks/01-perceptron.ipynb.
type stage struct {
	book   *book
	dir    string
	source string                       // see Options
	types  map[string]*program.Checker  // by the folder where they find packages
	called map[[sha256.Size]byte][]call // what cells link to: see calls.step

	written  map[string]bool   // files in dir
	sources  map[string]bool   // files of the repository that become pages
	files    map[string][]byte // files of the site that Sphinx does not see
	library  *library
	gallery  []lecture
	living   living
	run      running
	handouts []handout
	sections map[string]section // by playground
	frame    map[string]string  // what all pages depend on: see sum

	cells  map[string]map[int]cellOf  // of notebooks, by their numbers from 1
	order  map[string][]int           // of staged notebooks, the numbers of their cells in the author's; 0 is one of ours
	named  map[string]bool            // the names of figures, in small letters
	pages  string                     // the folder of Sphinx's pages, once they are made
	places map[string]map[string]bool // the ids of these pages, see ids
	found  map[string]sought          // what the search has of pages
	more   map[string][]string        // of notebooks, the ids of cells that a reader may leave out
	codes  map[string]string          // of notebooks, the code that the programs of their sliders were made of
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
	return &stage{book: b, dir: dir, source: source, types: map[string]*program.Checker{}, called: map[[sha256.Size]byte][]call{}, library: l,
		written: map[string]bool{}, sources: map[string]bool{}, files: map[string][]byte{}, sections: map[string]section{}, frame: map[string]string{},
		cells: map[string]map[int]cellOf{}, order: map[string][]int{}, named: map[string]bool{}, places: map[string]map[string]bool{}, found: map[string]sought{}, more: map[string][]string{}, codes: map[string]string{}}
}

// all writes everything, and removes what an earlier build wrote and this one does not.
func (s *stage) all(ctx context.Context) error {
	b := s.book
	for _, file := range slices.Concat(b.lectures, b.exercises, b.documents) {
		s.sources[b.rel(file)] = true
	}
	if b.course() {
		s.sources[frontPage] = true
	} else if err := s.release(); err != nil {
		return err
	}
	if err := errors.Join(s.living.files(s), s.goFiles(), s.labFiles()); err != nil {
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
	from, adds := s.book.root, s.book.root
	if i, ok := s.book.imports[dir]; ok {
		from, adds = i.from, i.modules.Home
	}
	if s.types[from] == nil {
		s.types[from] = program.NewChecker(from, adds)
	}
	return s.types[from]
}

// settings writes what Sphinx reads beside the pages.
func (s *stage) settings() error {
	var authored []string
	for source := range s.sources {
		authored = append(authored, strings.TrimSuffix(source, path.Ext(source)))
	}
	slices.Sort(authored)
	text, err := json.Marshal(map[string]any{"title": s.book.title, "authored": authored})
	if err != nil {
		return err
	}
	files := map[string][]byte{"settings.json": text}
	own, err := sphinxFiles.ReadDir("sphinx")
	if err != nil {
		return err
	}
	for _, f := range own {
		name := f.Name()
		if name != "conf.py" {
			name = "_ext/" + name
		}
		if files[name], err = sphinxFiles.ReadFile("sphinx/" + f.Name()); err != nil {
			return err
		}
	}
	for name, data := range files {
		s.frame[name] = string(data)
		if err := s.write(name, data); err != nil {
			return err
		}
	}
	return nil
}

// sum is that of what all pages depend on: Sphinx's settings and extensions, the order of the
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
