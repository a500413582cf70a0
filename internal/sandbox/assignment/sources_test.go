package assignment

import (
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// Without assembly a package has the files that a guest has, on all systems. The rounding functions, which WebAssembly has
// instructions for, are exact.
func TestSources(t *testing.T) {
	host := build.Default
	t.Cleanup(func() { build.Default = host })
	guest := host
	guest.GOARCH = "wasm"
	for _, dir := range []string{filepath.Join(host.GOROOT, "src", "math"), "../../../mlkit/internal/simd"} {
		files := must.Get(os.ReadDir(dir)).Or(t)
		want := map[string]bool{}
		for _, f := range files {
			if is, err := guest.MatchFile(dir, f.Name()); err != nil {
				t.Fatal(err)
			} else if is && !strings.HasSuffix(f.Name(), "_test.go") && filepath.Ext(f.Name()) != ".md" {
				want[f.Name()] = true
			}
		}
		for _, exact := range []string{"floor_asm.go", "floor_wasm.s"} {
			if want[exact] {
				delete(want, exact)
				want["floor_noasm.go"] = true
			}
		}
		for _, arch := range []string{"386", "amd64", "arm64", "loong64", "ppc64le", "riscv64", "s390x"} {
			build.Default.GOARCH = arch
			replace := map[string]string{}
			must.Do(t, withoutAssembly(dir, t.TempDir(), replace))
			got := map[string]bool{}
			for _, f := range files {
				to, replaced := replace[filepath.Join(dir, f.Name())]
				here := must.Get(build.Default.MatchFile(dir, f.Name())).Or(t)
				if here && !replaced && !strings.HasSuffix(f.Name(), "_test.go") || to != "" {
					got[f.Name()] = true
				}
				if to == "" {
					continue
				}
				if is, err := build.Default.MatchFile(filepath.Split(to)); err != nil || !is {
					t.Errorf("%s: %s is not compiled (%v)", arch, to, err)
				}
			}
			if g, w := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(g, w) {
				t.Errorf("%s on %s has %v, a guest has %v", dir, arch, g, w)
			}
		}
	}
}
