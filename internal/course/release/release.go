// Package release makes the notebook that students get from a source assignment: without
// solutions, hidden tests and mark schemes, and with nothing of them left anywhere.
//
//	a, err := release.Make(c, "ps1")
//	if err != nil {
//		return err
//	}
//	if leaks, _ := a.Leaks(c.Settings("ps1").Public); len(leaks) > 0 {
//		return leaks[0]
//	}
//	return a.Write(c)
//
// A [Gate], which the caller provides, decides whether the solution passes the tests and the
// stub fails them.
package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// A Handout is an assignment as lecturers have it and as students get it.
type Handout struct {
	Name      string
	Dir       string // the source folder
	Notebooks []Notebook
	Files     []File // what lies beside the notebooks
}

// A Notebook is one notebook of an assignment, with the cells of the course's header
// and footer, in three versions. Their cells correspond.
type Notebook struct {
	Name    string             // without .ipynb
	Source  *nbformat.Notebook // with solutions and all tests
	Graded  *nbformat.Notebook // without solutions, with all tests: what nbgrader keeps in its database
	Release *nbformat.Notebook // what students get
	Removed []nbgrader.Removed // what that lacks
	Said    []Said             // what the texts of cells add to their metadata; see [Handout.Keep]

	file  string
	bytes []byte // of the file
}

// A File is a file of the source folder that students get as it is.
type File struct {
	Path string // within the folder, with slashes
	Data []byte
}

// Make reads the source of an assignment and makes the release, in memory. Nothing is
// written. Errors name file, cell and line.
func Make(c *course.Course, name string) (*Handout, error) {
	files, err := c.Notebooks(name)
	if err != nil {
		return nil, err
	}
	a := &Handout{Name: name}
	for _, file := range files {
		nb, err := load(file)
		if err != nil {
			return nil, err
		}
		// Each version is read anew, since they share nothing.
		for _, version := range []**nbformat.Notebook{&nb.Source, &nb.Graded, &nb.Release} {
			if *version, err = nb.read(c); err != nil {
				return nil, err
			}
		}
		if language := nb.Source.Language(); language != "go" {
			return nil, fmt.Errorf("release: %s is a notebook in %s, want Go", file, language)
		}
		if err := autotests(nb.Source); err != nil {
			return nil, fmt.Errorf("release: %s: %w", file, err)
		}
		stubs := nbgrader.Go
		stubs.Parses = func(source string) bool { _, _, err := gonb.Read("", source).Parse(); return err == nil }
		if err = withoutSolutions(nb.Graded, stubs, nil); err == nil { // it says the same of both
			err = withoutSolutions(nb.Release, stubs, &nb.Removed)
		}
		if err != nil {
			return nil, fmt.Errorf("release: %s: %w", file, err)
		}
		if err := withoutTests(nb.Release, &nb.Removed); err != nil {
			return nil, fmt.Errorf("release: %s: %w", file, err)
		}
		a.Notebooks = append(a.Notebooks, nb)
	}
	a.Dir = filepath.Dir(files[0])
	if a.Files, err = beside(a.Dir); err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	return a, nil
}

// load reads the file of a source notebook.
func load(file string) (own Notebook, err error) {
	own = Notebook{Name: strings.TrimSuffix(filepath.Base(file), ".ipynb"), file: file}
	if own.bytes, err = os.ReadFile(file); err != nil {
		return own, fmt.Errorf("release: %w", err)
	}
	return own, nil
}

// read returns the source notebook between the course's header and footer, with its metadata upgraded, and with what the
// texts of its own cells say.
func (own *Notebook) read(c *course.Course) (*nbformat.Notebook, error) {
	nb, err := nbformat.Decode(own.bytes)
	if err != nil {
		return nil, fmt.Errorf("release: %s: %w", own.file, err)
	}
	var extra [2]*nbformat.Notebook
	others := map[string]bool{}
	for i, file := range []string{c.Header, c.Footer} {
		extra[i] = &nbformat.Notebook{}
		if file == "" {
			continue
		}
		if extra[i], err = nbformat.Read(filepath.Join(c.Dir, file)); err != nil {
			return nil, err
		}
		if err := nbgrader.Upgrade(extra[i]); err != nil {
			return nil, fmt.Errorf("release: %s: %w", file, err)
		}
		for _, c := range extra[i].Cells {
			m, _ := nbgrader.Read(c)
			others[m.ID] = true
		}
	}
	if err = nbgrader.Upgrade(nb); err == nil {
		own.Said, err = infer(nb, others)
	}
	if err != nil {
		return nil, fmt.Errorf("release: %s: %w", own.file, err)
	}
	nb.Cells = slices.Concat(extra[0].Cells, nb.Cells, extra[1].Cells)
	if _, err := nb.Encode(); err != nil { // two cells of the same id, one of the header
		return nil, fmt.Errorf("release: %s: %w", own.file, err)
	}
	if err := nbgrader.Validate(nb); err != nil {
		return nil, fmt.Errorf("release: %s: %w", own.file, err)
	}
	return nb, nil
}

