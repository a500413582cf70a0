package venv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marginalia/internal/setup"
)

// Pinned is the pinned version of a package.
func (e Env) Pinned(name string) string {
	_, rest, _ := strings.Cut("\n"+e.pins(), "\n"+name+"==")
	version, _, _ := strings.Cut(rest, " ")
	return version
}

func (e Env) pins() string { return strings.Join(e.Requirements, "\n") }

// Check has pip look whether the packages are there in the pinned versions, and
// returns their number, or an error that says what is missing. Nothing is
// installed: pip looks nowhere else.
func (e Env) Check(ctx context.Context) (packages int, err error) {
	cmd := e.command(ctx, e.Python(), "-m", "pip", "--isolated", "install", "--no-index", "--no-deps", "--require-hashes", "-r", "/dev/stdin")
	cmd.Stdin = strings.NewReader(e.pins())
	out, err := cmd.CombinedOutput()
	text := string(out)
	if _, missing, found := strings.Cut(text, "No matching distribution found for "); found {
		return 0, fmt.Errorf("venv: %s is pinned, but not installed", strings.TrimSpace(missing))
	}
	if err != nil {
		return 0, errors.New("venv: " + setup.Last(text, err, "ERROR:"))
	}
	return strings.Count(text, "Requirement already satisfied: "), nil
}
