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
