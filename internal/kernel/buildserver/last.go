//go:build unix

package buildserver

import (
	"context"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"sync"

	"marginalia/internal/build"
	"marginalia/internal/notebook/program"
)

// mainFile is what GoNB calls the program of a cell that has no tests.
const mainFile = "main.go"

// showLast has a program show its last expression. It returns nil if it has none that shows itself, and is
// not sure where that depends on a package that the server does not know.
func (s *Server) showLast(c build.Command, text []byte) (edited []byte, sure bool) {
	if c.Args[0] != "build" {
		return nil, true
	}
	packages := s.Builder.Packages(c)
	if packages == nil {
		packages = func(string) (p build.Package, ok bool) { return p, false }
	}
	s.types.Lock()
	defer s.types.Unlock()
	return program.ShowLast(mainFile, text, s.types.of(packages))
}

// A typing has the types of packages, which takes 20 ms to read for a cell that draws.
type typing struct {
	sync.Mutex
	importer types.Importer
	archives map[string]string // that were read, by import path
}

// of returns the types of packages: those that were read before, unless one has changed.
func (t *typing) of(packages func(path string) (build.Package, bool)) types.Importer {
	same := t.importer != nil
	for path, file := range t.archives {
		p, _ := packages(path)
		same = same && p.Archive == file
	}
	if !same {
		t.archives = map[string]string{}
		t.importer = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(t.archives[path]) // there is no file "" of a package that is not known
		})
	}
	return known{t, packages}
}

// known are the packages of one program.
type known struct {
	*typing
	packages func(path string) (build.Package, bool)
}

// Import returns what a package exports.
func (k known) Import(path string) (*types.Package, error) {
	p, _ := k.packages(path)
	k.archives[path] = p.Archive
	return k.importer.Import(path)
}

// Edited returns what the go command is to read instead of some files of a folder, by name, if the server
// could not say it.
func Edited(ctx context.Context, dir string) (map[string][]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, mainFile))
	if err != nil {
		return nil, nil // the go command says it
	}
	edited, err := program.NewChecker(dir, dir).ShowLast(ctx, mainFile, text)
	if edited == nil {
		return nil, err
	}
	return map[string][]byte{mainFile: edited}, nil
}
