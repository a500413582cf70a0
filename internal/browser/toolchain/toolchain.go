// Package toolchain makes what a page needs to build Go programs, from the Go that runs it: the
// compiler, the linker and the kernel as WebAssembly, and the packages that cells may import.
//
//	m, err := toolchain.Build(ctx, root, dir, toolchain.Packages, "python3")
//
// The go command compiles all of it. It is the one source of truth for packages, too. Python compresses
// it. A second Build into the same folder compresses only what has changed.
package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/notebook/workspace"
)

// Packages are the patterns of the packages that cells of the repository may import.
var Packages = slices.Concat(workspace.Usual, []string{
	"container/list", "container/ring", "crypto/sha256", "encoding/base64", "encoding/binary", "encoding/hex", "hash/fnv", "html", "html/template",
	"io/fs", "os/signal", "path", "runtime/debug", "sync/atomic", "testing", "testing/internal/testdeps", "text/template", "unicode/utf16", "unsafe",
	"gonum.org/v1/gonum/cmplxs", "gonum.org/v1/gonum/diff/...", "gonum.org/v1/gonum/integrate/...", "gonum.org/v1/gonum/interp",
	"gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/spatial/...", "gonum.org/v1/gonum/stat/...",
	"gonum.org/v1/plot/palette/...", "gonum.org/v1/plot/plotutil", "gonum.org/v1/plot/vg/draw",
	"github.com/janpfeifer/gonb/gonbui/dom", "github.com/janpfeifer/gonb/gonbui/widgets",
})

// Build writes the files and the manifest into a folder, and removes what an older manifest named and
// the new one does not. root is the repository's folder, python a Python 3 with its module lzma. Packages beside
// those of the patterns that pages can't have are no error: [manifest.Manifest.Lacking] says why.
func Build(ctx context.Context, root, dir string, patterns []string, python string, beside ...*Beside) (*manifest.Manifest, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("toolchain: %w", err)
	}
	m, err := empty(ctx, root)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "marginalia-pack-")
	if err != nil {
		return nil, fmt.Errorf("toolchain: %w", err)
	}
	defer os.RemoveAll(tmp)
	out, err := newStore(dir, tmp)
	if err != nil {
		return nil, err
	}
	packages, err := collect(ctx, root, m, patterns, beside)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if m.Packages[p.ImportPath], err = p.entry(); err != nil {
			return nil, err
		}
	}
	all, of, err := bundles(m)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(packages, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	for _, p := range packages {
		if err := pack(p, m.Packages[p.ImportPath], out, of[p.ImportPath]); err != nil {
			return nil, err
		}
	}
	for _, b := range all {
		f, err := out.add(b.content)
		if err != nil {
			return nil, err
		}
		m.Bundles = append(m.Bundles, manifest.Bundle{File: f, Parts: b.parts})
	}
	if m.Others, err = others(ctx, root, m); err != nil {
		return nil, err
	}
	if err := addTools(ctx, root, m, out); err != nil {
		return nil, err
	}
	if err := out.pack(ctx, python); err != nil {
		return nil, err
	}
	if err := sizes(m, out); err != nil {
		return nil, err
	}
	if err := out.manifest(ctx, m, python); err != nil {
		return nil, err
	}
	return m, out.clean()
}

// sizes fills in the sizes of all files.
func sizes(m *manifest.Manifest, out *store) (err error) {
	for name, f := range m.Tools {
		if m.Tools[name], err = out.sized(f); err != nil {
			return err
		}
	}
	bundled := map[string]bool{}
	for i, b := range m.Bundles {
		if m.Bundles[i].File, err = out.sized(b.File); err != nil {
			return err
		}
		for _, part := range b.Parts {
			bundled[part.Name] = true
		}
	}
	for _, p := range m.Packages {
		if p.Export, err = out.sized(p.Export); err != nil {
			return err
		}
		if bundled[p.Object.Name] {
			continue
		}
		if p.Object, err = out.sized(p.Object); err != nil {
			return err
		}
	}
	return nil
}

// empty returns the manifest of the Go in use, without tools and packages.
func empty(ctx context.Context, root string) (*manifest.Manifest, error) {
	version, err := goEnv(ctx, root, "GOVERSION")
	if err != nil {
		return nil, err
	}
	release := strings.SplitN(version, ".", 3)
	return &manifest.Manifest{Go: version, Language: strings.Join(release[:min(2, len(release))], "."),
		Tools: map[string]manifest.File{}, Packages: map[string]*manifest.Package{}, Lacking: map[string]string{}}, nil
}

// Here returns a manifest of packages for this computer, without tools. Its files are the archives
// in the cache of the go command: they have both kinds of data, and are not compressed.
func Here(ctx context.Context, root string, patterns []string) (*manifest.Manifest, error) {
	return archives(ctx, root, workspace.Environ(root), patterns)
}

// Archives is Here for pages.
func Archives(ctx context.Context, root string, patterns []string) (*manifest.Manifest, error) {
	return archives(ctx, root, environ(root), patterns)
}

func archives(ctx context.Context, root string, env, patterns []string) (*manifest.Manifest, error) {
	m, err := empty(ctx, root)
	if err != nil {
		return nil, err
	}
	packages, err := list(ctx, root, env, patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		entry, err := p.entry()
		if err != nil {
			return nil, err
		}
		entry.Export = manifest.File{Name: p.Export}
		entry.Object = entry.Export
		m.Packages[p.ImportPath] = entry
	}
	m.Others, err = others(ctx, root, m)
	return m, err
}

// goEnv returns a value of go env.
func goEnv(ctx context.Context, dir, name string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", name)
	cmd.Dir, cmd.Env = dir, environ(dir)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("toolchain: go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}
