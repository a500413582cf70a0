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

	"marginalia/internal/base/setup"
	"marginalia/internal/browser/editor"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
)

// Cells run in their page with Go's compiler and linker, if the site has them: in the folder go, with
// the code of each notebook's cells in go/cells. A page loads nothing of it before a reader asks for it.

// running is what cells of the site run with.
type running struct {
	dir   string          // of the tools, packages and scripts; "": no cells run
	lite  string          // the archive with JupyterLite's app, for the lab
	still map[string]bool // folders whose notebooks' cells do not run
	given []gopage.Given  // files that cells may read, of the whole site
	mnist []gopage.Given  // those of MNIST
}

var errWithoutCells = errors.New("or make the site without cells that run: --cells=false")

// prepareCells makes what cells run with in a folder of the cache, and finds the archive of the lab. It reports its
// steps to p.
func prepareCells(ctx context.Context, b *book, dir, python string, p setup.Progress) (running, error) {
	lite, err := venv.Lite(ctx, p)
	if err != nil {
		return running{}, err
	}
	end := p.Begin("building Go's compiler and linker for pages, the first time some minutes")
	run, err := buildGo(ctx, b, dir, python)
	run.lite = lite
	end(err)
	return run, err
}

// buildGo makes the tools, packages and scripts in a folder of the cache. python is a Python 3.
func buildGo(ctx context.Context, b *book, dir, python string) (r running, err error) {
	r.dir = dir
	err = editor.Write(ctx, dir, func(ctx context.Context) (n editor.Node, err error) { // first, since it asks for a network
		n.Program, n.NPM, err = venv.Node(ctx)
		return n, err
	})
	if err != nil {
		return r, err
	}
	if r.still, err = b.buildPackages(ctx, dir, python); err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	if r.mnist, err = packMNIST(filepath.Join(dir, mnistFolder)); err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	return r, gopage.Write(ctx, dir)
}

// goFiles adds them to the site.
func (s *stage) goFiles() error {
	if s.run.dir == "" {
		return nil
	}
	s.file("go/figure.js", []byte(lab.FigureScript()))
	s.file("offline.js", gopage.Offline)
	if err := s.giveFiles(); err != nil {
		return err
	}
	return fs.WalkDir(os.DirFS(s.run.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(s.run.dir, filepath.FromSlash(name)))
		s.file("go/"+name, data)
		return err
	})
}

// A pageCell is the code of a cell as cells.js gets it.
type pageCell struct {
	ID     string `json:"id"`
	Source string `json:"source"`
}

// runs reports whether cells of a notebook in Go run in its page.
func (s *stage) runs(rel string) bool { return s.run.dir != "" && !s.run.still[path.Dir(rel)] }

// goCell is what stands at the end of a notebook whose cells run in its page: it names the list of their
// code, which has the cells that the page leaves out, too, and the list of files that they may read.
func (s *stage) goCell(rel string, nb *nbformat.Notebook) (*nbformat.Cell, error) {
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
	more := ""
	if len(s.run.given) > 0 {
		more = fmt.Sprintf(" data-given=\"%s\"", relative(rel, givenList))
	}
	if s.book.course() {
		more += fmt.Sprintf(" data-folder=\"%s\"", html.EscapeString(path.Join(cellFolder, path.Dir(rel))))
	}
	return &nbformat.Cell{ID: "go", Type: "markdown", Metadata: map[string]any{},
		Source: fmt.Sprintf("<div data-site hidden data-go=\"%s\" data-cells=\"%s\"%s data-markdown=\"%s\"></div>", relative(rel, "go/"), html.EscapeString(relative(rel, list)), more, html.EscapeString(string(drawn)))}, nil
}
