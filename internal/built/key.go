package built

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"marginalia/internal/nbformat"
)

// buildKey is a sum over all that decides what the binaries are: the code
// cells, every source file of the repository (the exporter's own too), the
// versions of its dependencies, the Go toolchain and its settings.
//
// It reads the files themselves, so that the go command, which notes the files
// a test reads, never takes a result of `go test` from its cache after a change.
func buildKey(ctx context.Context, nb *nbformat.Notebook, root string) (string, error) {
	h := sha256.New()
	for _, c := range nb.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
		}
	}
	goVersion := exec.CommandContext(ctx, "go", "version")
	goVersion.Dir = root
	out, err := goVersion.Output()
	if err != nil {
		return "", fmt.Errorf("go version: %w", err)
	}
	h.Write(out)
	for _, name := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "GOFLAGS", "GOEXPERIMENT", "GOWORK"} {
		fmt.Fprintln(h, name, os.Getenv(name))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := sumFile(h, filepath.Join(root, name)); err != nil {
			return "", err
		}
	}
	for _, top := range []string{"mlkit", "plotting", "datasets", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return sumFile(h, path)
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sumFile(h hash.Hash, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	_, err = fmt.Fprintf(h, "%s %x\n", path, sum)
	return err
}
