package built

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/nbformat"
)

// buildKeys hashes, for each notebook, everything that its binaries depend on: the code
// cells; the packages of the repository that they may import, those of the exporter, and the
// dependencies of both; modules that go.mod replaces by folders; the versions of
// all other modules; the Go toolchain and its settings. The key of a notebook does not
// depend on the others.
//
// It reads the files themselves, so that the go command, which notes the files
// a test reads, never takes a result of `go test` from its cache after a change.
func buildKeys(ctx context.Context, nbs []*nbformat.Notebook, root string) ([]string, error) {
	goVersion := exec.CommandContext(ctx, "go", "version")
	goVersion.Dir = root
	version, err := goVersion.Output()
	if err != nil {
		return nil, fmt.Errorf("go version: %w", err)
	}
	packages, err := sources(nbs, root)
	if err != nil {
		return nil, err
	}
	sums := map[string][sha256.Size]byte{} // of files, which notebooks share
	keys := make([]string, len(nbs))
	for i, nb := range nbs {
		h := sha256.New()
		for _, c := range nb.Cells {
			if c.Type == "code" {
				fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
			}
		}
		h.Write(version)
		for _, name := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "GOFLAGS", "GOEXPERIMENT", "GOWORK"} {
			fmt.Fprintln(h, name, os.Getenv(name))
		}
		files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
		for _, p := range packages[i] {
			if _, err := os.Stat(p.dir); err != nil { // so that `go test` sees a file that is added
				return nil, err
			}
			files = append(files, p.files...)
		}
		for _, name := range files {
			sum, known := sums[name]
			if !known {
				data, err := os.ReadFile(name)
				if err != nil {
					return nil, err
				}
				sum = sha256.Sum256(data)
				sums[name] = sum
			}
			fmt.Fprintf(h, "%s %x\n", name, sum)
		}
		keys[i] = hex.EncodeToString(h.Sum(nil))
	}
	return keys, nil
}
