package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"marginalia/internal/exported"
)

// Compile exports the notebook in file into dir, which it empties, and
// compiles the packages there against the repository at root. Each leaves its
// program in its folder, under the name exported.ProgramFile.
func Compile(ctx context.Context, file, dir, root string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "cell"), 0o755); err != nil {
		return err
	}
	if err := WriteModule(dir, root); err != nil {
		return err
	}
	e, err := Notebook(ctx, file, dir, root)
	if err != nil {
		return err
	}
	if err := writeAll(dir, e.Files); err != nil {
		return err
	}
	errs := make([]error, len(e.Packages))
	var wait sync.WaitGroup
	for i, p := range e.Packages {
		wait.Go(func() {
			at := filepath.Join(dir, p)
			pkg, err := exported.Open(at, filepath.Join(at, exported.ProgramFile))
			if err == nil {
				err = pkg.Build(ctx)
			}
			if err != nil {
				errs[i] = fmt.Errorf("%s: the exported package does not compile, which is a fault of the exporter:\n%w", file, err)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
