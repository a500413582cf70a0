package built

import (
	"crypto/sha256"
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/nbformat"
)

// sources are files of the repository and their sums.
type sources struct {
	root, module string
	sums         map[string][sha256.Size]byte
	read         map[string]bool // folders of packages
}

// file reads and notes a file.
func (s *sources) file(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err == nil {
		s.sums[name] = sha256.Sum256(data)
	}
	return data, err
}

// pkg reads the package in a folder with what it may embed, and the packages of
// the repository that it imports. A folder without Go files is none.
func (s *sources) pkg(dir string) error {
	if s.read[dir] || !isPackage(dir) {
		return nil
	}
	s.read[dir] = true
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == dir:
			return nil
		case d.IsDir() && (d.Name() == "testdata" || d.Name()[0] == '.' || isPackage(name)):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || d.Name()[0] == '.': // as editors leave them
			return nil
		}
		data, err := s.file(name)
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		// The go command reports a file that does not parse; what does, counts here.
		f, _ := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		for _, spec := range f.Imports {
			if rel, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, "`\""), s.module+"/"); ok {
				if err := s.pkg(filepath.Join(s.root, rel)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func isPackage(dir string) bool {
	files, _ := os.ReadDir(dir)
	return slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
}

// below reads the packages in and below a folder whose own names are wanted.
func (s *sources) below(dir string, want func(name string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !d.IsDir():
			return err
		case d.Name() == "testdata":
			return fs.SkipDir
		case want(d.Name()):
			return s.pkg(path)
		}
		return nil
	})
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// imported reads the packages of the repository that the notebook's cells may
// import: by their paths, or because goimports finds them by their names. A
// package whose name stands anywhere in the code counts, so that nothing is missed.
func (s *sources) imported(nb *nbformat.Notebook) error {
	path := regexp.MustCompile(regexp.QuoteMeta(s.module) + `/([\w./-]+)`)
	words := map[string]bool{}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		for _, w := range word.FindAllString(c.Source, -1) {
			words[w] = true
		}
		for _, m := range path.FindAllStringSubmatch(c.Source, -1) {
			if filepath.IsLocal(m[1]) {
				if err := s.pkg(filepath.Join(s.root, m[1])); err != nil {
					return err
				}
			}
		}
	}
	for _, top := range []string{"mlkit", "plotting", "datasets"} {
		if err := s.below(filepath.Join(s.root, top), func(name string) bool { return words[name] }); err != nil {
			return err
		}
	}
	return nil
}
