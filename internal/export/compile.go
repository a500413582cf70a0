package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

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
	var builds errgroup.Group
	for _, p := range e.Packages {
		builds.Go(func() error {
			at := filepath.Join(dir, p)
			pkg, err := exported.Open(at, filepath.Join(at, exported.ProgramFile))
			if err == nil {
				err = pkg.Build(ctx)
			}
			if err != nil {
				return fmt.Errorf("%s: the exported package does not compile, which is a fault of the exporter:\n%w", file, err)
			}
			return nil
		})
	}
	return builds.Wait()
}