// autotests is an error if a cell of tests has a line that nbgrader would make a test
// of. It can do so in Python and R alone.
func autotests(nb *nbformat.Notebook) error {
	for i, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		for n, line := range strings.Split(c.Source, "\n") {
			if m.Grade && strings.Contains(line, "AUTOTEST") {
				return &nbgrader.Fault{Cell: i + 1, ID: m.ID, Line: n + 1, Text: "AUTOTEST: nbgrader makes no tests in Go: write the test"}
			}
		}
	}
	return nil
}

// withoutSolutions is the first half of what `nbgrader generate_assignment` does, in
// its order: lock, clear solutions and outputs, check, checksums.
func withoutSolutions(nb *nbformat.Notebook, stubs nbgrader.Stubs, removed *[]nbgrader.Removed) error {
	if err := nbgrader.Lock(nb); err != nil {
		return err
	}
	gone, err := nbgrader.ClearSolutions(nb, stubs)
	if err != nil {
		return err
	}
	if removed != nil {
		*removed = append(*removed, gone...)
	}
	delete(nb.Metadata, "celltoolbar") // the panel in which a lecturer sees the kinds of cells
	nbgrader.ClearOutputs(nb)
	return errors.Join(nbgrader.Validate(nb), nbgrader.SetChecksums(nb))
}

// withoutTests is the second half: hidden tests and mark schemes go, and the checksums
// are those of what is left.
func withoutTests(nb *nbformat.Notebook, removed *[]nbgrader.Removed) error {
	for _, clear := range []func(*nbformat.Notebook) ([]nbgrader.Removed, error){nbgrader.ClearHiddenTests, nbgrader.ClearMarkSchemes} {
		gone, err := clear(nb)
		if err != nil {
			return err
		}
		*removed = append(*removed, gone...)
	}
	return errors.Join(nbgrader.SetChecksums(nb), nbgrader.Validate(nb))
}

// ignored are the names that nbgrader leaves behind, wherever they are in a folder.
func ignored(name string) bool {
	return name == ".ipynb_checkpoints" || name == "__pycache__" || name == "feedback" || strings.HasSuffix(name, ".pyc") || strings.HasSuffix(name, ".ipynb")
}

// beside reads the files of a source folder that are not its notebooks. A link that
// leads out of the folder is an error.
func beside(dir string) ([]File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var files []File
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == ".":
			return nil
		case ignored(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := fs.Stat(root.FS(), path)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: want a file", path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		data, err := fs.ReadFile(root.FS(), path)
		files = append(files, File{path, data})
		return err
	})
	return files, err
}

// Contents are the files that students get, by their slashed paths.
func (a *Handout) Contents() (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, nb := range a.Notebooks {
		data, err := nb.Release.Encode()
		if err != nil {
			return nil, fmt.Errorf("release: %s.ipynb: %w", nb.Name, err)
		}
		contents[nb.Name+".ipynb"] = data
	}
	for _, f := range a.Files {
		contents[f.Path] = f.Data
	}
	return contents, nil
}

// Write puts the release into the course's folder, each file whole or not at all, and
// then removes what lay there besides.
func (a *Handout) Write(c *course.Course) error {
	dir, err := c.Path(course.Release, "", a.Name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	var keep []string
	contents, err := a.Contents()
	if err != nil {
		return err
	}
	for name, data := range contents {
		for at := name; at != "."; at = filepath.ToSlash(filepath.Dir(at)) {
			keep = append(keep, at)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), atomicfile.Write(path, data)); err != nil {
			return fmt.Errorf("release: %w", err)
		}
	}
	var extra []string
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != "." && !slices.Contains(keep, path) {
			extra = append(extra, filepath.Join(dir, filepath.FromSlash(path)))
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return err
	})
	for _, path := range extra {
		err = errors.Join(err, os.RemoveAll(path))
	}
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}
