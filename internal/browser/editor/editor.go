// Package editor makes the editor of cells in a page: CodeMirror 6 (https://codemirror.net) and what src adds to it, in
// one module of JavaScript. cells.js of package page loads it when a reader edits a cell.
package editor

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
)

//go:embed src
var sources embed.FS

// Source has the modules of the editor, and what npm installs for them.
func Source() fs.FS {
	source, err := fs.Sub(sources, "src")
	if err != nil {
		panic(err) // the name is valid
	}
	return source
}

// The files that Write writes: the module, and the licences of what it has from others.
const (
	module   = "editor.js"
	licences = "editor.LICENSE.txt"
)

// bundle has esbuild make the module. Its first line says where the licences are.
var bundle = []string{"editor.js", "--bundle", "--format=esm", "--minify", "--charset=utf8", "--target=es2022", "--log-level=warning",
	"--banner:js=/*! With CodeMirror and its parts, see " + licences + " */", "--metafile=made.json", "--outfile=made.js"}

// Node has the programs of Node.js.
type Node struct {
	Program string // node
	NPM     string // the script that is npm
}

// Write writes the module and its licences into a folder. It makes them once for each version of what they are made
// of, in the user's cache, with the programs that node returns.
func Write(ctx context.Context, dir string, node func(context.Context) (Node, error)) error {
	files, err := made(ctx, node)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, name), files[name])
		}
	}
	if err != nil {
		return fmt.Errorf("editor: %w", err)
	}
	return nil
}

// made returns the files, from the cache if they are there.
func made(ctx context.Context, node func(context.Context) (Node, error)) (map[string][]byte, error) {
	cache, err := setup.Cache()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", bundle)
	if err := fs.WalkDir(Source(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(Source(), name)
		fmt.Fprintf(sum, "%s %q\n", name, text)
		return err
	}); err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, fmt.Sprintf("editor-%.6x", sum.Sum(nil)))
	held, err := setup.Lock(ctx, dir+".lock", nil)
	if err != nil {
		return nil, err
	}
	defer held.Close()
	if files, err := read(dir); err == nil {
		return files, nil
	}
	n, err := node(ctx)
	if err != nil {
		return nil, err
	}
	files, err := build(ctx, n)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	for name, data := range files {
		err = errors.Join(err, atomicfile.Write(filepath.Join(dir, name), data))
	}
	return files, err
}

func read(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range []string{module, licences} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}

// build makes the files in a temporary folder.
func build(ctx context.Context, node Node) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "marginalia-editor-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, Source()); err != nil {
		return nil, err
	}
	// Scripts of packages do not run: that of esbuild would only put its program elsewhere.
	for _, args := range [][]string{
		{node.NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"},
		append([]string{filepath.Join("node_modules", "esbuild", "bin", "esbuild")}, bundle...),
	} {
		cmd := processes.Command(ctx, node.Program, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			said := setup.Cause(string(out), "npm's registry", "npm_config_registry")
			if said == "" {
				said = setup.Last(string(out), err, "npm error")
			}
			return nil, errors.New(said)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "made.js"))
	if err != nil {
		return nil, err
	}
	terms, err := terms(dir)
	return map[string][]byte{module: text, licences: terms}, err
}

// terms are the licences of the packages that are in the module.
func terms(dir string) ([]byte, error) {
	var meta struct {
		Outputs map[string]struct {
			Inputs map[string]struct{ BytesInOutput int }
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "made.json"))
	if err == nil {
		err = json.Unmarshal(text, &meta)
	}
	if err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for path, input := range meta.Outputs["made.js"].Inputs {
		rest, foreign := strings.CutPrefix(path, "node_modules/")
		if !foreign || input.BytesInOutput == 0 {
			continue
		}
		parts := strings.Split(rest, "/")
		name := parts[0]
		if strings.HasPrefix(name, "@") {
			name += "/" + parts[1]
		}
		packages[name] = true
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		var described struct{ Version string }
		text, err := os.ReadFile(filepath.Join(dir, "node_modules", name, "package.json"))
		if err == nil {
			err = json.Unmarshal(text, &described)
		}
		licence, missing := os.ReadFile(filepath.Join(dir, "node_modules", name, "LICENSE"))
		if err := errors.Join(err, missing); err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s %s\n\n%s\n\n", name, described.Version, strings.TrimSpace(string(licence)))
	}
	return []byte(b.String()), nil
}
