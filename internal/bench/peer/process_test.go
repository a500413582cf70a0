//go:build unix

package peer_test

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

	"marginalia/internal/install/venv"
)

// script answers problems, one per line. Its functions are the models.
//
//go:embed peer.py
var script string

// process is a running Python process, with scikit-learn if it has a version. It is not safe for concurrent
// use.
type process struct {
	version string // of scikit-learn

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

// startProcess starts the process, after creating the environment if there is none. The
// process ends with close or when ctx is done.
func startProcess(ctx context.Context) (*process, error) {
	python, err := venv.ScikitLearn(ctx)
	if err != nil {
		return nil, fmt.Errorf("peer: no scikit-learn: %w", err)
	}
	p, err := run(ctx, python, script)
	if err != nil {
		return nil, err
	}
	var hello struct{ Version string }
	if err := p.solve(map[string]any{"model": "version"}, &hello); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.version = hello.Version
	return p, nil
}

// run starts a script that answers problems.
func run(ctx context.Context, python, script string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, python, "-I", "-c", script), stderr: new(bytes.Buffer)}
	// One thread: the problems are small, and the order of summation stays fixed.
	p.cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	p.cmd.Stderr = p.stderr
	var err error
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
	return p, nil
}

// solve sends a problem and decodes the answer. The member "model" of a problem names a
// function of peer.py. If scikit-learn refuses the problem, solve returns an error.
func (p *process) solve(problem, answer any) error {
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
		return fmt.Errorf("peer: it says: %s", strings.TrimSpace(refused.Error))
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("peer: answer %.80q: %w", line, err)
	}
	return nil
}

// ended returns the error for a process that no longer answers.
func (p *process) ended(err error) error {
	p.in.Close()
	wait := p.cmd.Wait() // completes stderr
	return fmt.Errorf("peer: the Python process ended (%w, %v): %s", err, wait, tail(p.stderr.String()))
}

// close ends the process and waits for it.
func (p *process) close() error {
	p.in.Close()
	if p.cmd.ProcessState != nil { // ended has already waited for it
		return nil
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("peer: %w: %s", err, tail(p.stderr.String()))
	}
	return nil
}

// tail returns the last lines of a program's output, where the reason is.
func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n")
}
