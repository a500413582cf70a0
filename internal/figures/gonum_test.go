package figures

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"marginalia/internal/nbformat"
	"marginalia/internal/owncache"
)

// A plot of gonum/plot that a cell shows is collected under its name in all formats, with
// the same bytes the next time.
func TestCollectAPlotOfGonum(t *testing.T) {
	owncache.Use(t)
	cell := &nbformat.Cell{ID: "own", Type: "code", Metadata: map[string]any{}, Source: `import "gonum.org/v1/plot"

%%
p := plot.New()
p.Title.Text = "A plot of one's own"
p.Add(plotting.Line(nil, []float64{1, 3, 2}))
plotting.Show("own", p)
`}
	file := notebook(t, t.TempDir(), cell)
	var first [][]byte
	for range 2 {
		dir := t.TempDir()
		c := collect(t, dir, Options{}, file)
		if got := names(c); !slices.Equal(got, []string{"own"}) {
			t.Fatalf("figures %v, want own", got)
		}
		var written [][]byte
		for _, f := range []struct{ ending, begin string }{{"png", "\x89PNG"}, {"svg", "<svg "}, {"pdf", "%PDF-"}} {
			data, err := os.ReadFile(filepath.Join(dir, "own."+f.ending))
			if err != nil || !bytes.HasPrefix(data, []byte(f.begin)) {
				t.Fatalf("own.%s begins with %.8q (%v), want %q", f.ending, data, err, f.begin)
			}
			written = append(written, data)
		}
		if first != nil && !slices.EqualFunc(written, first, bytes.Equal) {
			t.Error("the files differ from those written before")
		}
		first = written
	}
}
