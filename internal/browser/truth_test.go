//go:build browser

package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

func TestMain(m *testing.M) {
	celltest.StarterMain()
	os.Exit(m.Run())
}

// truthDiffers are the cells that mean something else in a page, with the reason.
var truthDiffers = map[string]string{
	"errors/signal":                  "a program in a page can't kill itself: its goroutines sleep",
	"display/shared":                 shared,
	"display/update-earlier":         shared,
	"hazards/blank-imports":          noPackage,
	"hazards/another-blank-import":   noPackage,
	"hazards/generic-values":         "the line in GoNB's file, which has two imports less than on this computer",
	"programs/goflags":               "it says that flags change nothing",
	"programs/stdin":                 "in a page somebody can type: here the input ends without a word",
	"programs/magic":                 noShell,
	"programs/shell":                 noShell,
	"programs/declared-beside-shell": noShell,
	"race/flags":                     "it says that flags change nothing",
	"race/race":                      "there is no race detector for WebAssembly",
	"tests/vetted":                   noVet,
	"tests/vetted-wrapper":           noVet,
	"tests/example-of-nothing":       noVet,
	"tests/with-main":                "a page refuses TestMain",
}

const (
	noPackage = "a page has no packages that serve by HTTP"
	shared    = "outputs.js replaces what an earlier cell has shown, see TestOutputs; here each cell is looked at by itself"
	noShell   = "a page has no shell, and no test of cells on this computer runs one"
	noVet     = "go vet does not read %test cells in a page"
)

// TestTruth runs the notebooks with which TestTruth of package export holds exported programs to GoNB's kernel,
// and compares a page with these programs: what holds for both holds on the kernel.
func TestTruth(t *testing.T) {
	tier.Browser(t)
	tier.Long(t)
	root, address, browser := repotest.Root(t), serve(t).address, labtest.Chromium(t, labtest.OneProcess)
	files := must.Get(filepath.Glob(filepath.Join(root, "internal", "gotest", "export", "testdata", "truth", "*.ipynb"))).Or(t)
	if len(files) < 10 {
		t.Fatal(files)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nb := must.Get(nbformat.Read(file)).Or(t)
			if nb.Language() != "go" {
				t.Skip("it is not Go")
			}
			b := must.Get(built.Notebook(t.Context(), file, root)).Or(t)
			t.Cleanup(func() { must.Do(t, b.Close()) })
			k := openIn(t, browser, address)
			if notes := must.Get(filepath.Glob(filepath.Join(filepath.Dir(file), "sub", "*"))).Or(t); name == "programs" || name == "files" { // the folders that are there
				k.execute(fmt.Sprintf("%%%%\nos.Mkdir(\"sub\", 0o755)\nos.WriteFile(\"sub/note.txt\", []byte(%q), 0o644)", must.Get(os.ReadFile(notes[0])).Or(t)))
			}
			for _, c := range b.Notebook.Cells {
				if c.Type != "code" || c.HasTag("skip-execution") {
					continue
				}
				k.run(t, c.ID, func() { k.same(name+"/"+c.ID, filepath.Dir(file), c, b.Run(k.t.Context(), c.ID)) })
			}
		})
	}
}

// same compares a cell in the page with its program on this computer.
func (k *kernel) same(name, dir string, c *nbformat.Cell, here celltest.Result) {
	k.t.Helper()
	e := k.execute(c.Source)
	var differs []string
	if here.Skipped != "" {
		differs = append(differs, here.Skipped)
	}
	if e.OK == outputs.Raises(c) && here.Skipped == "" {
		differs = append(differs, fmt.Sprintf("it ended well: %v\n%s", e.OK, e.failure()))
	}
	if here.Skipped == "" {
		for i := range here.Outputs { // the notebook lies elsewhere
			here.Outputs[i].Text = strings.ReplaceAll(here.Outputs[i].Text, dir, "/notebooks")
		}
		for _, d := range outputs.Compare(here.Outputs, e.Outputs, must.Get(outputs.OptionsOf(c)).Or(k.t)) {
			differs = append(differs, d.String())
		}
	}
	switch reason, ok := truthDiffers[name]; {
	case ok && len(differs) == 0:
		k.t.Errorf("it is as on this computer; in the list stands: %s", reason)
	case ok:
		k.t.Logf("%s\n%s", reason, strings.Join(differs, "\n"))
	default:
		for _, d := range differs {
			k.t.Error(d)
		}
	}
}
