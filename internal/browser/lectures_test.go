//go:build browser

package browser_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestLectures runs every cell of the lectures, and of the solutions of their exercises, in Chromium and compares its outputs with those that the
// kernel stored: a cell means the same in all surroundings. What a cell lacks in a page is skipped.
func TestLectures(t *testing.T) {
	tier.Browser(t)
	tier.Long(t)
	root, address, browser := repotest.Root(t), serve(t).address, labtest.Chromium(t, labtest.OneProcess)
	solutions := must.Get(filepath.Glob(filepath.Join(root, "notebooks", "solutions", "*.ipynb"))).Or(t)
	for _, file := range append(must.Get(repo.Lectures(root)).Or(t), solutions...) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			t.Parallel()
			nb := must.Get(nbformat.Read(file)).Or(t)
			var k *kernel
			for _, c := range nb.Cells {
				if c.Type != "code" {
					continue
				}
				if k == nil {
					k = openIn(t, browser, address)
				}
				k.run(t, c.ID, func() { k.compare(c) })
			}
		})
	}
}

// figuresDiffer are cells whose figures show numbers for which their text has a tolerance: math.Exp is
// assembly on amd64, and rounds some values in another way than the Go code that WebAssembly gets.
var figuresDiffer = []string{"fit-cost-curve"}

// compare executes a cell and compares.
func (k *kernel) compare(c *nbformat.Cell) {
	k.t.Helper()
	if needs, ok := c.Setting("needs"); ok {
		k.execute(c.Source) // others may call what it declares
		k.t.Skipf("it needs %v", needs)
	}
	if c.HasTag("skip-execution") || c.HasTag("nbval-skip") {
		k.t.Skip("its tags have it skipped")
	}
	how := must.Get(outputs.OptionsOf(c)).Or(k.t)
	begin := time.Now()
	e := k.execute(c.Source)
	k.t.Logf("%.2f s", time.Since(begin).Seconds())
	if e.OK == outputs.Raises(c) {
		k.t.Errorf("it ended well: %v\n%s", e.OK, e.failure())
	}
	for _, d := range outputs.Compare(c.Outputs, e.Outputs, how) {
		if slices.Contains(figuresDiffer, c.ID) && strings.HasPrefix(d.What, "display ") {
			k.t.Log(d)
			continue
		}
		k.t.Error(d)
	}
}
