package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"marginalia/internal/notebook/workspace"
)

// copyModules copies the modules of [leaner] to tmp, and returns their folders. An overlay can't replace
// files of the module cache.
func copyModules(ctx context.Context, from, tmp string) (map[string]string, error) {
	copies := map[string]string{}
	for _, m := range leaner {
		original, err := folder(ctx, from, m.module)
		if err != nil {
			return nil, err
		}
		copies[m.module] = filepath.Join(tmp, path.Base(m.module))
		if err := m.copy(original, copies[m.module]); err != nil {
			return nil, fmt.Errorf("%s: %w", m.module, err)
		}
	}
	return copies, nil
}

// folder returns the folder of a module. It downloads the module if necessary: cells import modules that the
// site's own program does not.
func folder(ctx context.Context, from, module string) (string, error) {
	list := []string{"list", "-m", "-f", "{{.Dir}}", module}
	dir, err := ask(ctx, from, list...)
	if err != nil || dir != "" {
		return dir, err
	}
	if _, err := ask(ctx, from, "mod", "download", module); err != nil {
		return "", err
	}
	return ask(ctx, from, list...)
}

// ask returns what the go command prints in a folder.
func ask(ctx context.Context, from string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = from, workspace.Environ(from)
	out, err := output(cmd)
	return string(bytes.TrimSpace(out)), err
}

// writeModule writes a go.mod, and a go.sum beside it, that is the one of the folder from with
// modules replaced by their copies.
func writeModule(ctx context.Context, from, module string, copies map[string]string) error {
	old, err := ask(ctx, from, "env", "GOMOD")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(old)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(old, text, nil)
	if err != nil {
		return err
	}
	for path, dir := range copies {
		err = errors.Join(err, f.AddReplace(path, "", dir, ""))
	}
	if err != nil {
		return err
	}
	if text, err = f.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(module, text, 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(old), "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(filepath.Dir(module), "go.sum"), sums, 0o644)
}

// writeWorkspace writes a go.work into tmp that is the old one with modules replaced by their copies,
// and returns its path.
func writeWorkspace(old, tmp string, copies map[string]string) (string, error) {
	text, err := os.ReadFile(old)
	if err != nil {
		return "", err
	}
	w, err := modfile.ParseWork(old, text, nil)
	if err != nil {
		return "", err
	}
	for _, u := range slices.Clone(w.Use) {
		if !filepath.IsAbs(u.Path) {
			err = errors.Join(err, w.DropUse(u.Path), w.AddUse(filepath.Join(filepath.Dir(old), u.Path), ""))
		}
	}
	for path, dir := range copies {
		err = errors.Join(err, w.AddReplace(path, "", dir, ""))
	}
	if err != nil {
		return "", err
	}
	w.Cleanup()
	file := filepath.Join(tmp, "go.work")
	if err := os.WriteFile(file, modfile.Format(w.Syntax), 0o644); err != nil {
		return "", err
	}
	sums, err := os.ReadFile(old + ".sum")
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	return file, errors.Join(err, os.WriteFile(file+".sum", sums, 0o644))
}
