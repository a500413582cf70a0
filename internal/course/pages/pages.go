// Package pages makes the folder from which any web server hands out an assignment: the notebooks that students get, in a
// JupyterLab in the browser whose kernel is Go in the page, with a button to hand in.
//
//	p, err := pages.Make(ctx, root, c, a, "public/ps0", setup.Lines(os.Stderr))
//	if err != nil {
//		return err
//	}
//	defer p.Remove()
//	return p.Place()
//
// Its go is that of internal/browser, its lab that of internal/browser/lab, and index.html leads there.
package pages

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/setup"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
)

// mark is the file that names the assignment of a folder that we made.
const mark = ".marginalia-assignment"

// Check returns an error unless the pages of an assignment may be put into the place of out: a folder that is new, empty, or
// of the same assignment.
func Check(c *course.Course, name, out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if info, at := os.Stat(out); at == nil && !info.IsDir() {
		return fmt.Errorf("pages: %s is not a folder: name another with --pages", out)
	}
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	of, err := os.ReadFile(filepath.Join(out, mark))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("pages: %s has files that course release has not written: name a new or empty folder with --pages", out)
	case err != nil:
		return fmt.Errorf("pages: %w", err)
	case string(of) != owner(c, name):
		return fmt.Errorf("pages: %s has the pages of %s: students keep their work under its address, so name another folder with --pages", out, strings.TrimSpace(string(of)))
	}
	return nil
}

// owner is what the mark says.
func owner(c *course.Course, name string) string {
	return strings.TrimSpace(c.ID+" "+name) + "\n"
}

// Pages are a folder that is made, and not yet in its place.
type Pages struct {
	Files int
	Bytes int64

	tmp, out string
}

// Make makes the pages of an assignment beside their place. root is the repository. Steps are told to p.
func Make(ctx context.Context, root string, c *course.Course, a *release.Handout, out string, p setup.Progress) (*Pages, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	if err := Check(c, a.Name, out); err != nil {
		return nil, err
	}
	made, err := begin(out) // first, since it is the quickest to fail
	if err != nil {
		return nil, err
	}
	if err := made.fill(ctx, root, c, a, p); err != nil {
		made.Remove()
		return nil, err
	}
	return made, nil
}

// begin makes an empty folder beside out.
func begin(out string) (*Pages, error) {
	err := os.MkdirAll(filepath.Dir(out), 0o755)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(out), ".pages-")
	if err == nil {
		err = os.Chmod(tmp, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("pages: nothing can be written beside %s, where the new pages stand until they are whole: %w", out, err)
	}
	return &Pages{tmp: tmp, out: out}, nil
}

func (m *Pages) fill(ctx context.Context, root string, c *course.Course, a *release.Handout, p setup.Progress) error {
	archive, err := venv.Lite(ctx, p)
	if err != nil {
		return err
	}
	files, err := files(c, a, archive)
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := m.put(name, data); err != nil {
			return fmt.Errorf("pages: %w", err)
		}
	}
	if err := m.golang(ctx, root, imported(a), p); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	return nil
}

// golang adds the folder go, with the packages that cells may import and those that a release does.
func (m *Pages) golang(ctx context.Context, root string, imports []string, p setup.Progress) error {
	cache, err := setup.Cache()
	if err != nil {
		return err
	}
	dir := filepath.Join(cache, fmt.Sprintf("pages-%.6x", sha256.Sum256([]byte(root))))
	held, err := setup.Lock(ctx, dir+".lock", p)
	if err != nil {
		return err
	}
	defer held.Close()
	python, err := venv.Find(ctx)
	if err != nil {
		return err
	}
	end := p.Begin("building Go's compiler and linker for pages, the first time some minutes")
	_, err = toolchain.Build(ctx, root, dir, slices.Concat(toolchain.Packages, imports), python.Path)
	if err == nil {
		err = gopage.Write(ctx, dir)
	}
	end(err)
	if err != nil {
		return fmt.Errorf("the packages that the lab serves, and those that the cells import (%s): %w", strings.Join(imports, ", "), err)
	}
	return m.copy(dir, "go")
}

// copy adds the files of a folder, below one of the pages.
func (m *Pages) copy(dir, to string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		return m.put(to+"/"+name, data)
	})
}

// imported are the packages that cells of a release import, sorted.
func imported(a *release.Handout) []string {
	var released []*nbformat.Notebook
	for _, nb := range a.Notebooks {
		released = append(released, nb.Release)
	}
	return toolchain.Imported(released...)
}

func (m *Pages) put(name string, data []byte) error {
	file := filepath.Join(m.tmp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	m.Files++
	m.Bytes += int64(len(data))
	return os.WriteFile(file, data, 0o644)
}

// Place puts the pages into their place, and removes those that were there.
func (m *Pages) Place() error {
	if err := atomicfile.Folder(m.tmp, m.out); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	return nil
}

// Remove removes the pages unless they are in their place.
func (m *Pages) Remove() { os.RemoveAll(m.tmp) }
