package built

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"marginalia/internal/nbformat"
)

// exporter is the program that makes the packages; cellrun is linked with them.
var exporter = []string{"internal/export/compile", "internal/cellrun"}

// buildKey is a sum over all that decides what the binaries are: the code
// cells, the packages of the repository that they may import and those of the
// exporter, with all that these import; modules that go.mod replaces by folders;
// the versions of all others, the Go toolchain and its settings.
//
// It reads the files themselves, so that the go command, which notes the files
// a test reads, never takes a result of `go test` from its cache after a change.
func buildKey(ctx context.Context, nb *nbformat.Notebook, root string) (string, error) {
	s, err := readSources(nb, root)
	if err != nil {
		return "", err
	}
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
	for _, name := range slices.Sorted(maps.Keys(s.sums)) {
		fmt.Fprintf(h, "%s %x\n", name, s.sums[name])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readSources reads all files that the build of a notebook depends on, except
// those that go.mod and go.sum pin.
func readSources(nb *nbformat.Notebook, root string) (*sources, error) {
	s := &sources{root: root, sums: map[string][sha256.Size]byte{}, read: map[string]bool{}}
	if _, err := s.file(filepath.Join(root, "go.sum")); err != nil {
		return nil, err
	}
	data, err := s.file(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	s.module = mod.Module.Mod.Path
	for _, r := range mod.Replace {
		if dir := r.New.Path; modfile.IsDirectoryPath(dir) {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(root, dir)
			}
			if err := s.below(dir, func(string) bool { return true }); err != nil {
				return nil, err
			}
		}
	}
	for _, dir := range exporter {
		if err := s.pkg(filepath.Join(root, dir)); err != nil {
			return nil, err
		}
	}
	return s, s.imported(nb)
}
