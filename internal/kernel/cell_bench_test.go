package kernel

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// builders are the values of MARGINALIA_BUILDER that are compared.
var builders = []string{"on", "off"}

// reportRatio reports the medians of times with and without the builder, and their ratio.
func reportRatio(b *testing.B, took [2][]time.Duration) {
	var median [2]float64
	for i, name := range builders {
		slices.Sort(took[i])
		median[i] = took[i][len(took[i])/2].Seconds()
		b.ReportMetric(median[i], "s("+name+")")
	}
	b.ReportMetric(median[0]/median[1], "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCell executes a cell after an edit on two kernels, one after the other: one has the
// builder, the other leaves all to the go command. It reports the medians of the times from the
// request to idle, and their ratio; for "first" from the start of the kernel to the end of its first
// cell, less the same for a cell with no Go.
func BenchmarkCell(b *testing.B) {
	hello := "import \"fmt\"\n\n%%%%\nfmt.Println(\"hello\", %d)"
	figure := "import \"marginalia/plotting\"\n\n%%%%\nplotting.Show(\"line\", plotting.New(\"line\", plotting.Line([]float64{1, 2}, []float64{1, %d})))"
	test := "%%%%test\nimport \"marginalia/mlkit/perceptron\"\n\nfunc TestZero(t *testing.T) {\n\tif m, err := (perceptron.Perceptron{}).Fit(nil, nil); err == nil {\n\t\tt.Error(m, %d)\n\t}\n}"
	var said []string
	spec := must.Get(Spec(b.Context(), repotest.Root(b), setuptest.Steps(&said))).Or(b)
	spec.Dir = b.TempDir()
	start := func(name string) *jupyter.Kernel {
		s := spec
		s.Env = slices.Concat(spec.Env, []string{"MARGINALIA_BUILDER=" + name})
		return must.Get(jupyter.Start(context.Background(), s)).Or(b)
	}
	execute := func(k *jupyter.Kernel, code string) time.Duration {
		begin := time.Now()
		if r, err := k.Execute(b.Context(), code); err != nil || r.Failed {
			b.Fatal(err, r)
		}
		return time.Since(begin)
	}
	for _, c := range []struct{ name, code string }{{"hello", hello}, {"figure", figure}, {"test", test}} {
		b.Run(c.name, func(b *testing.B) {
			var took [2][]time.Duration
			var running [2]*jupyter.Kernel
			for i, name := range builders {
				running[i] = start(name)
				defer running[i].Shutdown()
				execute(running[i], fmt.Sprintf(c.code, 0))
			}
			for n := 1; b.Loop(); n++ {
				for i, k := range running {
					took[i] = append(took[i], execute(k, fmt.Sprintf(c.code, n)))
				}
			}
			reportRatio(b, took)
		})
	}
	b.Run("first", func(b *testing.B) {
		var took [2][]time.Duration
		for n := 0; b.Loop(); n++ {
			for i, name := range builders {
				k := start(name)
				took[i] = append(took[i], execute(k, fmt.Sprintf(hello, n)))
				k.Shutdown()
			}
		}
		reportRatio(b, took)
	})
}

// BenchmarkRunAll executes all cells of lectures on a new kernel, which gets their requests at once
// as from "Run All" in JupyterLab, with the builder and without.
func BenchmarkRunAll(b *testing.B) {
	root := repotest.Root(b)
	var said []string
	spec := must.Get(Spec(b.Context(), root, setuptest.Steps(&said))).Or(b)
	spec.Dir = filepath.Join(root, "notebooks")
	for _, name := range []string{"01-perceptron", "04-margins"} {
		nb := must.Get(nbformat.Read(filepath.Join(spec.Dir, name+".ipynb"))).Or(b)
		b.Run(name, func(b *testing.B) {
			var took [2][]time.Duration
			for b.Loop() {
				for i, builder := range builders {
					s := spec
					s.Env = slices.Concat(spec.Env, []string{"MARGINALIA_BUILDER=" + builder})
					took[i] = append(took[i], runAll(b, s, nb))
				}
			}
			reportRatio(b, took)
		})
	}
}

func runAll(b *testing.B, spec jupyter.Spec, nb *nbformat.Notebook) time.Duration {
	k := must.Get(jupyter.Open(context.Background(), spec)).Or(b)
	defer k.Shutdown()
	begin := time.Now()
	waiting := map[string]string{}
	for _, c := range nb.Cells {
		if c.Type == "code" {
			content := map[string]any{"code": c.Source, "silent": false, "store_history": true, "stop_on_error": false, "user_expressions": struct{}{}, "allow_stdin": false}
			waiting[must.Get(k.Request(jupyter.Shell, "execute_request", content)).Or(b)] = c.ID
		}
	}
	for len(waiting) > 0 {
		select {
		case m := <-k.Messages:
			if m.Header.Type == "execute_reply" {
				delete(waiting, m.Parent.ID)
			}
		case <-k.Ended():
			b.Fatal(k.Death())
		}
	}
	return time.Since(begin)
}
