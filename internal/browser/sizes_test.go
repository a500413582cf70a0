//go:build browser

package browser_test

import (
	"slices"
	"testing"

	"marginalia/internal/browser/manifest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestSizes holds what a page loads, from an empty cache, to 10 MB until a first cell prints and 22 MB
// until a first figure: at 10 Mbit/s that is 8 and 18 seconds.
func TestSizes(t *testing.T) {
	tier.Browser(t)
	m := serve(t).m
	for _, tt := range []struct {
		what    string
		imports []string
		most    int64
	}{
		{"hello, world", []string{"flag", "fmt"}, 10_000_000},
		{"the README's figure", []string{"flag", "fmt", "gonum.org/v1/gonum/mat", "log", "marginalia/mlkit/perceptron", "marginalia/plotting"}, 22_000_000},
	} {
		size := int64(110_000)                                       // the manifest and the scripts
		for _, name := range []string{"compile", "link", "kernel"} { // complete is loaded by the first that asks for names
			size += m.Tools[name].Size
		}
		for _, path := range tt.imports {
			size += m.Packages[path].Export.Size
		}
		objects := map[string]bool{}
		for _, path := range must.Get(m.Closure(append(tt.imports, "runtime")...)).Or(t) {
			objects[m.Packages[path].Object.Name] = true
			size += m.Packages[path].Object.Size
		}
		for _, b := range m.Bundles {
			if slices.ContainsFunc(b.Parts, func(p manifest.Part) bool { return objects[p.Name] }) {
				size += b.Size
			}
		}
		t.Logf("%s: %.2f MB", tt.what, float64(size)/1e6)
		if size > tt.most {
			t.Errorf("%s takes %d bytes, want at most %d", tt.what, size, tt.most)
		}
	}
	t.Logf("compile %.2f MB, link %.2f MB, kernel %.2f MB, complete %.2f MB, %d packages", float64(m.Tools["compile"].Size)/1e6, float64(m.Tools["link"].Size)/1e6,
		float64(m.Tools["kernel"].Size)/1e6, float64(m.Tools["complete"].Size)/1e6, len(m.Packages))
}
