package lab

import (
	"context"
	"fmt"
	"path/filepath"

	"marginalia/internal/base/setup"
	"marginalia/internal/install/venv"
)

// An Extra is what JupyterLab is started with beside its own. It has an environment of its
// own in the user's cache, so that the repository's stays as it is, with the same pinned
// JupyterLab and the same settings.
type Extra struct {
	Name         string         // of the environment
	Requirements string         // pins, as those of [venv.Env]; they win over the lab's
	Minor        int            // of the oldest Python 3 that they are for
	Optional     bool           // with an older Python, JupyterLab starts without it and says so
	Page         string         // that opens first; "": that of the folder
	Files        map[string]any // text, or what becomes JSON, by their paths below the environment
	Args         []string       // of JupyterLab
	Environ      []string       // of JupyterLab and its kernels
}

// An oldPythonError says that the Python that was found is older than an extra needs.
type oldPythonError struct{ what string }

func (e *oldPythonError) Error() string { return "lab: " + e.what }

// environment is that of an extra, which must have a Python.
func (x *Extra) environment(ctx context.Context) (e Environment, err error) {
	if e.Env, err = venv.InCache(x.Name, requirements, x.Requirements); err != nil {
		return e, err
	}
	e.What = "JupyterLab " + e.Pinned("jupyterlab") + " and " + x.Name
	if state, _ := e.State(ctx); state != venv.Whole {
		if p, err := venv.Find(ctx); err != nil {
			return e, err
		} else if p.Major == 3 && p.Minor < x.Minor {
			return e, &oldPythonError{fmt.Sprintf("%s needs Python 3.%d or newer, and %v is the one that was found: name another in MARGINALIA_PYTHON", x.Name, x.Minor, p)}
		}
	}
	e.files = map[string]any{}
	for path, content := range x.Files {
		e.files[filepath.Join(e.Dir, filepath.FromSlash(path))] = content
	}
	return e, nil
}

// Python returns the Python of the environment, which is made first unless it is whole.
func (x *Extra) Python(ctx context.Context, p setup.Progress) (string, error) {
	e, err := x.environment(ctx)
	if err == nil {
		err = e.Ensure(ctx, p)
	}
	if err == nil {
		err = e.pages()
	}
	return e.Python(), err
}
