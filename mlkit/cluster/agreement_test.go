package cluster_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/cluster"
)

// From Manning, Raghavan and Schütze, Introduction to Information Retrieval, figure 16.4:
// 17 samples of three classes in three clusters. Purity = (5+4+3)/17.
var (
	manningClusters = []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3}
	manningClasses  = []int{'x', 'x', 'x', 'x', 'x', 'o', 'x', 'o', 'o', 'o', 'o', 'd', 'x', 'x', 'd', 'd', 'd'}
)

func ExamplePurity() {
	p, err := cluster.Purity(manningClusters, manningClasses)
	fmt.Printf("%.2f %v\n", p, err)
	// Output: 0.71 <nil>
}

func ExampleARI() {
	a, err := cluster.ARI([]int{0, 0, 1, 1}, []int{7, 7, -2, -2})
	fmt.Println(a, err)
	// Output: 1 <nil>
}

func TestARI(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want float64
	}{
		{[]int{0, 0, 1, 2}, []int{0, 0, 1, 1}, 4.0 / 7}, // scikit-learn's documentation: 0.57
		{[]int{0, 0, 0, 0}, []int{0, 1, 2, 3}, 0},       // scikit-learn's documentation
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5},    // by hand: Σ = 0, A = B = 2, E = 2/3
		{[]int{3, 3, 3}, []int{1, 1, 1}, 1},
		{[]int{1, 2, 3}, []int{4, 6, 5}, 1},
		{[]int{1}, []int{5}, 1},
		// In Manning's example Σ = 20, A = 40, B = 44, C(17, 2) = 136: the pairs that the
		// book counts as TP = 20, TP+FP = 40, TP+FN = 44.
		{manningClusters, manningClasses, (20 - 40*44/136.0) / (42 - 40*44/136.0)},
	} {
		for range 2 {
			got, err := cluster.ARI(c.a, c.b)
			if err != nil || math.Abs(got-c.want) > 1e-15 {
				t.Errorf("ARI(%v, %v) = %v, %v, want %v", c.a, c.b, got, err, c.want)
			}
			c.a, c.b = c.b, c.a
		}
	}
	// For chance agreement, the mean over random clusterings is 0.
	rng := rand.New(rand.NewPCG(1, 1))
	sum := 0.0
	const trials, n = 2000, 30
	for range trials {
		a, b := make([]int, n), make([]int, n)
		for i := range a {
			a[i], b[i] = rng.IntN(3), rng.IntN(4)
		}
		v, _ := cluster.ARI(a, b)
		sum += v
	}
	if mean := sum / trials; math.Abs(mean) > 0.005 {
		t.Errorf("the mean over random clusterings is %v, want about 0", mean)
	}
}

func TestAgreementRefuses(t *testing.T) {
	for _, f := range []func(a, b []int) (float64, error){cluster.ARI, cluster.Purity} {
		for _, c := range [][2][]int{{nil, nil}, {{1}, {1, 2}}} {
			if _, err := f(c[0], c[1]); err == nil {
				t.Errorf("%v and %v: no error", c[0], c[1])
			}
		}
	}
}
