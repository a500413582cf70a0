package export

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"marginalia/internal/celltest"
)

// Compile exports the notebook in file into dir, which it empties, and
// compiles the packages there against the repository at root. Each leaves its
// test binary in its folder, under the name celltest.BinaryName.
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
			// No vet: GoNB runs none. No symbol tables: linking is half the time.
			cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s", "-o", celltest.BinaryName, ".")
			cmd.Dir = filepath.Join(dir, p)
			if out, err := cmd.CombinedOutput(); err != nil {
				errs[i] = fmt.Errorf("%s: the exported package does not compile, which is a fault of the exporter: %w\n%s", file, err, out)
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
