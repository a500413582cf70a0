package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A graph is what the go command has said of packages and of how a program is built from them.
type graph struct {
	Direct           map[string]bool // packages that a program may import
	Listed           map[string]listed
	Archives         string // lines of the importcfg for all of them
	Modinfo          modinfo
	Compiler, Linker tool
	Tested           tool // the compiler for the package of tests; Compiler is for the program that runs them
	Vet              vetting
	Goroot           string
	Stamps           stamps
	Asked            []string // what it was asked for, import paths and patterns
	Learned          time.Time
}

// lasting is how long a graph is used: the go command, which is then asked again, removes archives
// from the build cache that it has not used for five days.
const lasting = 24 * time.Hour

// current reports whether the go command would say the same now.
func (g *graph) current() bool { return time.Since(g.Learned) < lasting && g.Stamps.current() }

// archive returns the file of a package's archive, "" if there is none.
func (g *graph) archive(path string) string {
	_, after, _ := strings.Cut(g.Archives, "packagefile "+path+"=")
	file, _, _ := strings.Cut(after, "\n")
	return file
}

// asked reports whether all of this was asked for.
func (g *graph) asked(more []string) bool {
	return !slices.ContainsFunc(more, func(path string) bool { return !slices.Contains(g.Asked, path) })
}

// there reports whether the build cache has all archives, and what vet knows of them.
func (g *graph) there() bool {
	for _, file := range g.Vet.Facts {
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	for line := range strings.Lines(g.Archives) {
		_, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	return true
}

// listed is what "go list" says of a package.
type listed struct {
	ImportPath, Name, Dir string
	Standard, DepOnly     bool
	Incomplete            bool
	EmbedFiles, Imports   []string
	EmbedPatterns         []string
	Module                *struct{ Path, Dir string }
}

const listedFields = "ImportPath,Name,Dir,Standard,DepOnly,Incomplete,EmbedFiles,EmbedPatterns,Imports,Module"

// has reports whether a program at a place may import all of these.
func (g *graph) has(imports []string, at place) bool {
	return !slices.ContainsFunc(imports, func(path string) bool { return !g.Direct[path] || !open(path, at.program) })
}

// open reports whether a program may import a package: the parent of a folder named internal has to have
// both.
func open(path, program string) bool {
	elements := strings.Split(path, "/")
	for i, e := range slices.Backward(elements) {
		if e == "internal" {
			return i > 0 && strings.HasPrefix(program+"/", strings.Join(elements[:i], "/")+"/")
		}
	}
	return elements[0] != "vendor"
}

// doubts reports whether a program has the import path of another package, or whether packages of other
// modules could be of its module: what the go command makes of that is not known here. One without a folder is not there.
func (g *graph) doubts(at place) bool {
	for path, p := range g.Listed {
		own := p.Dir == "" || p.Dir == at.root || strings.HasPrefix(p.Dir, at.root+string(filepath.Separator))
		if path == at.program || !own && strings.HasPrefix(path+"/", at.module+"/") {
			return true
		}
	}
	return false
}

// within reports whether packages lie in a folder.
func (g *graph) within(root string) bool {
	for _, p := range g.Listed {
		if !p.Standard && (p.Dir == root || strings.HasPrefix(p.Dir, root+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// modules are those of the packages that a program with these imports is linked from.
func (g *graph) modules(imports []string) map[string]bool {
	seen, modules := map[string]bool{}, map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := g.Listed[path]
		if seen[path] || p.Standard {
			return
		}
		seen[path] = true
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
		for _, path := range p.Imports {
			visit(path)
		}
	}
	for _, path := range imports {
		visit(path)
	}
	return modules
}
