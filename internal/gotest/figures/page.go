package figures

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
)

//go:embed index.html
var indexText string

// IndexName is the name of the page that WriteIndex writes.
const IndexName = "index.html"

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
	t, err := template.New(IndexName).Parse(indexText)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"Lectures": all, "Count": len(c.Figures), "Left": c.Left, "Formats": Formats}); err != nil {
		return fmt.Errorf("figures: %s: %w", IndexName, err)
	}
	return atomicfile.Write(filepath.Join(c.dir, IndexName), b.Bytes())
}
