// Package lab sets JupyterLab up with the Go kernel for the repository, and
// starts it: "go run . lab".
//
// It needs what internal/kernel builds, and the virtual environment .venv in the
// repository with JupyterLab, the kernelspec and Jupyter's own files.
package lab

import (
	"context"
	_ "embed"
	"path/filepath"

	"marginalia/internal/setup"
	"marginalia/internal/venv"
)

//go:embed requirements.txt
var requirements string

// An Environment is the virtual environment of the repository. Its own folder
// holds Jupyter's settings and runtime files.
type Environment struct{ venv.Env }

// EnvironmentOf is that of the repository at root.
func EnvironmentOf(root string) Environment {
	e := Environment{venv.Env{Dir: filepath.Join(root, ".venv"), Requirements: []string{requirements}}}
	e.What = "JupyterLab " + e.Pinned("jupyterlab") + " and what it needs"
	return e
}

// JupyterPython returns the Python of the virtual environment of the repository
// at root, which can import what JupyterLab needs, nbformat and nbclient among
// it. It makes the environment first unless it is whole: half a minute, announced
// to p, with a package index in reach.
func JupyterPython(ctx context.Context, root string, p setup.Progress) (string, error) {
	e := EnvironmentOf(root)
	if err := e.Ensure(ctx, p); err != nil {
		return e.Python(), err
	}
	return e.Python(), e.pages()
}
