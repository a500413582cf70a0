package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
)

// BenchmarkLecture times the first lecture three ways, in turn: executed on
// the kernel by nbclient, as Jupyter does; as Go tests when nothing has
// changed; as Go tests after a change in one cell. It reports the medians in
// seconds and how many times faster than nbclient the tests are. The build
// cache is warm in all three.
//
//	go run . lab                                      once, for .venv
//	go test ./notebooks -run '^$' -bench Lecture -benchtime 7x
func BenchmarkLecture(b *testing.B) {
	root := repotest.Root(b)
	execute := filepath.Join(root, ".venv", "bin", "jupyter-execute") // nbclient's command
	if _, err := os.Stat(execute); err != nil {
		b.Fatal("there is no .venv: start `go run . lab` once")
	}
	const lecture = "01-perceptron.ipynb"
	nb := nbtest.Read(b, lecture)
	dir := b.TempDir()
	nbclient := func() *exec.Cmd {
		return exec.Command(execute, "--output", filepath.Join(dir, "executed"), lecture)
	}
	goTest := func(pkg string) *exec.Cmd {
		return exec.Command("go", "test", "-count=1", pkg)
	}
	const pkg = "./celltests/01-perceptron"
	// The edited lecture stands in a folder of its own, with a copy of its package.
	edited := must.Get(os.MkdirTemp(root, "_edited-")).Or(b)
	defer os.RemoveAll(edited)
	editedPkg := filepath.Join(edited, pkg)
	must.Do(b, os.CopyFS(editedPkg, os.DirFS(pkg)))
	must.Do(b, os.Symlink(filepath.Join(root, "notebooks", "figures.sum"), filepath.Join(edited, "figures.sum")))
	edit := func(n int) {
		for _, c := range nb.Cells {
			if c.Type == "code" {
				c.Source += "\n// edit " + strings.Repeat("i", n)
				break
			}
		}
		nbtest.Write(b, nb, filepath.Join(edited, lecture))
	}
	took := func(cmd *exec.Cmd) float64 {
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
		return time.Since(start).Seconds()
	}

	var kernel, tests, afterEdit []float64
	edit(0)
	took(goTest(pkg)) // warm up
	took(goTest(editedPkg))
	for i := 1; b.Loop(); i++ {
		kernel = append(kernel, took(nbclient()))
		tests = append(tests, took(goTest(pkg)))
		edit(i)
		afterEdit = append(afterEdit, took(goTest(editedPkg)))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(kernel), "s/nbclient")
	b.ReportMetric(median(tests), "s/go-test")
	b.ReportMetric(median(afterEdit), "s/go-test-after-edit")
	b.ReportMetric(median(kernel)/median(tests), "×faster")
	b.ReportMetric(median(kernel)/median(afterEdit), "×faster-after-edit")
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// BenchmarkEdited tests a lecture and solutions of exercises after an edit, with the builder and with
// MARGINALIA_BUILDER=off, in turn. It reports the medians in seconds, and their ratio.
//
//	go test ./notebooks -run '^$' -bench Edited -benchtime 5x
func BenchmarkEdited(b *testing.B) {
	root := repotest.Root(b)
	marginalia := filepath.Join(b.TempDir(), "marginalia")
	if out, err := exec.Command("go", "build", "-o", marginalia, root).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"01-perceptron.ipynb", "solutions/01-perceptron.ipynb"} {
		b.Run(strings.TrimSuffix(name, ".ipynb"), func(b *testing.B) {
			nb := nbtest.Read(b, name)
			dir := must.Get(os.MkdirTemp(root, "_edited-")).Or(b)
			defer os.RemoveAll(dir)
			file := filepath.Join(dir, filepath.Base(name))
			builders := []string{"on", "off"}
			var took [2][]float64
			for n := 0; b.Loop(); n++ {
				for i, builder := range builders {
					nb.Cells[slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.Type == "code" })].Source += "\n// " + builder
					nbtest.Write(b, nb, file)
					cmd := exec.Command(marginalia, "test", file)
					cmd.Env = append(os.Environ(), "MARGINALIA_ROOT="+root, "MARGINALIA_BUILDER="+builder)
					start := time.Now()
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v\n%s", err, out)
					}
					if n > 0 { // the first learns
						took[i] = append(took[i], time.Since(start).Seconds())
					}
				}
			}
			if len(took[0]) == 0 {
				return // package testing's trial
			}
			for i, builder := range builders {
				b.ReportMetric(median(took[i]), "s("+builder+")")
			}
			b.ReportMetric(median(took[0])/median(took[1]), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
