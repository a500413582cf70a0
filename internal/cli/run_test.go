package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/jupyter/jupytertest"
	"marginalia/internal/nbformat"
)

// A command is a run of marginalia with a temporary directory of its own.
type command struct {
	*exec.Cmd
	tmp, marker string
	stderr      bytes.Buffer
}

// marginalia prepares `marginalia args…`. Tests with cells need the kernel.
func marginalia(t *testing.T, args ...string) *command {
	t.Helper()
	jupytertest.Spec(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &command{Cmd: exec.Command(self, args...), tmp: t.TempDir(), marker: jupytertest.Marker()}
	c.Env = append(os.Environ(), mainEnv+"=1", "TMPDIR="+c.tmp, c.marker)
	c.Stderr = &c.stderr
	t.Cleanup(func() {
		jupytertest.AwaitNoStrays(t, c.marker)
		if left := c.leftovers(); len(left) > 0 {
			t.Errorf("temporary files left: %q", left)
		}
	})
	return c
}

// leftovers returns what is in the temporary directory, save a folder that
// x/tools/internal/modindex makes there in every test binary, and only there.
func (c *command) leftovers() []string {
	names, _ := filepath.Glob(filepath.Join(c.tmp, "*"))
	return slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "goimports" })
}

// exits runs the command to its end and checks its exit status.
func (c *command) exits(t *testing.T, want int) string {
	t.Helper()
	err := c.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	if got := c.ProcessState.ExitCode(); got != want {
		t.Fatalf("%q exits with %d, want %d; it says\n%s", c.Args[1:], got, want, &c.stderr)
	}
	return c.stderr.String()
}

