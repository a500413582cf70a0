package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/base/repo"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// TestMain makes this binary, under another name, the command that tests run.
func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	assignment.CompilerMain()
	celltest.StarterMain()
	testscript.Main(reads.Short(m), map[string]func(){"marginalia": func() { os.Exit(Main(os.Args[1:])) }})
}

// The scripts in testdata/script say what the commands print and write. The commands
// below extend testscript's own. A file that ends in .cells becomes a notebook (see
// notebookOf).
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func TestKernelScripts(t *testing.T) {
	jupytertest.Spec(t)
	runScripts(t, "testdata/script/kernel")
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Condition: func(name string) (bool, error) {
			switch name {
			case "long":
				return tier.IsLong(t), nil
			case "kernel":
				return tier.IsKernel(t), nil
			case "race":
				return tier.Race, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"await":     await,
			"lock":      lock,
			"outputs":   printOutputs,
		},
	})
}

// variables is the key of the environment variables that a script has from the start:
// interrupt passes on these alone.
type variables struct{}

// setUp lets a script have the Go and the caches of this process, and checks in the end
// that it leaves no process and no temporary file.
func setUp(env *testscript.Env) error {
	t := env.T().(testing.TB)
	root, err := repo.Root()
	if err != nil {
		return err
	}
	tmp, marker := env.Getenv("TMPDIR"), jupytertest.Marker()
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	env.Vars = slices.Concat(env.Vars[:1], os.Environ(), env.Vars[1:], []string{
		"HOME=" + os.Getenv("HOME"),
		"GOTRACEBACK=" + os.Getenv("GOTRACEBACK"),
		"XDG_CACHE_HOME=" + os.Getenv("XDG_CACHE_HOME"),
		"GOMAXPROCS=" + os.Getenv("GOMAXPROCS"),
		"GOCACHE=" + cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")), // also with another XDG_CACHE_HOME
		"REPOSITORY=" + root,
		marker,
	})
	env.Values[variables{}] = env.Vars
	env.Defer(func() {
		jupytertest.AwaitNoStrays(t, marker)
		if left := leftovers(tmp); len(left) > 0 {
			t.Errorf("temporary files left: %q", left)
		}
	})
	files, err1 := filepath.Glob(filepath.Join(env.WorkDir, "*.cells"))
	below, err2 := filepath.Glob(filepath.Join(env.WorkDir, "*", "*.cells"))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, file := range append(files, below...) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := notebookOf(string(text)).WriteFile(strings.TrimSuffix(file, ".cells") + ".ipynb"); err != nil {
			return err
		}
		if err := os.Remove(file); err != nil { // cells look into their folder
			return err
		}
	}
	return nil
}

// leftovers returns what is in a temporary directory, save a folder that
// x/tools/internal/modindex makes there in every test binary, and only there.
func leftovers(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	return slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "goimports" })
}

// notebookOf makes a notebook of the text of its code cells: each begins with a line
// "== id tag…", and its stored standard output is the lines after "#> ". A cell without
// any has not been executed.
func notebookOf(text string) *nbformat.Notebook {
	nb := &nbformat.Notebook{Metadata: map[string]any{
		"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"},
	}}
	for _, part := range strings.Split("\n"+text, "\n== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		words := strings.Fields(head)
		c := &nbformat.Cell{ID: words[0], Type: "code"}
		if tags := words[1:]; len(tags) > 0 {
			list := make([]any, len(tags))
			for i, tag := range tags {
				list[i] = tag
			}
			c.Metadata = map[string]any{"tags": list}
		}
		var source []string
		stored := ""
		for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
			if out, ok := strings.CutPrefix(line, "#> "); ok {
				stored += out + "\n"
			} else {
				source = append(source, line)
			}
		}
		c.Source = strings.Join(source, "\n")
		if stored != "" {
			one := 1
			c.ExecutionCount = &one
			c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: stored}}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

// exits STATUS COMMAND… runs the command and wants that exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND…")
	}
	got, err := 0, ts.Exec(args[1], args[2:]...)
	if status := (*exec.ExitError)(nil); errors.As(err, &status) {
		got = status.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// interrupt PATTERN COMMAND… starts the command, waits until it has printed what the
// pattern matches or until that is the name of a file that is not empty, sends what
// Ctrl-C sends, and wants status 130.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt PATTERN COMMAND…")
	}
	pattern := regexp.MustCompile(args[0])
	var said buffer
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, v := range ts.Value(variables{}).([]string) {
		name, _, _ := strings.Cut(v, "=")
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Stdout, cmd.Stderr = &said, &said
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !pattern.MatchString(said.String()) && !filled(ts.MkAbs(args[0])) {
		select {
		case err := <-ended:
			ts.Fatalf("it ended before: %v\n%s", err, said.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	<-ended
	ts.Logf("%s", said.String())
	if got := cmd.ProcessState.ExitCode(); got != statusInterrupt {
		ts.Fatalf("exit status %d, want %d", got, statusInterrupt)
	}
}

// A buffer can be read while a program writes to it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// await PATTERN waits until there is a file of a name that matches and something in it.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await PATTERN")
	}
	for !filled(ts.MkAbs(args[0])) {
		time.Sleep(10 * time.Millisecond)
	}
}

// filled reports whether a file whose name matches the pattern is there and not empty.
func filled(pattern string) bool {
	names, _ := filepath.Glob(pattern)
	return slices.ContainsFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// lock PATTERN takes the exclusive lock of the files whose names match, until the script ends.
func lock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lock PATTERN")
	}
	names, _ := filepath.Glob(ts.MkAbs(args[0]))
	if len(names) == 0 {
		ts.Fatalf("no file matches %s", args[0])
	}
	for _, name := range names {
		held, err := lockfile.Try(name, lockfile.Exclusive)
		ts.Check(err)
		ts.Defer(func() { held.Close() })
	}
}

// outputs NOTEBOOK prints the cells that were executed with their counts and outputs.
func printOutputs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: outputs NOTEBOOK")
	}
	nb, err := nbformat.Read(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, c := range nb.Cells {
		count := "-"
		if c.ExecutionCount != nil {
			count = strconv.Itoa(*c.ExecutionCount)
		}
		fmt.Fprintf(ts.Stdout(), "%s [%s]\n", c.ID, count)
		for _, o := range c.Outputs {
			switch o.Type {
			case "stream":
				for line := range strings.Lines(o.Text) {
					fmt.Fprintf(ts.Stdout(), "  %s: %s\n", o.Name, strings.TrimSuffix(line, "\n"))
				}
			case "error":
				fmt.Fprintf(ts.Stdout(), "  error: %s\n", o.EValue)
			default:
				for _, kind := range slices.Sorted(maps.Keys(o.Data)) {
					fmt.Fprintf(ts.Stdout(), "  %s: %.60v (%d)\n", kind, o.Data[kind], len(fmt.Sprint(o.Data[kind])))
				}
			}
		}
	}
}
