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

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/program"
	"marginalia/internal/notebook/workspace"
)

// A key has the sums of what a notebook's binaries depend on: all of it, and all but the code cells.
type key struct{ all, around string }

// buildKeys hashes, for each notebook, everything that its binaries depend on: the code
// cells; the packages of the repository that they may import, those of the exporter, and the
// dependencies of both; modules that go.mod replaces by folders; the modules beside the
// notebook; the versions of all others; the Go toolchain and its settings. The key of a
// notebook does not depend on the others.
//
// It reads the files themselves, so that the go command, which notes the files
// a test reads, never takes a result of `go test` from its cache after a change.
func buildKeys(ctx context.Context, nbs []*nbformat.Notebook, modules []*workspace.Modules, root string) (keys []key, err error) {
	goVersion := exec.CommandContext(ctx, "go", "version")
	goVersion.Dir = root
	version, err := goVersion.Output()
	if err != nil {
		return nil, fmt.Errorf("go version: %w", err)
	}
	packages, err := sources(ctx, nbs, root)
	if err != nil {
		return nil, err
	}
	sums := map[string][sha256.Size]byte{} // of files, which notebooks share
	keys = make([]key, len(nbs))
	for i, nb := range nbs {
		h := sha256.New()
		h.Write(version)
		for _, name := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "GOFLAGS", "GOEXPERIMENT"} {
			fmt.Fprintln(h, name, os.Getenv(name))
		}
		files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
		if m := modules[i]; m != nil {
			for _, file := range m.Files {
				data, err := os.ReadFile(file)
				fmt.Fprintf(h, "%q %q %v\n", file, data, err == nil)
			}
			for _, dir := range slices.Concat(m.Dirs, m.Local) {
				more, folders, err := localFiles(dir)
				if err != nil {
					return nil, err
				}
				fmt.Fprintf(h, "%q\n", folders)
				files = append(files, more...)
			}
		}
		for _, p := range packages[i] {
			if _, err := os.Stat(p.Dir); err != nil { // so that `go test` sees a file that is added
				return nil, err
			}
			for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles, p.EmbedFiles) {
				files = append(files, filepath.Join(p.Dir, name))
			}
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
		keys[i].around = hex.EncodeToString(h.Sum(nil))
		for _, c := range nb.Cells {
			if c.Type == "code" {
				fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
			}
		}
		keys[i].all = hex.EncodeToString(h.Sum(nil))
	}
	return keys, nil
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
	library = regexp.MustCompile(`^marginalia/(mlkit|plotting|datasets|timing)\b`)
)

// always are what every notebook's build depends on: the exporter, what is linked with
// the cells, and what shows a last expression, which no cell names.
var always = []string{"marginalia/internal/gotest/export/compile", "marginalia/internal/cell/cellrun", program.ShowPath}

// sources returns, for each notebook, the packages that its build depends on, except
// those that go.mod and go.sum pin. Of the library that is every package whose
// name stands anywhere in the code, since goimports finds packages by name.
func sources(ctx context.Context, nbs []*nbformat.Notebook, root string) ([][]source, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-e", "-deps", "-json=" + sourceFields, "--", "./mlkit/...", "./plotting/...", "./datasets/...", "./timing"}
	args = append(args, always...)
	for _, r := range mod.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			args = append(args, r.Old.Path+"/...")
		}
	}
	words, named := make([]map[string]bool, len(nbs)), make([]map[string]bool, len(nbs))
	for i, nb := range nbs {
		words[i], named[i] = map[string]bool{}, map[string]bool{}
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			for _, w := range word.FindAllString(gonb.Timed(c.Source), -1) {
				words[i][w] = true
			}
			for _, p := range path.FindAllString(gonb.Timed(c.Source), -1) {
				named[i][p] = true
				args = append(args, p)
			}
		}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = root, workspace.Environ(root)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	var listed []source
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var p source
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		listed = append(listed, p)
	}
	found := make([][]source, len(nbs))
	for i := range nbs {
		needed := map[string]bool{}
		for _, p := range listed {
			if !p.DepOnly && (slices.Contains(always, p.ImportPath) || p.replaced() || named[i][p.ImportPath] ||
				library.MatchString(p.ImportPath) && words[i][p.Name]) {
				for _, path := range append(p.Deps, p.ImportPath) {
					needed[path] = true
				}
			}
		}
		for _, p := range listed {
			if needed[p.ImportPath] && (p.Module != nil && p.Module.Main || p.replaced()) {
				found[i] = append(found[i], p)
			}
		}
	}
	return found, nil
}

// replaced reports whether go.mod replaces the package's module by a folder.
func (p source) replaced() bool {
	return p.Module != nil && p.Module.Replace != nil && p.Module.Replace.Version == ""
}
