package live

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/cell/display"
	"marginalia/internal/gotest/export"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/workspace"
)

// A place is where the program of a slider is: a file beside the list, and the cell. Files are those
// that the cells may read: by their paths from the notebook, their addresses from the list.
type place struct {
	WASM  string            `json:"wasm"`
	Cell  string            `json:"cell"`
	Files map[string]string `json:"files,omitempty"`
}

// Lecture writes the programs of a notebook's sliders into dir, and NAME.json, the list of them
// by name. files has what the cells may read, see place. It returns the number of sliders. Sliders
// of cells that are programs of their own, as those with build flags, stay with their stored frames.
func Lecture(ctx context.Context, root, notebook, dir, name string, files map[string]string) (int, error) {
	cells, err := sliders(notebook)
	if err != nil || len(cells) == 0 {
		return 0, err
	}
	tmp, err := os.MkdirTemp("", "marginalia-lecture-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	from, modules, err := Module(root, filepath.Dir(notebook), filepath.Join(tmp, "module"))
	if err != nil {
		return 0, err
	}
	adds := root
	if modules != nil {
		adds = modules.Home
	}
	e, err := export.Notebook(ctx, notebook, from, adds)
	if err != nil {
		return 0, err
	}
	program := filepath.Join(tmp, "program")
	if err := e.Write(program, root); err != nil {
		return 0, err
	}
	places := map[string]place{}
	for i, pkg := range e.Packages {
		at := filepath.Join(program, pkg)
		kept, err := keep(at, cells)
		if err != nil {
			return 0, err
		}
		file := name + ".wasmz"
		if i > 0 {
			file = fmt.Sprintf("%s-%d.wasmz", name, i+1)
		}
		for _, id := range kept {
			for _, slider := range cells[id] {
				places[slider] = place{file, id, files}
			}
		}
		if len(kept) > 0 {
			if err := buildWASM(ctx, root, at, ".", filepath.Join(dir, file)); err != nil {
				return 0, fmt.Errorf("%s: %w", notebook, err)
			}
		}
	}
	list, err := json.MarshalIndent(places, "", "  ")
	if err != nil {
		return 0, err
	}
	return len(places), atomicfile.Write(filepath.Join(dir, name+".json"), append(list, '\n'))
}

// Module returns the folder where the imports of notebooks in folder dir are found: the repository, or, if
// modules lie beside them, the folder at, into which it writes a module that joins these with the
// repository.
func Module(root, dir, at string) (from string, modules *workspace.Modules, err error) {
	modules, err = workspace.Find(dir, root)
	if err != nil || modules == nil {
		return root, nil, err
	}
	return at, modules, export.WriteModule(at, root, modules)
}

// sliders returns the names of the sliders among the stored outputs of a notebook, by cell.
func sliders(notebook string) (map[string][]string, error) {
	nb, err := nbformat.Read(notebook)
	if err != nil {
		return nil, err
	}
	cells := map[string][]string{}
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			packed, ok := o.Data[display.SliderType].(string)
			if !ok {
				continue
			}
			f, err := display.UnpackFrames(packed)
			if err != nil {
				return nil, fmt.Errorf("%s: cell %s: %w", notebook, c.ID, err)
			}
			cells[c.ID] = append(cells[c.ID], f.Name)
		}
	}
	return cells, nil
}

// keep leaves only some cells in the program of an exported package, so that the linker drops
// what the others use. It returns those of them that the program has.
func keep(dir string, cells map[string][]string) (kept []string, err error) {
	file := filepath.Join(dir, "cells.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return nil, err
	}
	pkg, err := layout.Open(dir, "")
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, c := range pkg.Cells {
		in[c.ID] = c.Program == "" && c.Fails == "" && !c.NoGo
	}
	var out []byte
	done := 0 // of text; the file has line directives, so its own offsets are needed
	at := func(p token.Pos) int { return set.PositionFor(p, false).Offset }
	ast.Inspect(f, func(n ast.Node) bool {
		list, ok := n.(*ast.CompositeLit)
		if !ok || !isCells(list) {
			return true
		}
		for _, e := range list.Elts {
			if id := cellID(e); in[id] && cells[id] != nil {
				kept = append(kept, id)
				continue
			}
			out = append(out, text[done:at(e.Pos())]...)
			done = at(e.End()) + len(",")
		}
		return false
	})
	return kept, os.WriteFile(file, append(out, text[done:]...), 0o644)
}

// isCells reports whether a literal is a list of cells, as package export writes it.
func isCells(list *ast.CompositeLit) bool {
	array, ok := list.Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	of, ok := array.Elt.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Cell"
}

// cellID returns the ID of a cell in such a list.
func cellID(cell ast.Expr) string {
	fields, ok := cell.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	for _, e := range fields.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "ID" {
			if text, ok := kv.Value.(*ast.BasicLit); ok {
				id, err := strconv.Unquote(text.Value)
				if err == nil {
					return id
				}
			}
		}
	}
	return ""
}
