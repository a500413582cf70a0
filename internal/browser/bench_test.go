//go:build browser

package browser_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What BenchmarkPage executes; %d is another number each time.
const (
	hello  = "%%%%\nfmt.Println(\"hello\", %d)"
	figure = "import \"marginalia/plotting\"\n\n%%%%\nplotting.Show(\"line\", plotting.New(\"line\", plotting.Line([]float64{1, 2}, []float64{1, %d})))"
	check  = "%%%%test\nimport \"marginalia/mlkit/perceptron\"\n\nfunc TestZero(t *testing.T) {\n\tif m, err := (perceptron.Perceptron{}).Fit(nil, nil); err == nil {\n\t\tt.Error(m, %d)\n\t}\n}"
)

// BenchmarkPage executes cells in Chromium, in browsers that have nothing ("first"), in another window of
// one that has it all ("visit"), and after an edit ("next"), and Python's hello world with Pyodide, whose
// core has no numpy and no matplotlib. It reports the medians of the times from the request to the end of
// the cell, with the start of the kernel for the first two, and what is loaded.
func BenchmarkPage(b *testing.B) {
	s := serve(b)
	for _, c := range []struct{ name, code string }{{"hello", hello}, {"figure", figure}, {"test", check}} {
		n := 0
		execute := func(k *kernel) time.Duration {
			n++
			return timed(func() {
				if e := k.execute(fmt.Sprintf(c.code, n)); !e.OK {
					b.Fatal(e.failure())
				}
			})
		}
		var kept *kernel
		b.Run(c.name+"/first", func(b *testing.B) {
			s.loaded()
			report(b, func() time.Duration {
				kept = asInPages(b, open(b, s.address))
				return execute(kept)
			})
			_, bytes := s.loaded()
			b.ReportMetric(float64(bytes)/1e6/float64(b.N), "MB")
		})
		b.Run(c.name+"/visit", func(b *testing.B) {
			browser := labtest.Chromium(b)
			execute(openIn(b, browser, s.address))
			report(b, func() time.Duration { return execute(asInPages(b, openIn(b, browser, s.address))) })
		})
		b.Run(c.name+"/next", func(b *testing.B) {
			k := asInPages(b, open(b, s.address))
			execute(k)
			report(b, func() time.Duration { return execute(k) })
		})
	}
	benchmarkPyodide(b)
}

// asInPages has a kernel that has not begun show figures as pages do.
func asInPages(b *testing.B, k *kernel) *kernel {
	b.Helper()
	labtest.Value[bool](k, b, `kernel.stills = false`)
	return k
}

func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

// report reports the median of what takes how long.
func report(b *testing.B, once func() time.Duration) {
	var took []time.Duration
	for b.Loop() {
		took = append(took, once())
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds(), "s")
	b.ReportMetric(0, "ns/op")
}

// benchmarkPyodide measures the same of Python's hello world. What is loaded counts as a site
// sends it, compressed with gzip.
func benchmarkPyodide(b *testing.B) {
	dir := filepath.Join(labtest.NPM(b, filepath.Join("testdata", "pyodide")), "node_modules", "pyodide")
	testfile.Write(b, filepath.Join(dir, "index.html"), `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Python in a page</title>`)
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		files.ServeHTTP(w, r)
	}))
	b.Cleanup(server.Close)
	n := 0
	execute := func(w context.Context) time.Duration {
		n++
		return timed(func() {
			want := fmt.Sprintf("hello %d", n)
			if got := labtest.Value[string](w, b, fmt.Sprintf(`(async () => {
				globalThis.python ??= await (await import("/pyodide.mjs")).loadPyodide({ stdout: (line) => { globalThis.said = line; } });
				python.runPython('print("hello", %d)');
				return said;
			})()`, n)); got != want {
				b.Fatalf("it prints %q, want %q", got, want)
			}
		})
	}
	b.Run("pyodide/first", func(b *testing.B) {
		report(b, func() time.Duration { return execute(openWindow(b, labtest.Chromium(b), server.URL)) })
		var size counter
		for _, name := range []string{"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"} {
			z := gzip.NewWriter(&size)
			must.Get(z.Write(must.Get(os.ReadFile(filepath.Join(dir, name))).Or(b))).Or(b)
			must.Do(b, z.Close())
		}
		b.ReportMetric(float64(size)/1e6, "MB")
	})
	b.Run("pyodide/visit", func(b *testing.B) {
		browser := labtest.Chromium(b)
		execute(openWindow(b, browser, server.URL))
		report(b, func() time.Duration { return execute(openWindow(b, browser, server.URL)) })
	})
	b.Run("pyodide/next", func(b *testing.B) {
		w := openWindow(b, labtest.Chromium(b), server.URL)
		execute(w)
		report(b, func() time.Duration { return execute(w) })
	})
}

// openWindow opens a page.
func openWindow(b *testing.B, browser context.Context, address string) context.Context {
	b.Helper()
	w := labtest.Window(b, browser)
	must.Do(b, chromedp.Do(w, chromedp.Navigate(address+"/index.html")))
	return w
}

// A counter counts bytes.
type counter int

func (c *counter) Write(data []byte) (int, error) {
	*c += counter(len(data))
	return len(data), nil
}
