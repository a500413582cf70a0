//go:build unix

package peer_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marginalia/internal/bench/adapter"
	"marginalia/internal/install/venv"
)

// script answers problems, one per line. Its functions are the models.
//
//go:embed peer.py
var script string

// process is a running Python process with scikit-learn.
type process struct {
	*adapter.Adapter
	version string // of scikit-learn
}

// startProcess starts the process, after creating the environment if there is none. The
// process ends with Close or when ctx is done.
func startProcess(ctx context.Context) (*process, error) {
	python, err := venv.ScikitLearn(ctx)
	if err != nil {
		return nil, fmt.Errorf("peer: no scikit-learn: %w", err)
	}
	a, err := adapter.Start(ctx, python, "-I", "-c", script)
	if err != nil {
		return nil, err
	}
	p := &process{Adapter: a}
	var hello struct{ Version string }
	if err := p.solve(map[string]any{"model": "version"}, &hello); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.version = hello.Version
	return p, nil
}

// solve sends a problem and decodes the answer. The member "model" of a problem names a
// function of peer.py. If scikit-learn refuses the problem, solve returns an error.
func (p *process) solve(problem, answer any) error {
	var line json.RawMessage
	if err := p.Ask(problem, &line); err != nil {
		return err
	}
	var refused struct{ Error string }
	if err := json.Unmarshal(line, &refused); err != nil {
		return fmt.Errorf("peer: answer %.80q: %w", line, err)
	}
	if refused.Error != "" {
		return fmt.Errorf("peer: scikit-learn: %s", strings.TrimSpace(refused.Error))
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("peer: answer %.80q: %w", line, err)
	}
	return nil
}
