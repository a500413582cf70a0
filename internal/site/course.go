package site

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/workspace"
	"marginalia/internal/site/live"
)

// course is the book of a lecturer's folder: all its notebooks, all its pages in Markdown, and the
// packages beside them. README.md, or index.md, is its first page.
func course(root, dir string) (*book, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("site: there is no folder %s: name that of a course with --course", dir)
	case err != nil:
		return nil, fmt.Errorf("site: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("site: %s is not a folder: name that of the notebook with --course", dir)
	}
	if dir, err = filepath.Abs(dir); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	if same(dir, root) {
		return nil, fmt.Errorf("site: %s is marginalia itself: without --course its lectures become a site", dir)
	}
	b := &book{root: root, dir: dir, title: filepath.Base(dir)}
	err = filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		switch ext := path.Ext(file); {
		case err != nil:
			return err
		case e.IsDir() && file != dir && b.left(file):
			return fs.SkipDir
		case e.IsDir() || strings.HasPrefix(e.Name(), "."):
		case ext == ".ipynb":
			b.lectures = append(b.lectures, file)
		case ext == ".md":
			b.documents = append(b.documents, file)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	if len(b.lectures)+len(b.documents) == 0 {
		return nil, fmt.Errorf("site: %s has no notebooks and no pages in Markdown", dir)
	}
	for _, name := range []string{"README.md", "index.md"} {
		if i := slices.Index(b.documents, filepath.Join(dir, name)); i >= 0 {
			text, err := os.ReadFile(b.documents[i])
			if err != nil {
				return nil, fmt.Errorf("site: %w", err)
			}
			if t := title(string(text)); t != "" {
				b.title = t
			}
			b.front, b.documents = name, slices.Delete(b.documents, i, i+1)
			break
		}
	}
	return b, b.distinct()
}

// left reports whether the site of a course leaves out a folder: hidden ones, other sites, Python's
// environments, a clone of the repository, test data, and what an assignment's students may not see.
func (b *book) left(dir string) bool {
	switch name := filepath.Base(dir); name {
	case "testdata", "node_modules":
		return true
	default:
		return lecturersFolder(dir) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || has(dir, mark) || has(dir, "pyvenv.cfg") || same(dir, b.root)
	}
}

// lecturersFolder reports whether a folder is one of a course's assignments that students may not see.
func lecturersFolder(dir string) bool {
	parent := filepath.Dir(dir)
	return slices.Contains([]string{"source", "submitted", "autograded", "feedback"}, filepath.Base(dir)) &&
		(has(parent, "course.toml") || has(parent, "nbgrader_config.py") || has(parent, "gradebook.db"))
}

func has(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// holds reports whether the site of the book may have a file: it lies in the book's folder, and is neither
// hidden, nor a gradebook, nor in a folder that the site leaves out.
func (b *book) holds(rel string) bool {
	if name := path.Base(rel); !filepath.IsLocal(rel) || b.course() && (strings.HasPrefix(name, ".") || name == "gradebook.db") {
		return false
	}
	for dir := path.Dir(rel); b.course() && dir != "."; dir = path.Dir(dir) {
		if b.left(b.at(dir)) {
			return false
		}
	}
	return true
}

// distinct returns an error if two files would be one page.
func (b *book) distinct() error {
	pages := map[string]string{}
	for _, name := range []string{"index", "search", "genindex", "gallery"} {
		pages[name+".html"] = "a page that every site has"
	}
	for _, file := range slices.Concat(b.lectures, b.documents) {
		rel := b.rel(file)
		page := strings.ToLower(pageOf(rel))
		if other := pages[page]; other != "" {
			return fmt.Errorf("site: the page of %s would be %s, as that of %s: give the file another name", rel, page, other)
		}
		pages[page] = rel
	}
	return b.clear("library", "live", "figures", "files")
}

// clear returns an error if a page would lie in one of the site's own folders.
func (b *book) clear(folders ...string) error {
	for _, file := range slices.Concat(b.lectures, b.documents) {
		rel := b.rel(file)
		if folder, _, in := strings.Cut(strings.ToLower(rel), "/"); in && slices.Contains(folders, folder) {
			return fmt.Errorf("site: %s lies in %s, a folder that the site needs for itself: give the folder another name", rel, folder)
		}
	}
	return nil
}

// An imports is where a folder's notebooks find packages: in the module in folder from, which joins the
// modules beside them with the repository.
type imports struct {
	from    string
	modules *workspace.Modules
}

// join finds the modules beside the notebooks of a course. It writes what joins them below at.
func (b *book) join(at string) error {
	b.imports = map[string]imports{}
	if !b.course() {
		return nil
	}
	dirs := []string{b.dir}
	for _, file := range b.lectures {
		if dir := filepath.Dir(file); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		from, modules, err := live.Module(b.root, dir, filepath.Join(at, fmt.Sprintf("%.6x", sha256.Sum256([]byte(dir)))))
		if err != nil {
			return fmt.Errorf("site: %w", err)
		}
		if modules != nil {
			b.imports[dir] = imports{from, modules}
		}
	}
	return nil
}

// folders are those of the modules.
func (i imports) folders() []string { return slices.Concat(i.modules.Dirs, i.modules.Local) }

// public returns an error if a notebook of a course has what its students may not see.
func public(nb *nbformat.Notebook) error {
	for _, c := range nb.Cells {
		for _, m := range []nbgrader.Mark{nbgrader.Solution, nbgrader.HiddenTests, nbgrader.MarkScheme} {
			if strings.Contains(c.Source, m.Begin) {
				return fmt.Errorf("cell %s says %s, and the site would show it to students: publish what `course release` makes of the notebook, and keep this one out of the folder", c.ID, m.Begin)
			}
		}
	}
	return nil
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
