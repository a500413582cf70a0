package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
)

// The weights of many samples equal those of each pair, up to the documented error and
// that of math.Exp (less than 1 ulp). Their product with a vector equals the plain one.
func TestFullWeightsOfMany(t *testing.T) {
	testkit.Long(t)
	const n, gamma = 2021, 0.7
	X := blobs(n, 3, 4)
	X.Set(5, 1, 300) // too far from all others for a link
	f := testkit.Try(gaussianWeights(context.Background(), X, gamma)).Or(t)
	r := rand.New(rand.NewPCG(4, 0))
	x, got := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	f.mul(got, x)
	for i := range n {
		sum, size := 0.0, 0.0
		for j, w := range f.row(i) {
			exponent := gamma * squaredDistance(X.RawRowView(i), X.RawRowView(j))
			want := math.Exp(-exponent)
			switch {
			case i == j || exponent > 708:
				want = 0
			case exponent > 707.9:
				continue // may be 0 or not
			}
			if math.Abs(w-want) > (7+2*exponent)*0x1p-53*want {
				t.Fatalf("weight of %d and %d: %v, want %v", i, j, w, want)
			}
			sum += w * x[j]
			size += math.Abs(w * x[j])
		}
		if math.Abs(got[i]-sum) > 2*n*0x1p-53*size { // Higham, section 3.1, for each of the sums
			t.Fatalf("product %d: %v, want %v", i, got[i], sum)
		}
	}
	if f.row(5)[6] != 0 {
		t.Errorf("a sample far away has a weight %v", f.row(5)[6])
	}
}

// The clusters do not depend on whether there are enough samples for the vector code:
// half of the samples, clustered by the plain code, get the same clusters as among all.
func TestSpectralOfMany(t *testing.T) {
	testkit.Long(t)
	X := moons(2200)
	all := testkit.Try(Spectral{K: 2, Gamma: 50}.Fit(X)).Or(t)
	half := testkit.Try(Spectral{K: 2, Gamma: 50}.Fit(mat.DenseCopyOf(X.Slice(0, 1100, 0, 2)))).Or(t)
	for i, label := range half.Labels {
		if all.Labels[i] != label {
			t.Fatalf("sample %d is in cluster %d of half the samples and in %d of all", i, label, all.Labels[i])
		}
	}
}
