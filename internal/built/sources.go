package built

import (
	gobuild "go/build"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"

	"marginalia/internal/nbformat"
)

var (
	word    = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	named   = regexp.MustCompile(`\bmarginalia/[\w./-]+`)
	library = []string{"marginalia/mlkit", "marginalia/plotting", "marginalia/datasets"}
)

// always are what every notebook's build depends on: the exporter, and what is linked with
// the cells.
var always = []string{"marginalia/internal/export/compile", "marginalia/internal/cellrun"}

// A source is a package of the repository, or of a module that go.mod replaces by a folder.
type source struct {
	path, name, dir string
	files           []string // all but tests, whichever system they are for
	imports         []string
}

// sources returns, for each notebook, the packages that its build depends on, except
// those that go.mod and go.sum pin. Of the library that is every package whose
// name stands anywhere in the code, since goimports finds packages by name.
//
// The go command would take ten times as long, since it also reads what is pinned.
func sources(nbs []*nbformat.Notebook, root string) ([][]*source, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	f := finder{folders: map[string]string{"marginalia": root}, read: map[string]*source{}}
	for _, r := range mod.Replace {
		if to := r.New.Path; modfile.IsDirectoryPath(to) {
			if !filepath.IsAbs(to) {
				to = filepath.Join(root, to)
			}
			f.folders[r.Old.Path] = to
		}
	}
	var common, parts []*source
	for _, path := range always {
		common = append(common, f.at(path))
	}
	for path := range f.folders {
		if path != "marginalia" {
			common = append(common, f.below(path)...)
		}
	}
	for _, path := range library {
		parts = append(parts, f.below(path)...)
	}
	found := make([][]*source, len(nbs))
	for i, nb := range nbs {
		needed := map[string]*source{}
		for _, p := range common {
			f.need(needed, p)
		}
		words := map[string]bool{}
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			for _, w := range word.FindAllString(c.Source, -1) {
				words[w] = true
			}
			for _, path := range named.FindAllString(c.Source, -1) {
				f.need(needed, f.at(path))
			}
		}
		for _, p := range parts {
			if words[p.name] {
				f.need(needed, p)
			}
		}
		for _, p := range needed {
			found[i] = append(found[i], p)
		}
		slices.SortFunc(found[i], func(a, b *source) int { return strings.Compare(a.path, b.path) })
	}
	return found, nil
}

// A finder reads packages, each once.
type finder struct {
	folders map[string]string // of modules, by their paths
	read    map[string]*source
}

// need adds a package and all that it imports.
func (f *finder) need(needed map[string]*source, p *source) {
	if p == nil || needed[p.path] != nil {
		return
	}
	needed[p.path] = p
	for _, path := range p.imports {
		f.need(needed, f.at(path))
	}
}

// at returns the package of an import path, nil if it is in none of the folders.
func (f *finder) at(pkg string) *source {
	if p, ok := f.read[pkg]; ok {
		return p
	}
	f.read[pkg] = nil
	dir := f.dir(pkg)
	if dir == "" {
		return nil
	}
	// Whatever is wrong with a package, the go command will say.
	if p, _ := folders.ImportDir(dir, 0); p != nil && p.Name != "" {
		s := &source{path: pkg, name: p.Name, dir: dir, imports: p.Imports}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles) {
			s.files = append(s.files, filepath.Join(dir, name))
		}
		for _, pattern := range p.EmbedPatterns {
			s.files = append(s.files, embedded(filepath.Join(dir, strings.TrimPrefix(pattern, "all:")))...)
		}
		f.read[pkg] = s
	}
	return f.read[pkg]
}

// dir returns the folder of an import path, "" if it is in no module that is a folder.
func (f *finder) dir(pkg string) string {
	for module := pkg; module != "."; module = path.Dir(module) {
		if folder, ok := f.folders[module]; ok {
			if rest := strings.TrimPrefix(pkg[len(module):], "/"); rest == "" || filepath.IsLocal(rest) {
				return filepath.Join(folder, rest)
			}
		}
	}
	return ""
}

// below returns the packages in the folder of an import path and in those below it.
func (f *finder) below(pkg string) (all []*source) {
	if p := f.at(pkg); p != nil {
		all = append(all, p)
	}
	dir := f.dir(pkg)
	entries, _ := list(dir)
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		if file, err := look(filepath.Join(dir, name, "go.mod")); err == nil { // another module
			file.Close()
			continue
		}
		all = append(all, f.below(path.Join(pkg, name))...)
	}
	return all
}

// embedded returns the files that a pattern of go:embed stands for.
func embedded(pattern string) (files []string) {
	matches, _ := filepath.Glob(pattern)
	for _, match := range matches {
		filepath.WalkDir(match, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, file)
			}
			return nil
		})
	}
	return files
}

// folders reads a package from its folder, without the go command and all its files:
// which are compiled may hang on flags.
var folders = gobuild.Context{
	GOOS: gobuild.Default.GOOS, GOARCH: gobuild.Default.GOARCH, Compiler: gobuild.Default.Compiler, CgoEnabled: true,
	UseAllFiles: true,
	OpenFile:    func(name string) (io.ReadCloser, error) { return look(name) },
	ReadDir: func(dir string) ([]fs.FileInfo, error) {
		var infos []fs.FileInfo
		entries, err := list(dir)
		for _, e := range entries {
			infos = append(infos, info{e})
		}
		return infos, err
	},
	IsDir: func(name string) bool {
		f, err := look(name)
		if err != nil {
			return false
		}
		defer f.Close()
		info, err := f.Stat()
		return err == nil && info.IsDir()
	},
	HasSubdir: func(string, string) (string, bool) { return "", false }, // there is no GOPATH
}

// info is what go/build asks of a file in a folder, without another look at it.
type info struct{ fs.DirEntry }

func (i info) Mode() fs.FileMode { return i.Type() }
func (info) Size() int64         { return 0 }
func (info) ModTime() time.Time  { return time.Time{} }
func (info) Sys() any            { return nil }

// list returns what is in a folder, by name.
func list(dir string) ([]fs.DirEntry, error) {
	f, err := look(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// look opens a file or a folder to look for packages. What package os opens, the go command
// notes, and runs a test again after an edit of it, be it of a package that no notebook of the
// test needs.
func look(name string) (*os.File, error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}
