package kernel

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marginalia/internal/base/setup"
	"marginalia/internal/notebook/workspace"
)

// warmFor is how long a warm build cache is taken to stay so: go removes what
// has not been used for five days.
const warmFor = 48 * time.Hour

// Warm compiles what cells link, as the kernel does it: otherwise the first cell of a
// fresh computer takes twenty seconds, or fails where there is no network. A stamp in the cache
// remembers it. A package of the repository that does not compile is told, and is
// no error: who edits it wants JupyterLab all the same.
func (t *Toolchain) Warm(ctx context.Context, p setup.Progress) (warning string, err error) {
	stamp := filepath.Join(filepath.Dir(t.Tools), fmt.Sprintf("warm-%.6x", sha256.Sum256([]byte(t.Root))))
	key := filepath.Base(t.Tools) + "\n" + t.GOCACHE + "\n"
	old, err1 := os.ReadFile(stamp)
	info, err2 := os.Stat(stamp)
	if err1 == nil && err2 == nil && string(old) == key && time.Since(info.ModTime()) < warmFor {
		return "", nil
	}
	if err := setup.Space(map[string]uint64{t.GOCACHE: SpaceWarm}); err != nil {
		return "", err
	}
	end := p.Begin("compiling what cells import, so that the first cell is quick")
	out, err := t.warm(ctx)
	end(err)
	switch known := ofComputer(out); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && known != "":
		return "", fmt.Errorf("kernel: fetching what cells import: %s", known)
	case err != nil:
		return "a package of this repository does not compile, and cells that import it will fail: " + cause(out, err), nil
	}
	if err := os.WriteFile(stamp, []byte(key), 0o644); err != nil {
		return "", fmt.Errorf("kernel: %w", err)
	}
	return "", nil
}

// warm builds in a folder like the kernel's, whose workspace needs more of modules
// than the repository alone does, and returns the output of go.
func (t *Toolchain) warm(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "marginalia-warm-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	version := strings.TrimPrefix(strings.Fields(t.GOVERSION)[0], "go")
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module gonb_warm\n\ngo "+version+"\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "go.work"), fmt.Appendf(nil, "go %s\n\nuse (\n\t.\n\t%q\n)\n", version, t.Root), 0o644),
	); err != nil {
		return "", err
	}
	build := func(args ...string) (string, error) {
		cmd := t.command(ctx, dir, append([]string{"build"}, args...)...)
		cmd.Env = append(cmd.Env, "GOWORK=")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := build(workspace.Usual...); err != nil {
		return out, err
	}
	return build("-tags=minimal", "marginalia/plotting/...") // see buildserver's lean.go
}
