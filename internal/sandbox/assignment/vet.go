package assignment

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
)

// vetted are the analyses that go test runs (cmd/go/internal/test, defaultVetFlags). GoNB builds %test cells with go test, and all
// that cells before them declare is in its package: what go vet says of it keeps every %test cell from running. The toolchain's
// vet is asked, since golang.org/x/tools has other analyses of the same names.
var vetted = []string{"-atomic", "-bool", "-buildtags", "-directive", "-errorsas", "-ifaceassert", "-nilfunc", "-printf", "-slog", "-stringintconv", "-tests"}

// hints say what to write instead, where go vet does not.
var hints = []struct{ of, hint string }{
	{"ends with redundant newline", `it ends the line itself: leave \n out`},
	{"possible Printf formatting directive", "want the function whose name ends in f"},
	{"of wrong type", "want another verb, or %v"},
	{"reads arg #", "want an argument for each verb"},
	{"but has", "want one argument for each verb"},
	{"has arguments but no formatting directives", "want a verb for each argument, such as %v"},
	{"is a func value, not called", "want () behind it"},
}

// vetLine is a line of what go vet prints.
var vetLine = regexp.MustCompile(`(?m)^(?:vet: )?\S*main_test\.go:(\d+):\d+: (.*)$`)

// Vet is what go vet says of a student's declarations, by the student's cell and line.
func (g *Guest) Vet(ctx context.Context) (Problems, error) {
	return g.assignment.vet(ctx, g.program)
}

// vet is what go vet says of a program that compiles, with hints.
func (a *Assignment) vet(ctx context.Context, p *program.Program) (all Problems, err error) {
	dir, err := os.MkdirTemp("", "marginalia-vet-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main_test.go") // as GoNB names it
	if err := os.WriteFile(file, []byte(p.File().Text), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"vet", "-mod=readonly"}, vetted...), file)...)
	cmd.Dir = a.root
	_, err = output(ctx, cmd)
	complaint, ok := errors.AsType[*compileError](err)
	if err != nil && !ok {
		return nil, err
	}
	if complaint == nil {
		return nil, nil
	}
	for _, m := range vetLine.FindAllStringSubmatch(complaint.text, -1) {
		line, _ := strconv.Atoi(m[1])
		at := gonb.Origin{}
		if origins := p.File().Origins; line >= 1 && line <= len(origins) {
			at = origins[line-1]
		}
		text := "go vet: " + strings.ReplaceAll(m[2], "command-line-arguments.", "") // what the package is called
		for _, h := range hints {
			if strings.Contains(m[2], h.of) {
				text += " (" + h.hint + ")"
				break
			}
		}
		if at.Cell != "" {
			all = append(all, Problem{at.Cell, at.Line + 1, text})
		}
	}
	if all == nil {
		return nil, err // it says something else: of the machine
	}
	return a.sorted(all), nil
}
