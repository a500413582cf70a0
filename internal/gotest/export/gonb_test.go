package export_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

var digits = regexp.MustCompile(`\d+`)

// TestGoNBNotebooks runs notebooks of GoNB's own, from its module, both ways: what
// runs as a test does what it does on the kernel. A cell with a shell line is sent
// nowhere: the one for Colab replaces the machine's Go. Nor is one whose module
// go.mod does not require, which the kernel would fetch.
func TestGoNBNotebooks(t *testing.T) {
	tier.Kernel(t)
	spec, root := needKernel(t)
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/janpfeifer/gonb")
	list.Dir = root
	dir := must.Get(list.Output()).Or(t)
	// How many of its code cells run here, without those of testify's require: of 32, 9 and 7.
	for name, want := range map[string]int{"tutorial.ipynb": 18, "tests/gotest.ipynb": 6, "google_colab_demo.ipynb": 2} {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".ipynb"), func(t *testing.T) {
			text := testfile.Read(t, filepath.Join(strings.TrimSpace(string(dir)), "examples", name))
			file := filepath.Join(t.TempDir(), filepath.Base(name))
			testfile.Write(t, file, text)
			b := build(t, file)
			ran, counted := map[string][]nbformat.Output{}, 0
			for _, c := range b.Notebook.Cells {
				if c.Type != "code" {
					continue
				}
				r := b.Run(t.Context(), c.ID)
				missing := len(r.Failures) > 0 && (strings.Contains(r.Failures[0], "whose module go.mod does not require") || strings.Contains(r.Failures[0], "a module is missing"))
				if r.Untestable || missing {
					c.Metadata = map[string]any{"tags": []any{"skip-execution"}}
					continue
				}
				ran[c.ID] = r.Outputs
				// Whether goimports finds what a cell uses and does not import depends on the cache of modules.
				if !strings.Contains(c.Source, "require.") {
					counted++
				}
			}
			if counted != want {
				t.Errorf("%d cells run, want %d", counted, want)
			}
			onKernel := execute(t, spec, file, b.Notebook)
			for _, c := range b.Notebook.Cells {
				if _, ok := ran[c.ID]; !ok {
					continue
				}
				o := must.Get(outputs.OptionsOf(c)).Or(t)
				for _, d := range outputs.Compare(withoutChance(onKernel[c.ID], o), withoutChance(ran[c.ID], o), o) {
					t.Errorf("%s: kernel (-) and exported program (+) differ: %v", c.ID, d)
				}
			}
		})
	}
}

// withoutChance returns outputs without what is random: numbers, save those of tests,
// which Compare knows, and figures, whose points are (rand.Seed has no effect since
// Go 1.24).
func withoutChance(outs []nbformat.Output, how outputs.Options) []nbformat.Output {
	var all []nbformat.Output
	for _, o := range outs {
		if !how.Timings {
			o.Text = digits.ReplaceAllString(o.Text, "#")
		}
		data := map[string]any{}
		for mime, v := range o.Data {
			if text, ok := v.(string); ok && (mime == "image/png" || strings.Contains(text, "<svg")) {
				v = "a figure"
			}
			data[mime] = v
		}
		o.Data = data
		all = append(all, o)
	}
	return all
}
