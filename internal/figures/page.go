package figures

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"marginalia/internal/atomicfile"
)

//go:embed index.html
var indexText string

//go:embed changes.html
var changesText string

// Names of the pages.
const (
	IndexName   = "index.html"
	ChangesName = "changes.html"
)

// lecture is the figures of one notebook.
type lecture struct {
	Notebook, Title string
	Figures         []Figure
}

// WriteIndex writes index.html into the collection's folder: the figures by lecture, each with its
// cell and links to its files.
func (c *Collection) WriteIndex() error {
	var all []lecture
	for _, f := range c.Figures {
		if len(all) == 0 || all[len(all)-1].Notebook != f.Notebook {
			all = append(all, lecture{Notebook: f.Notebook, Title: f.Lecture})
		}
		l := &all[len(all)-1]
		l.Figures = append(l.Figures, f)
	}
	return page(filepath.Join(c.dir, IndexName), indexText, map[string]any{"Lectures": all, "Count": len(c.Figures), "Left": c.Left, "Formats": Formats})
}

// WriteChanges writes changes.html into dir, which it makes: each change with the
// pictures wanted, got, and where they differ, which it copies there.
func (c *Collection) WriteChanges(dir string, changes []Change) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("figures: %w", err)
	}
	for _, change := range changes {
		for _, name := range []string{change.Want, change.Got, change.Diff} {
			if name == "" {
				continue
			}
			data, err := os.ReadFile(filepath.Join(c.dir, name))
			if err == nil {
				err = atomicfile.Write(filepath.Join(dir, name), data)
			}
			if err != nil {
				return fmt.Errorf("figures: %w", err)
			}
		}
	}
	return page(filepath.Join(dir, ChangesName), changesText, changes)
}

func page(file, text string, data any) error {
	t, err := template.New(filepath.Base(file)).Parse(text)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return fmt.Errorf("figures: %s: %w", file, err)
	}
	return atomicfile.Write(file, b.Bytes())
}
