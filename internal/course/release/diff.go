package release

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"marginalia/internal/course"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// Diff returns what students will see differently from what lies in the course's
// release folder, as a unified diff of the cells, and of the names and sums of the
// other files. It is empty if nothing differs.
func (a *Handout) Diff(c *course.Course) (string, error) {
	dir, err := c.Path(course.Release, "", a.Name)
	if err != nil {
		return "", err
	}
	before, after := map[string]string{}, map[string]string{}
	for _, nb := range a.Notebooks {
		after[nb.Name+".ipynb"] = text(nb.Release)
	}
	for _, f := range a.Files {
		after[f.Path] = sum(f.Data)
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if filepath.Ext(path) == ".ipynb" {
			nb, err := nbformat.Read(filepath.Join(dir, path))
			if before[path] = text(nb); err != nil {
				before[path] = err.Error() + "\n" // it will be replaced
			}
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		before[path] = sum(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("release: %w", err)
	}
	var all bytes.Buffer
	for path := range before {
		if _, there := after[path]; !there {
			after[path] = ""
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		all.Write(diff.Diff("released before: "+path, []byte(before[path]), "now: "+path, []byte(after[path])))
	}
	return all.String(), nil
}

func sum(data []byte) string {
	return fmt.Sprintf("%d bytes, SHA-256 %x\n", len(data), sha256.Sum256(data))
}

// text returns the cells of a notebook as lines: a heading that says what the cell is,
// and its source. A notebook that is nil has none.
func text(nb *nbformat.Notebook) string {
	var b strings.Builder
	if nb == nil {
		return ""
	}
	for _, c := range nb.Cells {
		m, _ := nbgrader.Read(c)
		what := []string{c.Type, m.Kind().String()}
		if m.Grade || m.Task {
			what = append(what, fmt.Sprintf("%v points", m.Points))
		}
		if m.ReadOnly() {
			what = append(what, "read-only")
		}
		id := m.ID
		if id == "" {
			id = c.ID
		}
		fmt.Fprintf(&b, "── %s (%s)\n%s\n", id, strings.Join(what, ", "), strings.TrimRight(c.Source, "\n"))
		for _, name := range slices.Sorted(maps.Keys(c.Attachments)) {
			fmt.Fprintf(&b, "attachment %s: %s", name, sum(fmt.Appendf(nil, "%v", c.Attachments[name])))
		}
		b.WriteString("\n")
	}
	return b.String()
}