// notebook writes a notebook to a folder of its own; each cell is "id: source",
// or "id tag: source".
func notebook(t *testing.T, cells ...string) string {
	t.Helper()
	nb := &nbformat.Notebook{Metadata: map[string]any{
		"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"},
	}}
	for _, c := range cells {
		head, source, _ := strings.Cut(c, ": ")
		id, tag, tagged := strings.Cut(head, " ")
		cell := &nbformat.Cell{ID: id, Type: "code", Source: source}
		if tagged {
			cell.Metadata = map[string]any{"tags": []any{tag}}
		}
		nb.Cells = append(nb.Cells, cell)
	}
	name := filepath.Join(t.TempDir(), "nb.ipynb")
	if err := nb.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, name string) *nbformat.Notebook {
	t.Helper()
	nb, err := nbformat.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// outputs writes the outputs of a cell in short.
func outputs(c *nbformat.Cell) string {
	var all []string
	for _, o := range c.Outputs {
		switch o.Type {
		case "stream":
			all = append(all, o.Name+":"+o.Text)
		case "error":
			all = append(all, "error:"+o.EValue)
		default:
			all = append(all, fmt.Sprint(o.Data))
		}
	}
	return strings.Join(all, "|")
}

func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const imports = "imports: import (\n\t\"flag\"\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)"

func TestRun(t *testing.T) {
	name := notebook(t, imports, "declare: func twice(x int) int { return 2 * x }", "blank: \n",
		"left-out skip-execution: %%\npanic(1)", "use: %%\nfmt.Println(twice(21))\nfmt.Fprintln(os.Stderr, \"err\")", "folder: !ls")
	said := marginalia(t, "run", name).exits(t, 0)
	if !strings.Contains(said, "5/6 use") || strings.Contains(said, "left-out") {
		t.Errorf("progress is\n%s", said)
	}
	nb := read(t, name)
	var counts []int
	for _, c := range nb.Cells {
		n := 0
		if c.ExecutionCount != nil {
			n = *c.ExecutionCount
		}
		counts = append(counts, n)
	}
	if got := fmt.Sprint(counts); got != "[1 2 0 0 3 4]" {
		t.Errorf("execution counts %s, want [1 2 0 0 3 4]", got)
	}
	if got := outputs(nb.Cells[4]); got != "stdout:42\n|stderr:err\n" && got != "stderr:err\n|stdout:42\n" {
		t.Errorf("outputs %q", got)
	}
	if got := outputs(nb.Cells[5]); got != "stdout:nb.ipynb\n" {
		t.Errorf("the notebook's folder holds %q", got)
	}
	info := fmt.Sprint(nb.Metadata["language_info"])
	if want := "map[file_extension:.go mimetype:text/x-go name:go pygments_lexer:go]"; info != want {
		t.Errorf("language_info is %s, want %s", info, want)
	}
	written := content(t, name)
	if again, err := nb.Encode(); err != nil || string(again) != written {
		t.Errorf("the notebook is not written canonically (%v)", err)
	}
	marginalia(t, "run", name).exits(t, 0)
	if content(t, name) != written {
		t.Error("a second run with the same outputs changed the file")
	}
}

func TestRunFailures(t *testing.T) {
	for _, tt := range []struct{ name, timeout, cell, says, output string }{
		{"compile error", "1m", "func f() int {\n\tx := 1\n\treturn 2\n}", "#bad:2: declared and not used: x\n", "error:"},
		{"syntax error", "1m", "%%\nfmt.Println(1))", "#bad:2: ", "error:"},
		{"panic", "1m", "%%\n\nboom()", "#panics:2: panic: boom\n", "panic: boom"},
		{"exit", "1m", "%%\nfmt.Println(7)\nos.Exit(3)", "#bad: exit status 3\n\t7\n", "stdout:7\n|stderr:exit status 3\n|error:exit status 3"},
		{"kernel killed", "1m", "!kill -9 $PPID; sleep 1000", "#bad: the kernel died: signal: killed\n", "error:the kernel died: signal: killed"},
		{"endless", "1m", "%%\nfor {\n\tfmt.Printf(\"%09999d\\n\", 1)\n}", "#bad: the code showed more than 32 MiB\n", "error:the code showed more than 32 MiB"},
		{"hangs", "3s", "%%\nfmt.Println(8)\nfor {\n}", "#bad: the cell took longer than 3s (--timeout)\n", "error:the cell took longer than 3s (--timeout)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := notebook(t, imports, "panics: func boom() {\n\tpanic(\"boom\")\n}", "bad: "+tt.cell, "later: %%\nfmt.Println(9)")
			nb := read(t, name)
			nb.Cells[3].Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: "stored"}}
			if err := nb.WriteFile(name); err != nil {
				t.Fatal(err)
			}
			said := marginalia(t, "run", "--timeout", tt.timeout, name).exits(t, 1)
			if info, err := os.Stat(name); err != nil || info.Size() > 200<<10 {
				t.Errorf("the notebook has %d bytes, %v", info.Size(), err)
			}
			if !strings.Contains(said, name+tt.says) {
				t.Errorf("it says\n%s\nwant %s", said, tt.says)
			}
			nb = read(t, name)
			if got := outputs(nb.Cells[2]); !strings.Contains(got, tt.output) {
				t.Errorf("outputs of the cell are %q, want %q", got, tt.output)
			}
			if got := outputs(nb.Cells[3]); got != "stdout:stored" {
				t.Errorf("outputs of the cell after it are %q, want those stored", got)
			}
		})
	}
}

func TestRunAllowErrors(t *testing.T) {
	name := notebook(t, imports, "bad: %%\nos.Exit(3)", "later: %%\nfmt.Println(9)")
	marginalia(t, "run", "--allow-errors", name).exits(t, 0)
	if got := outputs(read(t, name).Cells[2]); got != "stdout:9\n" {
		t.Errorf("the cell after one that fails shows %q", got)
	}
	name = notebook(t, imports, "bad raises-exception: %%\nos.Exit(3)", "later: %%\nfmt.Println(9)")
	marginalia(t, "run", name).exits(t, 0)
	if got := outputs(read(t, name).Cells[2]); got != "stdout:9\n" {
		t.Errorf("the cell after one that raises-exception shows %q", got)
	}
}

