package site

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"marginalia/internal/base/repo"
)

// A book is what becomes a site: the lectures of the repository with all that belongs to them, or a
// course. Files are absolute, their pages have the paths that they have in dir.
type book struct {
	root, dir string // the repository; the folder of the pages' sources, which is the repository or a course
	title     string
	front     string // of a course: the source of its first page, by its path in dir; "" if there is none

	lectures, exercises, documents []string // notebooks, and pages in Markdown

	imports  map[string]imports // by the folder of notebooks, if they do not import the repository's packages alone
	readable []string           // of a course: files that its cells may read
	faults   []error            // of a course: what is wrong with its files, but keeps no page from being made
}

// documents are the project's pages in Markdown, folders with all pages in them.
var documents = []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "docker/README.md", "findings/README.md", "datasets/data/README.md", "mlkit/testdata/README.md"}

// newBook is the book of a course, or of the repository at root if dir is "".
func newBook(root, dir string) (*book, error) {
	if dir != "" {
		return course(root, dir)
	}
	return lectures(root)
}

// lectures is the book of the repository at root.
func lectures(root string) (*book, error) {
	b := &book{root: root, dir: root, title: "marginalia"}
	var err error
	if b.lectures, err = repo.Lectures(root); err != nil {
		return nil, err
	}
	if b.exercises, err = filepath.Glob(filepath.Join(root, "notebooks", "exercises", "*.ipynb")); err != nil {
		return nil, err
	}
	return b, b.findDocuments()
}

// findDocuments finds the pages of [documents] that are there.
func (b *book) findDocuments() error {
	for _, d := range documents {
		err := filepath.WalkDir(b.at(d), func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && path.Ext(file) == ".md" && !lecturersOnly(b.rel(file)) {
				b.documents = append(b.documents, file)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("site: %w", err)
		}
	}
	return nil
}

// course reports whether the book is a course's.
func (b *book) course() bool { return b.dir != b.root }

// fault returns what is wrong with a file. Of a course it only notes it.
func (b *book) fault(err error) error {
	if err != nil && b.course() {
		b.faults = append(b.faults, err)
		return nil
	}
	return err
}

// rel is the path of a file in the folder of the book.
func (b *book) rel(file string) string {
	rel, err := filepath.Rel(b.dir, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// at is the file that has a path in the folder of the book.
func (b *book) at(rel string) string { return filepath.Join(b.dir, filepath.FromSlash(rel)) }

// name is that of a notebook in names of files: its own, with a sum of its path if a course has
// several of that name.
func (b *book) name(rel string) string {
	name := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	for _, file := range b.lectures {
		if other := b.rel(file); b.course() && other != rel && strings.EqualFold(path.Base(other), path.Base(rel)) {
			return fmt.Sprintf("%s-%.3x", name, sha256.Sum256([]byte(rel)))
		}
	}
	return name
}
