package site

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"marginalia/internal/browser/editor"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/browser/toolchain"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
)

// Cells run in their page with Go's compiler and linker, if the site has them: in the folder go, with
// the code of each notebook's cells in go/cells. A page loads nothing of it before a reader asks for it.

// buildGo makes the tools, packages and scripts in a folder of the cache. python is a Python 3.
func buildGo(ctx context.Context, root, dir, python string) error {
	if _, err := toolchain.Build(ctx, root, dir, toolchain.Packages, python); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := gopage.Write(ctx, dir); err != nil {
		return err
	}
	return editor.Write(ctx, dir, func(ctx context.Context) (n editor.Node, err error) {
		n.Program, n.NPM, err = venv.Node(ctx)
		return n, err
	})
}

// goFiles adds them to the site.
func (s *stage) goFiles() error {
	if s.golang == "" {
		return nil
	}
	s.file("go/figure.js", []byte(lab.FigureScript()))
	s.file("offline.js", gopage.Offline)
	return fs.WalkDir(os.DirFS(s.golang), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(s.golang, filepath.FromSlash(name)))
		s.file("go/"+name, data)
		return err
	})
}

// A pageCell is the code of a cell as cells.js gets it.
type pageCell struct {
	ID     string `json:"id"`
	Source string `json:"source"`
}

// goCell is what stands at the end of a notebook whose cells run in its page: it names the list of their
// code, which has the cells that the page leaves out, too. It is nil if they do not run there.
func (s *stage) goCell(rel string, nb *nbformat.Notebook) (*nbformat.Cell, error) {
	if s.golang == "" {
		return nil, nil
	}
	cells, sums := []pageCell{}, map[string]string{}
	for _, c := range nb.Cells {
		if c.Type == "code" {
			cells = append(cells, pageCell{c.ID, c.Source})
		}
		if len(c.Outputs) != 1 {
			continue
		}
		if markdown, ok := c.Outputs[0].Data["text/markdown"].(string); ok { // the page draws it, and shows it again if the cell does
			sums[c.ID] = fmt.Sprintf("%x", sha256.Sum256([]byte(markdown)))
		}
	}
	drawn, err := json.Marshal(sums)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(cells)
	if err != nil {
		return nil, err
	}
	list := "go/cells/" + strings.TrimSuffix(rel, path.Ext(rel)) + ".json"
	s.file(list, text)
	return &nbformat.Cell{ID: "go", Type: "markdown", Metadata: map[string]any{},
		Source: fmt.Sprintf("<div data-site hidden data-go=\"%s\" data-cells=\"%s\" data-markdown=\"%s\"></div>", relative(rel, "go/"), html.EscapeString(relative(rel, list)), html.EscapeString(string(drawn)))}, nil
}

var errCourseCells = errors.New("site: --cells is for the lectures: the cells of a course do not run in its pages")
