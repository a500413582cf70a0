package built

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/mod/modfile"

	"marginalia/internal/nbformat"
)

// buildKey hashes everything that the binaries depend on: the code cells; the
// packages of the repository that they may import, those of the exporter, and the
// dependencies of both; modules that go.mod replaces by folders; the versions of
// all other modules; the Go toolchain and its settings.
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
	packages, err := sources(ctx, nb, root)
	if err != nil {
		return "", err
	}
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for _, p := range packages {
		if _, err := os.Stat(p.Dir); err != nil { // so that `go test` sees a file that is added
			return "", err
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles, p.EmbedFiles) {
			files = append(files, filepath.Join(p.Dir, name))
		}
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// A source is a package, as `go list -json` describes it.
type source struct {
	ImportPath, Name, Dir string
	DepOnly               bool
	Deps                  []string
	Module                *struct {
		Main    bool
		Replace *struct{ Version string }
	}
	GoFiles, CgoFiles, CFiles, CXXFiles, HFiles, SFiles, SysoFiles, EmbedFiles []string
}

const sourceFields = "ImportPath,Name,Dir,DepOnly,Deps,Module,GoFiles,CgoFiles,CFiles,CXXFiles,HFiles,SFiles,SysoFiles,EmbedFiles"

var (
	word    = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	path    = regexp.MustCompile(`\bmarginalia/[\w./-]+`)
	library = regexp.MustCompile(`^marginalia/(mlkit|plotting|datasets)\b`)
)

// sources returns the packages that the build of a notebook depends on, except
// those that go.mod and go.sum pin. Of the library that is every package whose
// name stands anywhere in the code, since goimports finds packages by name.
func sources(ctx context.Context, nb *nbformat.Notebook, root string) ([]source, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-e", "-deps", "-json=" + sourceFields, "--",
		"marginalia/internal/export/compile", "marginalia/internal/cellrun", // which is linked with the cells
		"./mlkit/...", "./plotting/...", "./datasets/..."}
	for _, r := range mod.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			args = append(args, r.Old.Path+"/...")
		}
	}
	words := map[string]bool{}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		for _, w := range word.FindAllString(c.Source, -1) {
			words[w] = true
		}
		args = append(args, path.FindAllString(c.Source, -1)...)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	var found []source
	needed := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var p source
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !p.DepOnly && (words[p.Name] || !library.MatchString(p.ImportPath)) {
			for _, path := range append(p.Deps, p.ImportPath) {
				needed[path] = true
			}
		}
		if m := p.Module; m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "") {
			found = append(found, p)
		}
	}
	return slices.DeleteFunc(found, func(p source) bool { return !needed[p.ImportPath] }), nil
}
