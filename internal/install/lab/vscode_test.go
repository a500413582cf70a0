package lab

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/testkit/tier"
)

// TestKernelspecForEditors does what VS Code's Jupyter extension does with the
// environment in .venv: it asks its Jupyter for the kernels, with none of the settings
// that "go run . lab" starts JupyterLab with, starts ours from its kernelspec, and runs
// a cell that imports marginalia. Until code is to be completed no gopls runs. Then it kills
// the kernel, and nothing stays: gopls ends with it.
func TestKernelspecForEditors(t *testing.T) {
	tier.Browser(t)
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	v := EnvironmentOf(root)
	if err := SetUp(t.Context(), root, nil, os.Stderr); err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
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

// TestOutputsNeedNoScript looks into the stored lectures: VS Code runs no script of an
// output unless it is told to trust the notebook, and some viewers never do. So outputs
// are pictures, Markdown and text. Figures have a text alternative, and sliders a picture as
// well. Each lecture names our kernel.
func TestOutputsNeedNoScript(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	plain := map[string]bool{"image/png": true, "image/svg+xml": true, "text/plain": true, "text/markdown": true}
	figures := 0
	for _, path := range files {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		nb := labtest.Read(t, path)
		if spec, _ := nb.Metadata["kernelspec"].(map[string]any); spec["name"] != "gonb" || spec["language"] != "go" {
			t.Errorf("%s names the kernel %q of the language %q, want gonb and go", name, spec["name"], spec["language"])
		}
		for _, c := range nb.Cells {
			for _, o := range c.Outputs {
				for mime, data := range o.Data {
					if !plain[mime] && (mime != display.FigureType && mime != display.SliderType || o.Data["image/png"] == nil) {
						t.Errorf("%s, cell %s: an output of type %s", name, c.ID, mime)
					}
					if text, _ := data.(string); strings.Contains(strings.ToLower(text), "<script") {
						t.Errorf("%s, cell %s: a script in the %s of an output", name, c.ID, mime)
					}
					if strings.HasPrefix(mime, "image/") {
						figures++
						if o.Data["text/plain"] == nil || o.Data["text/plain"] == "" {
							t.Errorf("%s, cell %s: a figure without text beside it", name, c.ID)
						}
					}
				}
			}
		}
	}
	if figures == 0 {
		t.Error("no figure is stored in any lecture")
	}
	t.Logf("%d figures in %d notebooks", figures, len(files))
}
