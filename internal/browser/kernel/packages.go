package kernel

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"strconv"

	"marginalia/internal/notebook/program"
)

// packages are those that a program imports, for the type checker. They are loaded when it asks for the
// first: most cells need no types before they are compiled.
type packages struct {
	kernel *Kernel
	text   string // of the program
	loaded bool
}

// Import returns what a package exports.
func (p *packages) Import(path string) (*types.Package, error) {
	k := p.kernel
	if k.types == nil {
		k.files = map[string]string{}
		k.types = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
			if file, ok := k.files[path]; ok {
				return os.Open(file)
			}
			return nil, fmt.Errorf("marginalia: no package %s", path)
		})
	}
	if path == program.ShowPath {
		p.loaded, p.text = false, "package main; import "+strconv.Quote(path)
	}
	if !p.loaded {
		p.loaded = true
		files, err := k.exports(p.text)
		if err != nil {
			return nil, err
		}
		maps.Copy(k.files, files)
	}
	return k.types.Import(path)
}
