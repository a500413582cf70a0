package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"marginalia/internal/processes"
)

// goEnv is what "go env" says in the repository: the toolchain that go.mod
// selects, and the user's settings.
type goEnv struct {
	GOROOT, GOVERSION, GOFLAGS, GOCACHE, GOMODCACHE, GOPROXY string

	background bool // build with the lowest priority
}

func readGoEnv(ctx context.Context, root string) (goEnv, error) {
	var g goEnv
	path, err := exec.LookPath("go")
	if err != nil {
		return g, faultf("there is no go command in PATH: install Go 1.26 or newer (https://go.dev/dl)")
	}
	cmd := processes.Command(ctx, path, "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOCACHE", "GOMODCACHE", "GOPROXY")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return g, faultf("go env: %s", goCause(stderr.String(), err))
	}
	if err := json.Unmarshal(out, &g); err != nil {
		return g, faultf("go env: %w", err)
	}
	if g.GOCACHE == "off" || g.GOCACHE == "" {
		return g, faultf("Go has no build cache (GOCACHE=%s): unset GOCACHE, or set HOME", g.GOCACHE)
	}
	return g, nil
}

// binary is the go command itself, not one that picks a toolchain first.
func (g goEnv) binary() string { return filepath.Join(g.GOROOT, "bin", "go") }

func (g goEnv) inBackground() goEnv {
	g.background = true
	return g
}

// cellFlags is the GOFLAGS of cells: the user's own, without -mod and -modfile
// (which a workspace does not admit), and no symbol table, which makes a cell
// link in 0.6 of the time. Panics keep their file and line.
func (g goEnv) cellFlags() string {
	var flags []string
	for _, f := range strings.Fields(g.GOFLAGS) {
		name := strings.TrimLeft(f, "-")
		if !strings.HasPrefix(name, "mod=") && !strings.HasPrefix(name, "modfile=") {
			flags = append(flags, f)
		}
	}
	return strings.Join(append(flags, "-ldflags=-s"), " ")
}

// build runs "go build" in dir for tools, independent of any go.work and -mod
// flag of the user, and with the flags of cells, so that the packages both use
// are compiled once. The go command gets the lock of out along.
func (g goEnv) build(ctx context.Context, held *os.File, dir, out string, packages ...string) error {
	argv := append([]string{g.binary(), "build", "-o", out}, packages...)
	if nice, err := exec.LookPath("nice"); g.background && err == nil {
		argv = append([]string{nice, "-n", "19"}, argv...)
	}
	cmd := processes.Command(ctx, argv[0], argv[1:]...)
	cmd.ExtraFiles = []*os.File{held}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+g.cellFlags())
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.New(goCause(string(output), err))
	}
	return nil
}
