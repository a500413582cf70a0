//go:build unix

package buildserver

import (
	"context"
	"errors"
	"go/importer"
	"go/token"
	"io"
	"os"
	"path/filepath"

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
	return program.ShowLast(mainFile, text, importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if packages == nil {
			return nil, errors.New("no package is known")
		}
		p, _ := packages(path)
		return os.Open(p.Archive)
	}))
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
