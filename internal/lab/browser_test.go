package lab

import (
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/lab/labtest"
)

const lecture = "01-perceptron.ipynb"

// TestLectureInBrowser does what a newcomer does: starts "go run . lab", opens
// the first lecture in a browser, chooses Run All Cells from the menu, and
// looks at the result. Then the go command is ended, and nothing stays.
//
// It needs Chromium and JupyterLab as "go run . lab" sets it up; where they are
// missing it is skipped, with CI=true it sets JupyterLab up and fails without
// Chromium. With MARGINALIA_SCREENSHOTS set to a folder it leaves pictures of
// the lecture there.
func TestLectureInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	chromium := needBrowser(t, root)
	cells := labtest.CopyUnrun(t, filepath.Join(root, "notebooks", lecture), filepath.Join(dir, lecture))
	server := startLab(t, root, dir)
	ctx := labtest.RunAll(t, chromium, server.Server, lecture)
	saved := labtest.WaitUntilRun(ctx, t, filepath.Join(dir, lecture), cells)
	figures := labtest.Check(ctx, t, saved)
	t.Logf("%d code cells run, %d figures", cells, figures)
	server.end(t)
}

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
