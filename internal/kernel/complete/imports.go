package complete

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"marginalia/internal/notebook/cursor"
)

// packages finds the package that a name means where nothing imports it. goimports, which GoNB
// runs before it builds a cell, takes the standard library first, then the modules, and of
// several packages one that has all members that are used.
type packages struct {
	index func() map[string][]found // by name, the likeliest first
}

// A found is a package.
type found struct{ path, dir string }

// newPackages finds packages of the standard library and of the modules that the go command
// has in folder dir. It looks for them when the first is asked for.
func newPackages(dir string, env []string) *packages {
	return &packages{sync.OnceValue(func() map[string][]found {
		index := map[string][]found{}
		for _, root := range roots(dir, env) {
			walk(root, index)
		}
		return index
	})}
}

// roots returns the folders of the standard library and of modules, with their paths.
func roots(dir string, env []string) (roots []found) {
	output := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, env
		out, _ := cmd.Output() // what it does not find is not offered
		return strings.TrimSpace(string(out))
	}
	if goroot := output("env", "GOROOT"); goroot != "" {
		roots = append(roots, found{"", filepath.Join(goroot, "src")})
	}
	for line := range strings.Lines(output("list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")) {
		if path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t"); dir != "" {
			roots = append(roots, found{path, dir})
		}
	}
	return roots
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// walk adds the packages below a root that cells can import.
func walk(root found, index map[string][]found) {
	own := map[string][]found{}
	_ = filepath.WalkDir(root.dir, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil // what can't be read is not offered
		}
		name := e.Name()
		if dir != root.dir {
			_, err := os.Stat(filepath.Join(dir, "go.mod"))
			if err == nil || slices.Contains([]string{"internal", "testdata", "vendor", "cmd", "node_modules"}, name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return fs.SkipDir
			}
		}
		below, err := filepath.Rel(root.dir, dir)
		if err != nil || !hasGo(dir) {
			return nil
		}
		f := found{path.Join(root.path, filepath.ToSlash(below)), dir}
		if name = path.Base(f.path); version.MatchString(name) {
			name = path.Base(path.Dir(f.path))
		}
		own[name] = append(own[name], f)
		return nil
	})
	for name, list := range own {
		slices.SortStableFunc(list, func(a, b found) int { return len(a.path) - len(b.path) })
		index[name] = append(index[name], list...)
	}
}

func hasGo(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
	})
}

// find returns the path of the package that a name with these members means; "" if none does.
func (p *packages) find(name string, members []string) string {
	list := p.index()[name]
	best, most := "", -1
	for _, f := range list {
		have := 0
		if len(list) > 1 {
			have = f.declares(members)
		}
		if have > most {
			best, most = f.path, have
		}
	}
	return best
}

// declares returns how many of the names the package declares.
func (f found) declares(names []string) (n int) {
	files, err := filepath.Glob(filepath.Join(f.dir, "*.go"))
	if err != nil {
		return 0
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, decl := range parsed.Decls {
			for _, key := range cursor.Keys(decl) {
				if ast.IsExported(key) && slices.Contains(names, key) {
					n++
				}
			}
		}
	}
	return n
}
