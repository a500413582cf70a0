package kernel

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// goCommand runs the kernel's go command in dir and returns its output and exit status.
func goCommand(t testing.TB, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// cellFolder returns a folder with a cell's module, as GoNB makes it, and the
// environment of the kernel.
func cellFolder(t testing.TB) (dir string, env []string) {
	t.Helper()
	root := repotest.Root(t)
	chain := must.Get(New(context.Background(), root)).Or(t)
	dir, env = t.TempDir(), chain.spec(os.Getenv("PATH")).Env
	for _, args := range [][]string{{"mod", "init", "gonb_x"}, {"work", "init"}, {"work", "use", root, "."}, {"mod", "edit", "-replace=marginalia=" + root}} {
		if out, status := goCommand(t, dir, env, args...); status != 0 {
			t.Fatalf("go %v: %s", args, out)
		}
	}
	return dir, env
}

// A cell that draws with marginalia, and by way of a package of its own with gonum/plot,
// has gonum/plot's fonts: its letters are as wide as in this program.
func TestCellHasTheFontsOfGonumPlot(t *testing.T) {
	dir, env := cellFolder(t)
	for name, text := range map[string]string{
		"course/course.go": "package course\n\nimport \"gonum.org/v1/plot\"\n\nfunc Width() float64 { return plot.New().Title.TextStyle.Width(\"Width\").Points() }\n",
		"main.go": "package main\n\nimport (\n\t\"fmt\"\n\n\t\"gonb_x/course\"\n\t\"marginalia/plotting\"\n)\n\n" +
			"func main() {\n\tplotting.New(\"Width\").PNG(72)\n\tfmt.Print(course.Width())\n}\n",
	} {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	if out, status := goCommand(t, dir, env, "build", "-o", "cell"); status != 0 {
		t.Fatal(out)
	}
	out, err := exec.Command(filepath.Join(dir, "cell")).CombinedOutput()
	if want := fmt.Sprint(plot.New().Title.TextStyle.Width("Width").Points()); err != nil || string(out) != want {
		t.Errorf("a title is %s points wide (%v), want %s", out, err, want)
	}
}