// A cell that would kill the kernel is not sent there; the others run.
func TestRunFatalCells(t *testing.T) {
	name := notebook(t, imports,
		"two: %%\nx()\n%main\ny()",
		"exec: %exec f\n%%",
		"comment: /*\n%% x\n*/\n%%\nfmt.Println(1)",
		"bang: x\n! ",
		"percent: %\t",
		"tagged raises-exception: %\t",
		"well: %%\nfmt.Println(\"well\")")
	said := marginalia(t, "run", "--allow-errors", name).exits(t, 0)
	for _, want := range []string{"#two:3: a second main", "#exec:2: a second main", "#comment:2: a second main", "#bang:2: a command without a name", "#percent:1: a command without a name"} {
		if !strings.Contains(said, name+want) {
			t.Errorf("it does not say %s:\n%s", want, said)
		}
	}
	cells := read(t, name).Cells
	if got := outputs(cells[3]); !strings.HasPrefix(got, "error:a second main") {
		t.Errorf("the outputs of comment are %q", got)
	}
	if got := outputs(cells[7]); got != "stdout:well\n" {
		t.Errorf("the outputs of well are %q", got)
	}
	marginalia(t, "run", name).exits(t, 1) // and stops at two
	if got := outputs(read(t, name).Cells[7]); got != "stdout:well\n" {
		t.Errorf("the outputs of well are %q", got)
	}
}

// The line that says what is wrong comes first, not the last one of many.
func TestRunExplains(t *testing.T) {
	name := notebook(t, imports,
		"module: import \"nobody.example/nothing\"\n%%\nnothing.Do()",
		"late: X=17\n%%sh\necho $X")
	said := marginalia(t, "run", "--allow-errors", name).exits(t, 0)
	for _, want := range []string{
		`#module: import "nobody.example/nothing": no module on this computer has this package, and `,
		`#late: "%%sh" can only appear at the start of the cell`,
	} {
		if !strings.Contains(said, name+want) {
			t.Errorf("it does not say %s:\n%s", want, said)
		}
	}
}

func TestRunTotal(t *testing.T) {
	first, second := notebook(t, "sleep: !sleep 1000"), notebook(t, "never: !echo")
	said := marginalia(t, "run", "--total", "1s", first, second).exits(t, 1)
	for _, want := range []string{
		first + "#sleep: the time for all notebooks is over (--total 1s)",
		second + ": not executed: the time for all notebooks is over",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it says\n%s\nwant %s", said, want)
		}
	}
}

func TestRunInterrupt(t *testing.T) {
	name := notebook(t, imports, "sleep: %%\nos.Create(\"running\")\ntime.Sleep(time.Hour)")
	before := content(t, name)
	c := marginalia(t, "run", name)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, filepath.Join(filepath.Dir(name), "running"))
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if got := c.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit status %d, want 130; it says\n%s", got, &c.stderr)
	}
	if content(t, name) != before {
		t.Error("the notebook was changed")
	}
}

// A `go run` that is killed takes the notebook's run with it. Here a script
// named go stands for it.
func TestRunOrphaned(t *testing.T) {
	if _, err := os.Stat("/proc/self/comm"); err != nil {
		t.Skip("the test's go, a script, goes by the name of its shell where there is no /proc")
	}
	name := notebook(t, imports, "sleep: %%\nos.Create(\"running\")\ntime.Sleep(time.Hour)")
	before := content(t, name)
	c := marginalia(t, "run", name)
	built := filepath.Join(c.tmp, "go-build123/b001/exe/marginalia") // where `go run` builds it
	if err := os.MkdirAll(filepath.Dir(built), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", c.Path, built).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script := filepath.Join(t.TempDir(), "go")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n\"$@\" &\nwait\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	c.Args = append([]string{script}, c.Args...)
	c.Args[1], c.Path = built, script
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Stderr = nil // Wait would wait until the orphan closes it
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, filepath.Join(filepath.Dir(name), "running"))
	c.Process.Kill()
	c.Wait()
	jupytertest.AwaitNoStrays(t, c.marker)
	if content(t, name) != before {
		t.Error("the notebook was changed")
	}
}

