//go:build unix

package conventions_test

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/bench/adapter"
	"marginalia/internal/install/venv"
	"marginalia/internal/testkit/must"
)

// problem is what an adapter is asked.
type problem struct {
	Peer       string         `json:"peer"`
	X          [][]float64    `json:"X"`
	Y          []int          `json:"y"`
	Z          [][]float64    `json:"Z"`
	Parameters map[string]any `json:"parameters"`
}

// answer is what a library says of a problem. What it does not say is absent.
type answer struct {
	Error         string
	Warnings      number
	Beside        string // the error that a model comes with
	Labels        []number
	Scores        []number
	Probabilities [][]number
	Classes       []number // of the columns of Probabilities, or of the model
	W             []number
	B             *number
	Components    [][]number
	Variances     []number
	Scaled        [][]number
	Assigned      []number
	Versions      map[string]string
}

// number is a number, or a string for what JSON has no number for.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	var v float64
	_, err := fmt.Sscan(strings.Trim(string(data), `"`), &v)
	*n = number(v)
	return err
}

// asker is a library.
type asker func(p problem) (answer, error)

//go:embed python.py
var pythonScript string

//go:embed python.txt
var pythonPins string

// peers starts the adapters of all libraries, each when it is first asked.
type peers struct {
	*testing.T
	started map[string]*adapter.Adapter
}

// ask asks a library by way of the adapter named side: python, libsvm or js.
func (p peers) ask(side string, q problem) (answer, error) {
	a := p.started[side]
	if a == nil {
		a = p.start(side)
		p.started[side] = a
	}
	var r answer
	return r, a.Ask(q, &r)
}

func (p peers) start(side string) *adapter.Adapter {
	p.Helper()
	root := repotest.Root(p.T)
	switch side {
	case "python":
		return p.run(must.Get(venv.Cached(p.Context(), "peers", pythonPins)).Or(p.T), "-I", "-c", pythonScript)
	case "libsvm":
		return p.run(must.Get(adapter.LIBSVM(p.Context(), root)).Or(p.T), "-I", "-c", pythonScript)
	case "js":
		dir := p.TempDir()
		must.Do(p.T, os.CopyFS(dir, os.DirFS(filepath.Join(root, "internal", "bench", "conventions", "js"))))
		program, npm, err := venv.Node(p.Context())
		must.Do(p.T, err)
		install := exec.CommandContext(p.Context(), program, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
		install.Dir = dir
		install.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := install.CombinedOutput(); err != nil {
			p.Fatalf("npm ci: %v\n%s", err, out)
		}
		return p.run(program, filepath.Join(dir, "main.js"))
	}
	p.Fatalf("no adapter %q", side)
	return nil
}

func (p peers) run(name string, args ...string) *adapter.Adapter {
	p.Helper()
	a := must.Get(adapter.Start(p.Context(), name, args...)).Or(p.T)
	p.Cleanup(func() { a.Close() }) // the context has ended it
	return a
}
