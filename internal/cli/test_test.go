package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// invoke runs the command in a process of its own, in the repository.
func invoke(t *testing.T, args ...string) (output string, status int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), mainEnv+"=1")
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// notebookOf writes a notebook whose cells are given as id, source and stored stdout.
func notebookOf(t *testing.T, cells ...[3]string) string {
	t.Helper()
	var list []string
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
	}
	for _, c := range cells {
		out := ""
		if c[2] != "" {
			out = `{"name": "stdout", "output_type": "stream", "text": ` + quote(c[2]) + `}`
		}
		list = append(list, `{"cell_type": "code", "execution_count": 1, "id": `+quote(c[0])+`, "metadata": {}, "outputs": [`+out+`], "source": `+quote(c[1])+`}`)
	}
	file := filepath.Join(t.TempDir(), "nb.ipynb")
	text := `{"cells": [` + strings.Join(list, ",\n") + `], "metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTestCommand(t *testing.T) {
	file := notebookOf(t,
		[3]string{"double", "func double(n int) int { return 2 * n }", ""},
		[3]string{"right", "%%\nfmt.Println(double(2))", "4\n"},
		[3]string{"wrong", "%%\nfmt.Println(double(3))", "7\n"},
		[3]string{"broken", "%%\nundefined()", ""},
		[3]string{"shell", "!ls", ""})
	out, status := invoke(t, "test", file)
	if status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	for _, want := range []string{"FAIL nb.ipynb#wrong", "- 7", "+ 6", "FAIL nb.ipynb#broken", "undefined: undefined",
		"n/a  nb.ipynb#shell: not testable: line 1 runs a shell command (!ls)", "5 cells, 2 passed, 2 failed, 0 skipped, 1 not testable"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "nb.ipynb#right") {
		t.Errorf("a cell that passed is named without -v:\n%s", out)
	}

	out, status = invoke(t, "test", "-v", "--run", "right,double", file)
	if status != 0 || !regexp.MustCompile(`ok   nb.ipynb#right \(\d`).MatchString(out) || strings.Contains(out, "wrong") {
		t.Errorf("--run: status %d\n%s", status, out)
	}
	if out, status = invoke(t, "test", "--run", "wrung", file); status != 1 || !strings.Contains(out, `no code cell "wrung"; there are double, right`) {
		t.Errorf("an id that is not there: status %d\n%s", status, out)
	}

	// --update stores what differs, and does not hide a cell that fails.
	if out, status = invoke(t, "test", "--update", file); status != 1 || !strings.Contains(out, "new  nb.ipynb#wrong") {
		t.Errorf("--update: status %d\n%s", status, out)
	}
	if out, status = invoke(t, "test", "--run", "right,wrong", file); status != 0 {
		t.Errorf("after --update: status %d\n%s", status, out)
	}
}

func TestTestRefuses(t *testing.T) {
	dir := t.TempDir()
	python := filepath.Join(dir, "python.ipynb")
	if err := os.WriteFile(python, []byte(`{"cells": [], "metadata": {"kernelspec": {"display_name": "p", "language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}`), 0o644); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "half.ipynb")
	if err := os.WriteFile(half, []byte(`{"cells": [`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want string }{
		{filepath.Join(dir, "none.ipynb"), "no such file"},
		{python, `its language is "python", want go`},
		{half, "half.ipynb"},
	} {
		out, status := invoke(t, "test", tt.file)
		if status != 1 || !strings.Contains(out, tt.want) || strings.Contains(out, "goroutine") {
			t.Errorf("%s: status %d\n%s", tt.file, status, out)
		}
	}
	if out, status := invoke(t, "test", "--nonsense", python); status != 2 || !strings.Contains(out, "--nonsense") {
		t.Errorf("a flag that is not there: status %d\n%s", status, out)
	}
}

func TestExportCommand(t *testing.T) {
	file := notebookOf(t, [3]string{"right", "%%\nfmt.Println(4)", "4\n"})
	dir := filepath.Join(t.TempDir(), "out")
	if out, status := invoke(t, "export", file, "-o", dir); status != 0 || !strings.Contains(out, "go -C "+dir+" test ./...") {
		t.Fatalf("status %d\n%s", status, out)
	}
	cmd := exec.Command("go", "-C", dir, "test", "./...")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the command it names: %v\n%s", err, out)
	}
	if out, status := invoke(t, "export", file, "-o", filepath.Dir(file)); status != 1 || !strings.Contains(out, "no earlier export") {
		t.Errorf("into a folder with other files: status %d\n%s", status, out)
	}
}