func TestRunCheck(t *testing.T) {
	name := notebook(t, imports, "one: %%\nfor i := range 3 {\n\tfmt.Println(\"line\", i)\n}", "two: %%\nfmt.Println(0.1+0.2)")
	marginalia(t, "run", name).exits(t, 0)
	marginalia(t, "run", "--check", name).exits(t, 0)

	changed := strings.Replace(content(t, name), "line 1", "line 7", 1)
	if err := os.WriteFile(name, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	said := marginalia(t, "run", "--check", name).exits(t, 1)
	for _, want := range []string{name + "#one: stdout, from line 2:", "- line 7", "+ line 1"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says\n%s\nwant %s", said, want)
		}
	}
	if strings.Contains(said, "#two") {
		t.Errorf("it finds fault with a cell that is equal:\n%s", said)
	}
	if content(t, name) != changed {
		t.Error("--check changed the file")
	}
}

// `run --check` and `test` pass the same cells: here each of the three that both
// pass and the two that both do not.
func TestCheckAgreesWithTest(t *testing.T) {
	name := notebook(t, imports,
		"raises nbval-raises-exception: %%\npanic(\"as it should\")",
		"prints: %%\nfmt.Println(\"stored\")",
		"never: %%\nfmt.Println(\"never executed\")",
		"tagged raises-exception: %%\nfmt.Println(\"well\")",
		"fails: %%\npanic(\"stored too\")")
	marginalia(t, "run", "--allow-errors", name).exits(t, 0)
	nb := read(t, name)
	for _, c := range nb.Cells {
		if c.ID == "never" {
			c.ExecutionCount, c.Outputs = nil, nil
		}
	}
	if err := nb.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	checked := marginalia(t, "run", "--check", name).exits(t, 1)
	tested, status := invoke(t, "test", name)
	if status != 1 {
		t.Errorf("test ends with %d, want 1", status)
	}
	for _, want := range []struct{ id, says string }{
		{"tagged", "it is tagged raises-exception and did not fail"},
		{"fails", "stored too"},
	} {
		if !strings.Contains(tested, "FAIL nb.ipynb#"+want.id) || !strings.Contains(tested, want.says) {
			t.Errorf("test passes %s:\n%s", want.id, tested)
		}
		if !strings.Contains(checked, name+"#"+want.id+":") || !strings.Contains(checked, want.says) {
			t.Errorf("run --check passes %s:\n%s", want.id, checked)
		}
	}
	for _, id := range []string{"raises", "prints", "never"} {
		if strings.Contains(tested, "FAIL nb.ipynb#"+id) {
			t.Errorf("test fails %s:\n%s", id, tested)
		}
		said := strings.ReplaceAll(checked, name+"#"+id+": note: it was never executed", "")
		if strings.Contains(said, name+"#"+id+":") {
			t.Errorf("run --check fails %s:\n%s", id, checked)
		}
	}
}

