package assignment

import (
	"context"
	"encoding/json"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The judge is native and the guest is WebAssembly, and a test compares what both compute. So that they
// agree to the last bit, the judge is compiled from the Go code that the guest has, without assembly, and no
// multiplication is fused with an addition. That costs the standard library once more in Go's build cache.
//
// Conversions that a type can't hold, as uint(-1.5), still differ: see doubts.

// assembled are the packages whose assembly rounds otherwise than their Go code, and that no build tag
// keeps from it.
var assembled = []string{"math", "marginalia/mlkit/internal/simd"}

// noasm has gonum and golang.org/x/image leave out their assembly.
const noasm = "-tags=noasm"

// arithmetic returns arguments and environment of go build by which the module in dir computes as a guest does. It
// writes files to the folder overlay.
func arithmetic(ctx context.Context, dir, overlay string) (args, env []string, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f", "{{.Dir}}"}, assembled...)...)
	cmd.Dir = dir
	dirs, err := output(ctx, cmd)
	if err != nil {
		return nil, nil, err
	}
	replace := map[string]string{}
	for dir := range strings.Lines(dirs) {
		if err := withoutAssembly(strings.TrimSpace(dir), overlay, replace); err != nil {
			return nil, nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(overlay, "overlay.json")
	args = []string{noasm, "-overlay=" + file}
	if build.Default.GOARCH == "amd64" {
		env = []string{"GOAMD64=v1"} // has no fused multiply-add: the runtime need not be compiled anew
	} else {
		args = append(args, "-gcflags=all=-d=fmahash=qn")
	}
	return args, env, os.WriteFile(file, data, 0o644)
}

// constraint is the line that says where a file is compiled.
var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

// withoutAssembly adds to replace what makes of a package what it is on a processor that nobody has
// written assembly for. Changed files go to the folder overlay.
func withoutAssembly(dir, overlay string, replace map[string]string) error {
	here, pure := build.Default, build.Default
	pure.GOARCH = "none"
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		file := filepath.Join(dir, f.Name())
		if ext := filepath.Ext(file); ext != ".go" && ext != ".s" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		used, err := here.MatchFile(dir, f.Name())
		if err != nil {
			return err
		}
		wanted, err := pure.MatchFile(dir, f.Name())
		if err != nil {
			return err
		}
		switch {
		case used && !wanted:
			replace[file] = ""
		case wanted && !used:
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			replace[file] = filepath.Join(overlay, filepath.Base(dir)+"-"+f.Name())
			// The line stays, so that those below it keep their numbers.
			if err := os.WriteFile(replace[file], constraint.ReplaceAll(text, []byte("//")), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
