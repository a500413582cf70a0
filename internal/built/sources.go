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
	"strconv"
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

// pkg reads the package in a folder, and those of the repository that it imports.
func (s *sources) pkg(dir string) error {
	if s.read[dir] || !isPackage(dir) {
		return nil
	}
	s.read[dir] = true
	paths, err := s.folder(dir, false)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if rel, ok := strings.CutPrefix(path, s.module+"/"); ok {
			if err := s.pkg(filepath.Join(s.root, rel)); err != nil {
				return err
			}
		}
	}
	return nil
}

// folder reads the files in a folder and below it, where files to embed may be,
// and returns what they import. Packages below it are left out unless all is
// true, tests always.
func (s *sources) folder(dir string, all bool) (imports []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && (d.Name() == "testdata" || d.Name()[0] == '.' || !all && isPackage(name)):
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
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				imports = append(imports, path)
			}
		}
		return nil
	})
	return imports, err
}

func isPackage(dir string) bool {
	files, _ := os.ReadDir(dir)
	return slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// imported returns the folders of packages of the repository that the notebook's
// cells may import, relative to the root: by their paths, or because goimports
// finds them by their names. A package whose name stands anywhere in the code
// counts, so that nothing is missed.
func (s *sources) imported(nb *nbformat.Notebook) ([]string, error) {
	var code strings.Builder
	for _, c := range nb.Cells {
		if c.Type == "code" {
			code.WriteString(c.Source + "\n")
		}
	}
	var dirs []string
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(s.module)+`/([\w./-]+)`).FindAllStringSubmatch(code.String(), -1) {
		if filepath.IsLocal(m[1]) {
			dirs = append(dirs, m[1])
		}
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(code.String(), -1) {
		words[w] = true
	}
	for _, top := range []string{"mlkit", "plotting", "datasets"} {
		err := filepath.WalkDir(filepath.Join(s.root, top), func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !d.IsDir():
				return nil
			case d.Name() == "testdata" || d.Name() == "internal":
				return fs.SkipDir
			case words[d.Name()]:
				rel, err := filepath.Rel(s.root, name)
				dirs = append(dirs, rel)
				return err
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return dirs, nil
}
