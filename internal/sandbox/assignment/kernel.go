package assignment

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"marginalia/internal/gotest/export"
	"marginalia/internal/sandbox/guest/wire"
)

// OnKernel runs the tests with the solutions as %test does on the kernel: natively, with assembly, in folder at. It
// says which tests fail there: since the solutions pass in the grader, students would read another verdict than the grader's.
func (a *Assignment) OnKernel(ctx context.Context, at string) (all Problems, err error) {
	dir, err := os.MkdirTemp("", "marginalia-native-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := export.WriteModule(dir, a.root, nil); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main_test.go"), lines(a.whole.File()), 0o600); err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", "tests", ".")
	build.Dir = dir
	if _, err := output(ctx, build); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	run := exec.CommandContext(ctx, filepath.Join(dir, "tests"), "-test.timeout=2m")
	run.Dir, run.Stdout, run.Stderr = at, &out, &out
	if err := run.Run(); err == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	const why = "on the kernel, where math and gonum compute with assembly, and a test finds in package variables what the tests before have left there"
	for _, m := range kernelFails.FindAllStringSubmatch(out.String(), -1) {
		text, _, _ := strings.Cut(strings.TrimSpace(kernelPlace.ReplaceAllString(m[2], "")), "\n")
		if c := a.names[m[1]]; c != nil {
			all = append(all, Problem{Cell: c.ID, Text: fmt.Sprintf("%s passes in the grader, and fails %s: %s", m[1], why, short(text))})
		}
	}
	if all == nil {
		text, _, _ := strings.Cut(out.String(), "\n")
		all = Problems{{Text: fmt.Sprintf("the tests pass in the grader, and end %s: %s", why, short(text))}}
	}
	return a.sorted(all), nil
}

var (
	// kernelFails is what a test prints that fails, with its subtests.
	kernelFails = regexp.MustCompile(`(?m)^--- FAIL: (\w+) .*\n((?:    .*\n)*)`)
	// kernelPlace are heads of subtests, and the places of messages.
	kernelPlace = regexp.MustCompile(`(?m)^ *--- FAIL: .*\n|^ *\S*` + regexp.QuoteMeta(wire.Suffix) + `:\d+: `)
)
