package kernel

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
)

// BenchmarkCell executes a cell after an edit on two kernels, one after the other: one has the
// builder, the other leaves all to the go command. It reports the medians of the times from the
// request to idle, and their ratio; for "first" from the start of the kernel to the end of its first
// cell, less the same for a cell with no Go.
func BenchmarkCell(b *testing.B) {
	hello := "import \"fmt\"\n\n%%%%\nfmt.Println(\"hello\", %d)"
	figure := "import \"marginalia/plotting\"\n\n%%%%\nplotting.Show(\"line\", plotting.New(\"line\", plotting.Line([]float64{1, 2}, []float64{1, %d})))"
	var said []string
	spec := must.Get(Spec(b.Context(), repotest.Root(b), setuptest.Steps(&said))).Or(b)
	spec.Dir = b.TempDir()
	kernels := []string{"builder", "off"}
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
	report := func(b *testing.B, took [2][]time.Duration) {
		var median [2]float64
		for i, name := range kernels {
			slices.Sort(took[i])
			median[i] = took[i][len(took[i])/2].Seconds()
			b.ReportMetric(median[i], "s("+name+")")
		}
		b.ReportMetric(median[0]/median[1], "ratio")
		b.ReportMetric(0, "ns/op")
	}
	for _, c := range []struct{ name, code string }{{"hello", hello}, {"figure", figure}} {
		b.Run(c.name, func(b *testing.B) {
			var took [2][]time.Duration
			var running [2]*jupyter.Kernel
			for i, name := range kernels {
				running[i] = start(name)
				defer running[i].Shutdown()
				execute(running[i], fmt.Sprintf(c.code, 0))
			}
			for n := 1; b.Loop(); n++ {
				for i, k := range running {
					took[i] = append(took[i], execute(k, fmt.Sprintf(c.code, n)))
				}
			}
			report(b, took)
		})
	}
	b.Run("first", func(b *testing.B) {
		var took [2][]time.Duration
		for n := 0; b.Loop(); n++ {
			for i, name := range kernels {
				k := start(name)
				took[i] = append(took[i], execute(k, fmt.Sprintf(hello, n)))
				k.Shutdown()
			}
		}
		report(b, took)
	})
}
