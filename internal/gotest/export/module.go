package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"marginalia/internal/notebook/workspace"
)

// WriteModule makes dir a module of its own that has all that the repository
// at root has: the same versions, and the repository itself by a replace. Its
// path lies below marginalia/, so that it may import internal packages. Modules that lie
// beside the notebook, if it has any, come in by a workspace, as on the kernel.
func WriteModule(dir, root string, modules *workspace.Modules) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(filepath.Join(root, "go.mod"), data, nil)
	if err != nil {
		return err
	}
	at, err := relative(dir, root)
	if err != nil {
		return err
	}
	var f modfile.File
	f.AddModuleStmt("marginalia/notebook")
	f.AddGoStmt(mod.Go.Version)
	f.AddNewRequire("marginalia", "v0.0.0", false)
	for _, r := range mod.Require {
		f.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	f.AddReplace("marginalia", "", at, "")
	for _, r := range mod.Replace {
		to := r.New.Path
		if modfile.IsDirectoryPath(to) && !filepath.IsAbs(to) {
			to = filepath.Join(at, to)
		}
		f.AddReplace(r.Old.Path, r.Old.Version, to, r.New.Version)
	}
	f.Cleanup()
	text, err := f.Format()
	if err != nil {
		return fmt.Errorf("go.mod of %s: %w", dir, err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	files := map[string][]byte{"go.mod": text, "go.sum": sum}
	work := filepath.Join(dir, "go.work")
	if modules == nil {
		if err := os.Remove(work); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	} else {
		if files["go.work"], err = modules.Work(root); err != nil {
			return err
		}
		if err := modules.Copy(dir); err != nil {
			return err
		}
	}
	return writeAll(dir, files)
}

// relative returns the path from dir to root, which a replace directive wants
// to start with a dot. Links are resolved: the path goes up through folders.
func relative(dir, root string) (string, error) {
	for _, p := range []*string{&dir, &root} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return "", err
		}
		if *p, err = filepath.EvalSymlinks(abs); err != nil {
			return "", err
		}
	}
	rel, err := filepath.Rel(dir, root)
	if err == nil && !strings.HasPrefix(rel, "..") {
		rel = "./" + rel
	}
	return rel, err
}
