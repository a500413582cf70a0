package datasets

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// three is a small data set with three classes.
func three() *Dataset {
	return &Dataset{
		Name:     "three",
		X:        mat.NewDense(5, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
		Y:        []int{7, 0, 7, 3, 0},
		Labels:   []int{0, 3, 7},
		Classes:  []string{"zero", "three", "seven"},
		Features: []string{"even", "odd"},
	}
}

// want compares X (row by row) and Y with the wanted values.
func want(t *testing.T, d *Dataset, x []float64, y []int) {
	t.Helper()
	rows, cols := d.X.Dims()
	if rows != len(y) || !slices.Equal(d.Y, y) {
		t.Fatalf("labels %v of %d rows, want %v", d.Y, rows, y)
	}
	if !mat.Equal(d.X, mat.NewDense(rows, cols, x)) {
		t.Fatalf("X =\n%v, want %v", mat.Formatted(d.X), x)
	}
}

func TestSelections(t *testing.T) {
	d := three()
	want(t, Must(d.Subset([]int{4, 0, 4})), []float64{8, 9, 0, 1, 8, 9}, []int{0, 7, 0})
	want(t, Must(d.Head(2)), []float64{0, 1, 2, 3}, []int{7, 0})
	want(t, Must(d.Select(3, 0)), []float64{2, 3, 6, 7, 8, 9}, []int{0, 3, 0})

	c := Must(d.Columns(1, 0))
	want(t, c, []float64{1, 0, 3, 2, 5, 4, 7, 6, 9, 8}, d.Y)
	if !slices.Equal(c.Features, []string{"odd", "even"}) {
		t.Errorf("Features %q", c.Features)
	}

	b := Must(d.Binary(7, 3))
	want(t, b, []float64{0, 1, 4, 5, 6, 7}, []int{-1, -1, +1})
	if b.Class(-1) != "seven" || b.Class(+1) != "three" || b.Count(-1) != 2 {
		t.Errorf("classes %q with labels %v, %d of -1", b.Classes, b.Labels, b.Count(-1))
	}
	if d.Class(3) != "three" || d.Class(4) != "4" {
		t.Errorf("Class(3) = %q, Class(4) = %q", d.Class(3), d.Class(4))
	}
	want(t, d, three().X.RawMatrix().Data, three().Y) // nothing above has changed it
}

// MNIST is too big to copy if no sample is left out.
func TestBinarySharesX(t *testing.T) {
	d := Must(three().Select(0, 7))
	if b := Must(d.Binary(0, 7)); b.X != d.X {
		t.Error("X was copied")
	} else if slices.Equal(b.Y, d.Y) {
		t.Error("the labels are still those of d")
	}
}

func TestSplit(t *testing.T) {
	d := Iris()
	a, b, err := d.Split(1, 100)
	if err != nil {
		t.Fatal(err)
	}
	if a.Len() != 100 || b.Len() != 50 {
		t.Fatalf("parts of %d and %d", a.Len(), b.Len())
	}
	// Each sample is in exactly one part, so the column sums add up.
	for j := range 4 {
		whole := mat.Sum(d.X.ColView(j))
		if parts := mat.Sum(a.X.ColView(j)) + mat.Sum(b.X.ColView(j)); parts < whole-1e-9 || parts > whole+1e-9 {
			t.Errorf("column %d: sums %v and %v", j, parts, whole)
		}
	}
	for y := range 3 {
		if a.Count(y)+b.Count(y) != 50 {
			t.Errorf("class %d: %d and %d samples", y, a.Count(y), b.Count(y))
		}
	}
	again, _, _ := d.Split(1, 100)
	other, _, _ := d.Split(2, 100)
	if !mat.Equal(a.X, again.X) || mat.Equal(a.X, other.X) {
		t.Error("the seed does not decide the split")
	}
}

// Every cell that imports this package links all of it. With net/http that would take a
// quarter of a second longer.
func TestLinksNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "gonum.org/v1/gonum/mat") {
		t.Fatalf("go list -deps gave %q", deps)
	}
	for _, dep := range deps {
		if dep == "net" || dep == "net/http" || dep == "crypto/tls" || strings.HasPrefix(dep, "marginalia/mlkit") {
			t.Errorf("datasets imports %s", dep)
		}
	}
}
