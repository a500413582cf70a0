package kernel

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"marginalia/internal/notebook/stays"
	"marginalia/internal/notebook/workspace"
)

// gonbModule is the kernel's module, and its main package.
const gonbModule = "github.com/janpfeifer/gonb"

// patches has one file for each fault of GoNB that the kernel is built without, in the form of
// git format-patch: the fault in words, the tests that show it, and the difference. Each applies
// to what those before it have made. patches/README.md says how to bring them to a new release.
//
// A library applies them, so the kernel is built on computers without git, and in the same way
// on all. It wants each hunk at its line, as the pinned release has it.
//
//go:embed patches/*.patch
var patches embed.FS

// patchNames returns the names of the patches in their order, by which they are numbered.
func patchNames() []string {
	names, _ := fs.Glob(patches, "patches/*.patch") // the pattern is well-formed
	return names
}

// gonbChanges returns all that GoNB is changed by.
func gonbChanges() []string {
	all := []string{workspace.Source, workspace.Copies, stays.Copied}
	for _, name := range patchNames() {
		text, _ := patches.ReadFile(name) // it is embedded
		all = append(all, string(text))
	}
	return all
}

// A source is a module as it lies in the module cache.
type source struct{ Dir, Version, Error string }

// gonb fetches the pinned GoNB unless it is in the module cache.
func (t *Toolchain) gonb(ctx context.Context) (module source, err error) {
	cmd := t.command(ctx, t.Root, "mod", "download", "-json", gonbModule)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return module, ctx.Err()
	}
	if json.Unmarshal(out, &module) != nil || err != nil || module.Error != "" {
		return module, errors.New(cause(module.Error+"\n"+stderr.String(), err))
	}
	return module, nil
}

// patched copies GoNB into dir, applies the patches to the copy, adds packages workspace and stays, and
// returns a go.mod that is the repository's and takes GoNB from there.
func (t *Toolchain) patched(ctx context.Context, dir string) (string, error) {
	module, err := t.gonb(ctx)
	if err != nil {
		return "", err
	}
	copied := filepath.Join(dir, "gonb")
	if err := os.CopyFS(copied, os.DirFS(module.Dir)); err != nil {
		return "", err
	}
	for _, name := range patchNames() {
		if err := apply(copied, name); err != nil {
			return "", fmt.Errorf("%s %s: %w", gonbModule, module.Version, err)
		}
	}
	for name, text := range map[string]string{"workspace/workspace.go": workspace.Source, "workspace/copies.go": workspace.Copies, "stays/stays.go": stays.Copied} {
		file := filepath.Join(copied, "internal", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return "", err
		}
	}
	for name, more := range map[string]string{"go.sum": "", "go.mod": fmt.Sprintf("\nreplace %s => %q\n", gonbModule, copied)} {
		text, err := os.ReadFile(filepath.Join(t.Root, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), append(text, more...), 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "go.mod"), nil
}

// apply applies a patch to the files below dir. The patch changes files or adds them.
func apply(dir, name string) error {
	patch, err := patches.Open(name)
	if err != nil {
		return err
	}
	defer patch.Close()
	files, _, err := gitdiff.Parse(patch)
	if err != nil {
		return fmt.Errorf("%s is not a patch: %w", name, err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.NewName))
		before, err := os.ReadFile(path)
		if f.IsNew && errors.Is(err, fs.ErrNotExist) {
			before, err = nil, nil
		}
		var after bytes.Buffer
		if err == nil {
			err = gitdiff.Apply(&after, bytes.NewReader(before), f)
		}
		if err == nil {
			err = os.WriteFile(path, after.Bytes(), 0o644)
		}
		if err != nil {
			at := f.NewName
			if hunk, ok := errors.AsType[*gitdiff.ApplyError](err); ok {
				at = fmt.Sprintf("%s, hunk %d, line %d", at, hunk.Fragment, hunk.Line)
			}
			return fmt.Errorf("%s does not apply to %s: %w: adapt the patch as internal/kernel/patches/README.md says", filepath.Base(name), at, err)
		}
	}
	return nil
}
