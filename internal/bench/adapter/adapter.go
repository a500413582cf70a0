// Package adapter asks other libraries: programs in other languages that answer problems, one JSON object a
// line.
package adapter

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"marginalia/internal/install/venv"
)

// Adapter is a running program. It is not safe for concurrent use.
type Adapter struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

// Start starts a program, which ends with Close or when ctx is done.
func Start(ctx context.Context, name string, args ...string) (*Adapter, error) {
	a := &Adapter{cmd: exec.CommandContext(ctx, name, args...), stderr: new(bytes.Buffer)}
	// One thread: the problems are small, and the order of summation stays fixed.
	a.cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	a.cmd.Stderr = a.stderr
	var err error
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.out = bufio.NewReader(out)
	return a, a.cmd.Start()
}

// LIBSVM returns the Python with LIBSVM and LIBLINEAR, as the benchmarks of the repository at root pin them.
func LIBSVM(ctx context.Context, root string) (python string, err error) {
	var pins []string
	for _, name := range []string{"libsvm-build.txt", "libsvm.txt"} {
		text, err := os.ReadFile(filepath.Join(root, "internal", "bench", name))
		if err != nil {
			return "", err
		}
		pins = append(pins, string(text))
	}
	return venv.Cached(ctx, "libsvm", pins...)
}

// Ask sends a problem and decodes the answer.
func (a *Adapter) Ask(problem, answer any) error {
	line, err := json.Marshal(problem)
	if err != nil {
		return fmt.Errorf("adapter: problem: %w", err)
	}
	if _, err := a.in.Write(append(line, '\n')); err != nil {
		return a.ended(err)
	}
	line, err = a.out.ReadBytes('\n')
	if err != nil {
		return a.ended(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("adapter: answer %.200q: %w", line, err)
	}
	return nil
}

// ended returns the error for a program that no longer answers.
func (a *Adapter) ended(err error) error {
	a.in.Close()
	wait := a.cmd.Wait() // completes stderr
	return fmt.Errorf("adapter: the program ended (%w, %v): %s", err, wait, tail(a.stderr.String()))
}

// Close ends the program and waits for it.
func (a *Adapter) Close() error {
	a.in.Close()
	if a.cmd.ProcessState != nil { // ended has already waited for it
		return nil
	}
	if err := a.cmd.Wait(); err != nil {
		return fmt.Errorf("adapter: %w: %s", err, tail(a.stderr.String()))
	}
	return nil
}

// tail returns the last lines of a program's output, where the reason is.
func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n")
}