// What the kernel sends of figures and updates is stored as Jupyter stores it.
func TestRunDisplays(t *testing.T) {
	name := notebook(t, "imports: import (\n\t\"flag\"\n\t\"fmt\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)",
		"show: %%\ngonbui.UpdateHTML(\"id\", \"first\\nsecond\")\ngonbui.DisplayPng(make([]byte, 1<<20))\ngonbui.Sync()",
		"update: %%\ngonbui.UpdateHTML(\"id\", \"third\")\ngonbui.Sync()\nfor i := range 20000 {\n\tfmt.Println(i)\n}")
	marginalia(t, "run", name).exits(t, 0)
	nb := read(t, name)
	show := nb.Cells[1].Outputs
	if len(show) != 2 || show[0].Data["text/html"] != "third" {
		t.Fatalf("the displays are %.200s", outputs(nb.Cells[1]))
	}
	// base64 of 2^20 zero bytes: 4 characters for 3 bytes, all A but the padding.
	png, _ := show[1].Data["image/png"].(string)
	if want := strings.Repeat("A", 1398102) + "=="; png != want {
		t.Errorf("the image has %d characters, want %d", len(png), len(want))
	}
	if got := nb.Cells[2].Outputs; len(got) != 1 || strings.Count(got[0].Text, "\n") != 20000 {
		t.Errorf("20000 lines are %d outputs", len(got))
	}
	written := content(t, name)
	if again, err := nb.Encode(); err != nil || string(again) != written {
		t.Errorf("the notebook is not written canonically (%v)", err)
	}
	marginalia(t, "run", "--check", name).exits(t, 0)
}

func TestRunOutputFile(t *testing.T) {
	name := notebook(t, imports, "one: %%\nfmt.Println(1)")
	before := content(t, name)
	out := filepath.Join(t.TempDir(), "out.ipynb")
	marginalia(t, "run", name, "-o", out).exits(t, 0)
	if content(t, name) != before {
		t.Error("the notebook was changed in spite of -o")
	}
	if got := outputs(read(t, out).Cells[1]); got != "stdout:1\n" {
		t.Errorf("outputs in %s are %q", out, got)
	}
}

func TestRunFileChangedMeanwhile(t *testing.T) {
	name := notebook(t, "change: !echo >> nb.ipynb")
	said := marginalia(t, "run", name).exits(t, 1)
	if !strings.Contains(said, name+" was changed while it was executed") {
		t.Errorf("it says\n%s", said)
	}
	if got := outputs(read(t, name).Cells[0]); got != "" {
		t.Errorf("outputs %q were written", got)
	}
}

func TestRunRefuses(t *testing.T) {
	good := notebook(t, "touch: !touch executed")
	python := notebook(t, "one: print(1)")
	nb := read(t, python)
	nb.Metadata["kernelspec"] = map[string]any{"name": "python3", "display_name": "Python 3"}
	if err := nb.WriteFile(python); err != nil {
		t.Fatal(err)
	}
	notJSON := filepath.Join(t.TempDir(), "x.ipynb")
	if err := os.WriteFile(notJSON, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		exit int
		says string
	}{
		{"python", []string{python}, 1, "is a notebook in python"},
		{"not JSON", []string{notJSON}, 1, notJSON + ": line 1: "},
		{"no file", []string{"no-such.ipynb"}, 1, "no-such.ipynb: no such file"},
		{"no notebook", nil, 2, "name at least one notebook"},
		{"-o of two", []string{good, good, "-o", "x"}, 2, "-o takes one notebook, not 2"},
		{"-o and --check", []string{good, "-o", "x", "--check"}, 2, "--check writes nothing"},
		{"no folder", []string{good, "-o", "/no/such/x.ipynb"}, 1, "there is no folder /no/such"},
		{"timeout", []string{good, "--timeout", "0"}, 2, "--timeout 0s: want more than 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"run"}, tt.args...)
			if tt.exit == 1 && !strings.HasPrefix(tt.name, "no folder") {
				args = append(args, good)
			}
			if said := marginalia(t, args...).exits(t, tt.exit); !strings.Contains(said, tt.says) {
				t.Errorf("it says\n%s\nwant %s", said, tt.says)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(good), "executed")); err == nil {
				t.Error("a notebook was executed")
			}
		})
	}
}

func awaitFile(t *testing.T, name string) {
	t.Helper()
	jupytertest.Await(t, name+" is there", func() bool { _, err := os.Stat(name); return err == nil })
}
