package figures

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// fromLecture returns the source of a lecture's cell.
func fromLecture(t *testing.T, lecture, id string) string {
	t.Helper()
	nb := nbtest.Read(t, filepath.Join("../../../notebooks", lecture))
	for _, c := range nb.Cells {
		if c.ID == id {
			return c.Source
		}
	}
	t.Fatalf("%s has no cell %s", lecture, id)
	return ""
}

// The comparison of figures finds an edit of a lecture's figure, on the machine that
// recorded it and elsewhere, and so does the comparison of cells. Neither reports what
// rounding moves on another processor.
func TestChangesOfLectureFigures(t *testing.T) {
	owncache.Use(t)
	tier.Long(t)
	const (
		points = "02-least-squares.ipynb#ten-points#ten-points"
		show   = "plotting.Show("
	)
	cases := []struct {
		name, figure, old, new string
		changed                bool
	}{
		{"as-it-was", points, "", "", false},
		{"a-marker-less", points, show, "ten.X, ten.Y = mat.DenseCopyOf(ten.X.Slice(0, 9, 0, 2)), ten.Y[:9]\n" + show, true},
		// Its range of 0.9 is about 650 pixels wide: 0.002 is one of them.
		{"a-marker-moved", points, show, "ten.X.Set(4, 0, ten.X.At(4, 0)+0.002)\n" + show, true},
		{"a-letter-less", points, "two classes", "two classe", true},
		{"another-sign", points, "ω₂ (−1)", "ω₂ (+1)", true},
		{"points-by-an-ulp", points, show, "for i := range ten.Y {\n\tfor j := range 2 {\n\t\tten.X.Set(i, j, math.Nextafter(ten.X.At(i, j), float64(1-2*(i%2))))\n\t}\n}\n" + show, false},
	}
	write := func(edited bool, stored map[string][]nbformat.Output) string {
		file := notebook(t, t.TempDir())
		nb := nbtest.Read(t, file)
		put := func(id, source string) {
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: id, Type: "code", Source: source, Metadata: map[string]any{}, Outputs: stored[id]})
		}
		put("more-imports", "import (\n\t\"errors\"\n\t\"fmt\"\n\t\"log\"\n\t\"math\"\n\t\"strings\"\n\n\t\"gonum.org/v1/gonum/mat\"\n\n"+
			"\t\"marginalia/datasets\"\n\t\"marginalia/mlkit\"\n\t\"marginalia/mlkit/eval\"\n\t\"marginalia/mlkit/perceptron\"\n)")
		for _, id := range []string{"must", "score"} {
			put(id, fromLecture(t, "01-perceptron.ipynb", id))
		}
		for _, tt := range cases {
			part := strings.Split(tt.figure, "#")
			source := strings.Replace(fromLecture(t, part[0], part[1]), `"`+part[2]+`"`, `"`+tt.name+`"`, 1)
			if edited && tt.old != "" {
				if strings.Count(source, tt.old) != 1 {
					t.Fatalf("%s: %s#%s has not once %q:\n%s", tt.name, part[0], part[1], tt.old, source)
				}
				source = strings.Replace(source, tt.old, tt.new, 1)
			}
			put(tt.name, source)
		}
		nbtest.Write(t, nb, file)
		return file
	}
	root := repotest.Root(t)
	execute := func(file string) map[string]celltest.Result {
		b := must.Get(built.Notebook(t.Context(), file, root)).Or(t)
		defer b.Close()
		results := map[string]celltest.Result{}
		for _, tt := range cases {
			results[tt.name] = b.Run(t.Context(), tt.name)
		}
		return results
	}

	// As the lectures draw them, recorded here.
	before := write(false, nil)
	stored := map[string][]nbformat.Output{}
	for id, r := range execute(before) {
		if len(r.Failures) > len(r.Differences) {
			t.Fatalf("%s: %q", id, r.Failures)
		}
		stored[id] = r.Outputs
	}
	o := Options{Formats: []string{"svg", "png"}}
	dir, sums := t.TempDir(), filepath.Join(t.TempDir(), "figures.sum")
	must.Do(t, collect(t, dir, o, before).WriteSums(sums))
	recorded := testfile.Read(t, sums)
	if !strings.Contains(recorded, drawnHead+runtime.GOARCH) {
		t.Fatalf("the sums do not say where they were recorded:\n%s", recorded)
	}

	// Edited.
	after := write(true, stored)
	dir = t.TempDir()
	c := collect(t, dir, o, after)
	verdicts := func(head string) map[string]string {
		lines := strings.SplitAfter(recorded, "\n")
		lines[1] = head
		testfile.Write(t, sums, strings.Join(lines, ""))
		changes := must.Get(c.Check(sums, true)).Or(t)
		why := map[string]string{}
		for _, ch := range changes {
			why[ch.Name] = ch.Why
		}
		return why
	}
	here := verdicts(strings.SplitAfter(recorded, "\n")[1])
	elsewhere := verdicts(drawnHead + "abacus, go1.26, off\n")
	results := execute(after)
	for _, tt := range cases {
		cell := ""
		for _, d := range results[tt.name].Differences {
			if strings.Contains(d.What, "image/png") {
				cell = d.String()
			}
		}
		for where, why := range map[string]string{"figures, on the machine that recorded them": here[tt.name],
			"figures, elsewhere": elsewhere[tt.name], "the comparison of the cell": cell} {
			if changed := why != ""; changed != tt.changed {
				t.Errorf("%s: %s says changed %v (%q), want %v", tt.name, where, changed, why, tt.changed)
			}
		}
	}
}
