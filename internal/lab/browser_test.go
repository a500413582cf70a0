package lab

import (
	"os"
	"testing"
)

// needBrowser returns Chromium. It skips a test that JupyterLab or Chromium is
// missing for, or fails it in CI.
func needBrowser(t *testing.T, root string) string {
	t.Helper()
	chromium, ok := Chromium()
	ci := os.Getenv("CI") == "true"
	switch s, _ := venvOf(root).state(t.Context()); {
	case !ok && ci:
		t.Fatal("CI=true and there is no Chromium in PATH")
	case !ok:
		t.Skip("there is no Chromium in PATH")
	case s != venvWhole && !ci:
		t.Skip("JupyterLab is not set up here; go run . lab does it, and CI=true makes this test do it")
	}
	return chromium
}
