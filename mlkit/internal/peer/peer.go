//go:build unix

// Package peer solves problems with scikit-learn, so that tests can hold mlkit
// against it. The tests of this package do: they draw random problems for every
// model, let both libraries solve them, and compare.
//
//	p, err := peer.Start(ctx)
//	if err != nil {
//		t.Skip(err)
//	}
//	defer p.Close()
//	var answer struct{ W, B []float64 }
//	err = p.Solve(map[string]any{"model": "ridge", "X": X, "y": y, "lambda": 0.1}, &answer)
//
// The first Start makes a virtual environment in the user's cache, with the
// versions and hashes that requirements.txt pins; that needs Python 3.10 or newer
// and a package index. Later ones find it there.
//
// The tests compare 40 problems, or as many as MARGINALIA_PEER says:
//
//	MARGINALIA_PEER=200 go test -v ./mlkit/internal/peer
package peer

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// script answers problems, one a line; its functions are the models.
//
//go:embed peer.py
var script string

// An UnavailableError says why there is no scikit-learn to compare with: no
// Python, no network, no room.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string { return "peer: no scikit-learn: " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// A Peer is a running Python process with scikit-learn. One goroutine may use it
// at a time.
type Peer struct {
	Version string // of scikit-learn

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

// Start starts the process, which ends with Close or with ctx; the first time it
// makes the environment before. The error is an *UnavailableError if the
// environment cannot be made on this machine.
func Start(ctx context.Context) (*Peer, error) {
	python, err := environment(ctx)
	if err != nil {
		return nil, &UnavailableError{err}
	}
	p := &Peer{cmd: exec.CommandContext(ctx, python, "-I", "-c", script), stderr: new(bytes.Buffer)}
	// One thread: the problems are small, and the sums have one order.
	p.cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	p.cmd.Stderr = p.stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("peer: %w", err)
	}
	var hello struct{ Version string }
	if err := p.Solve(map[string]any{"model": "version"}, &hello); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Version = hello.Version
	return p, nil
}

// Solve sends a problem, an object whose "model" is the name of a function of
// peer.py, and decodes the answer. What scikit-learn refuses is an error.
func (p *Peer) Solve(problem, answer any) error {
	line, err := json.Marshal(problem)
	if err != nil {
		return fmt.Errorf("peer: problem: %w", err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return p.ended(err)
	}
	line, err = p.out.ReadBytes('\n')
	if err != nil {
		return p.ended(err)
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

// ended is the error of a process that no longer talks.
func (p *Peer) ended(err error) error {
	p.in.Close()
	wait := p.cmd.Wait() // stderr is whole after it
	return fmt.Errorf("peer: the Python process ended (%w, %v): %s", err, wait, tail(p.stderr.String()))
}

// Close ends the process.
func (p *Peer) Close() error {
	p.in.Close()
	if p.cmd.ProcessState != nil { // it has been waited for
		return nil
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("peer: %w: %s", err, tail(p.stderr.String()))
	}
	return nil
}

// tail is the end of a program's output, where the reason is.
func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n")
}
