package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/base/buildcache"
	"marginalia/internal/browser/manifest"
)

// The programs of a page: what composes cells, and what completes names in them.
var programs = map[string]string{
	"kernel":   "marginalia/internal/browser/kernel/worker",
	"complete": "marginalia/internal/browser/complete/worker",
}

// addTools builds the tools and adds them to the manifest.
func addTools(ctx context.Context, root string, m *manifest.Manifest, out *store) error {
	tools, err := goTools(ctx, root)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "marginalia-programs-")
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	defer os.RemoveAll(tmp)
	files := map[string]string{"compile": filepath.Join(tools, "compile"), "link": filepath.Join(tools, "link")}
	for name, pkg := range programs {
		files[name] = filepath.Join(tmp, name)
		if err := goBuild(ctx, root, files[name], pkg); err != nil {
			return err
		}
	}
	for name, file := range files {
		program, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("toolchain: %w", err)
		}
		if m.Tools[name], err = out.add(program); err != nil {
			return err
		}
	}
	return nil
}

// gcFlags are the flags for the compiler that compiles Go's tools. In V8 a large function is optimised after a few turns of a
// loop, and the compiler has some that take a second of the processor each. Without inlining, the compiler and the linker
// together take a third less time for a first cell, and no more for later ones; the linker alone would take more.
var gcFlags = map[string]string{"compile": "cmd/...=-l", "link": ""}

// goTools returns the folder with the compiler and the linker. They are built once for each Go, since
// the go command would link them each time anew, and a minute goes by.
func goTools(ctx context.Context, root string) (string, error) {
	goroot, err := goEnv(ctx, root, "GOROOT")
	if err != nil {
		return "", err
	}
	version, err := goEnv(ctx, root, "GOVERSION")
	if err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp("", "marginalia-overlay-")
	if err != nil {
		return "", fmt.Errorf("toolchain: %w", err)
	}
	defer os.RemoveAll(tmp)
	o, err := writeOverlay(goroot, tmp)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("toolchain: %w", err)
	}
	sum := sha256.Sum256(append(fmt.Appendln(nil, version, goroot, gcFlags), o.text...))
	dir := filepath.Join(cache, "marginalia", "gotools-"+hex.EncodeToString(sum[:10]))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("toolchain: %w", err)
	}
	err = buildcache.Get(ctx, dir, nil, func(to string, _ *os.File) error {
		for name, flag := range gcFlags {
			file := filepath.Join(to, name)
			if err := goBuild(ctx, filepath.Join(goroot, "src"), file, "cmd/"+name, "-overlay="+o.file(), "-gcflags="+flag, "-ldflags=-s -w -checklinkname=0"); err != nil {
				return err
			}
			if err := withGlobals(file); err != nil {
				return err
			}
		}
		return nil
	})
	return dir, err
}

// withGlobals has a program export its global variables.
func withGlobals(file string) error {
	program, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	if program, err = exportGlobals(program); err != nil {
		return fmt.Errorf("toolchain: %s: %w", file, err)
	}
	return os.WriteFile(file, program, 0o755)
}

// goBuild builds a program for pages.
func goBuild(ctx context.Context, dir, to, pkg string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", to}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir, cmd.Env = dir, environ(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("toolchain: building %s: %w\n%s", pkg, err, out)
	}
	return nil
}
