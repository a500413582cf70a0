//go:build browser

package lab

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestKernelspecForEditors does what VS Code's Jupyter extension does with the
// environment in .venv: it asks its Jupyter for the kernels, with none of the settings
// that "go run . lab" starts JupyterLab with, starts ours from its kernelspec, and runs
// a cell that imports marginalia. Until code is to be completed no gopls runs. Then it kills
// the kernel, and nothing stays: gopls ends with it.
func TestKernelspecForEditors(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	v := EnvironmentOf(root)
	must.Do(t, SetUp(t.Context(), root, nil, os.Stderr))
	marker, tmp := jupytertest.Marker(), t.TempDir()
	bare := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + tmp, marker}
	list := exec.CommandContext(t.Context(), filepath.Join(v.Dir, "bin", "jupyter"), "kernelspec", "list", "--json")
	list.Env = bare
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderrOf(err))
	}
	var found struct {
		Kernelspecs map[string]struct {
			Dir  string `json:"resource_dir"`
			Spec struct{ Language string }
		} `json:"kernelspecs"`
	}
	must.Do(t, json.Unmarshal(out, &found))
	gonb, ok := found.Kernelspecs["gonb"]
	if !ok || gonb.Dir != filepath.Dir(v.kernelspecFile()) || gonb.Spec.Language != "go" {
		t.Fatalf("kernelspec gonb is %+v, want one of the language go in %s", gonb, filepath.Dir(v.kernelspecFile()))
	}
	const client = `
import glob, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(startup_timeout=600, kernel_name="gonb", cwd=sys.argv[1])
try:
    reply = client.execute_interactive(sys.stdin.read(), timeout=600)
    print(reply["content"]["status"])
    def gopls():
        count = 0
        for environ in glob.glob("/proc/[0-9]*/environ"):
            try:
                name = open(environ.replace("environ", "comm")).read()
                count += name == "gopls\n" and sys.argv[2] in open(environ).read()
            except OSError:
                pass
        return count
    before = gopls()
    matches = client.complete("%%\nsvm.Subg", 11, reply=True, timeout=600)["content"]["matches"]
    print(before, matches, gopls() > 0)
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
`
	run := exec.CommandContext(t.Context(), v.Python(), "-c", client, t.TempDir(), marker)
	run.Env = bare
	run.Stdin = strings.NewReader("import (\n\t\"fmt\"\n\n\t\"marginalia/mlkit/svm\"\n)\n\n%%\nfmt.Printf(\"%T\\n\", svm.Classifier{})\n")
	if out, err = run.Output(); err != nil || string(out) != "svm.Classifier\nok\n0 ['SubgradientDescent'] True\n" {
		t.Errorf("the cell printed %q, want svm.Classifier, ok, and no gopls before the name was completed; %v\n%s", out, err, stderrOf(err))
	}
	jupytertest.AwaitNoStrays(t, marker)
}

func stderrOf(err error) string {
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
