package site

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/nbformat"
)

// A program stays in the cache until its sources change.

// kept calls build unless it has been called with the same key, and keeps the result in a file.
func kept[T any](file, key string, result *T, build func() error) error {
	var last struct {
		Key    string
		Result T
	}
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &last) == nil && last.Key == key {
		*result = last.Result
		return nil
	}
	if err := os.RemoveAll(file); err != nil { // a build that is killed is not continued
		return fmt.Errorf("site: %w", err)
	}
	if err := build(); err != nil {
		return err
	}
	last.Key, last.Result = key, *result
	data, err := json.Marshal(last)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	return os.WriteFile(file, data, 0o644)
}

// sumOfPrograms is the sum of the sources of all programs, except the cells.
func (b *book) sumOfPrograms() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	var tops []string
	for _, top := range []string{"go.mod", "go.sum", "mlkit", "plotting", "datasets", "internal"} {
		tops = append(tops, filepath.Join(b.root, top))
	}
	for _, dir := range slices.Sorted(maps.Keys(b.imports)) {
		tops = append(tops, b.imports[dir].folders()...)
	}
	for _, top := range tops {
		err := filepath.WalkDir(top, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && file != top && b.left(file) {
				return skipped(e, err)
			}
			if !e.Type().IsRegular() || strings.HasSuffix(file, "_test.go") || path.Ext(file) == ".ipynb" {
				return nil
			}
			if !strings.HasPrefix(file, b.root+string(filepath.Separator)) && !slices.Contains([]string{".go", ".mod", ".sum", ".work"}, path.Ext(file)) {
				info, err := e.Info() // it may be embedded, or data of any size
				if err == nil {
					fmt.Fprintln(h, file, info.Size(), info.ModTime().UnixNano())
				}
				return err
			}
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			fmt.Fprintln(h, file)
			_, err = io.Copy(h, f)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("site: %w", err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

func skipped(e fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// codeOf is the sum of a notebook's code and of its stored sliders, whose programs the site has.
func codeOf(nb *nbformat.Notebook) string {
	h := sha256.New()
	for _, c := range nb.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
		}
		for _, o := range c.Outputs {
			fmt.Fprintf(h, "%v\n", o.Data[display.SliderType])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// reads finds the files of the book that a notebook in folder dir reads: those that strings in its code
// name. It returns their paths in the book by these strings.
func (b *book) reads(nb *nbformat.Notebook, dir string) map[string]string {
	files := map[string]string{}
	for name := range literals(nb) {
		file, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		rel := b.rel(file)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && b.holds(rel) {
			files[name] = rel
		}
	}
	return files
}

// literals are the strings in a notebook's code that may name files.
func literals(nb *nbformat.Notebook) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			var scan scanner.Scanner
			text := []byte(c.Source)
			scan.Init(token.NewFileSet().AddFile("", 1, len(text)), text, func(token.Position, string) {}, 0) // %% is no Go
			for _, tok, literal := scan.Scan(); tok != token.EOF; _, tok, literal = scan.Scan() {
				name, err := strconv.Unquote(literal)
				if tok == token.STRING && err == nil && name != "" && !strings.ContainsAny(name, "\x00\n") && !filepath.IsAbs(name) && !yield(name) {
					return
				}
			}
		}
	}
}
