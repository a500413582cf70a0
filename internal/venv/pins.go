package venv

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// pins are the lines of the requirements.
func (e Env) pins() iter.Seq[string] { return strings.Lines(strings.Join(e.Requirements, "\n")) }

// Pinned is the pinned version of a package.
func (e Env) Pinned(name string) string {
	for line := range e.pins() {
		if rest, ok := strings.CutPrefix(line, name+"=="); ok {
			version, _, _ := strings.Cut(rest, " ")
			return version
		}
	}
	return ""
}

// Compare returns the packages of the environment whose version is not among
// the pinned ones, or that are pinned without a condition and not there, and
// the number of those that are right.
func (e Env) Compare(ctx context.Context) (wrong []string, right int, err error) {
	const list = `
import json
from importlib.metadata import distributions
print(json.dumps({d.metadata["Name"]: d.version for d in distributions()}))
`
	out, err := e.command(ctx, e.Python(), "-I", "-c", list).Output()
	if err != nil {
		return nil, 0, fmt.Errorf("its Python does not run: %w", err)
	}
	var installed map[string]string
	if err := json.Unmarshal(out, &installed); err != nil {
		return nil, 0, err
	}
	pins := map[string][]string{}
	for line := range e.pins() {
		name, rest, ok := strings.Cut(line, "==")
		if !ok || strings.HasPrefix(line, " ") {
			continue
		}
		version, condition, _ := strings.Cut(rest, " ")
		pins[name] = append(pins[name], version)
		if !strings.HasPrefix(condition, ";") {
			pins[name] = append(pins[name], "required")
		}
	}
	for name, version := range installed {
		name := canonicalName.ReplaceAllString(strings.ToLower(name), "-")
		pin := pins[name]
		delete(pins, name)
		switch {
		case slices.Contains(pin, version):
			right++
		case pin != nil:
			wrong = append(wrong, fmt.Sprintf("%s %s instead of %s", name, version, pin[0]))
		}
	}
	for name, pin := range pins {
		if slices.Contains(pin, "required") {
			wrong = append(wrong, "no "+name)
		}
	}
	slices.Sort(wrong)
	return wrong, right, nil
}

// canonicalName is how the names of Python packages are compared (PEP 503).
var canonicalName = regexp.MustCompile(`[-_.]+`)
