package kernelized

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
)

// Linear PCA of any number of rows of real samples has the same variances as gonum's,
// which come from singular values. The Gram matrices have low rank and equal rows.
func TestPCARows(t *testing.T) {
	for name, X := range map[string]*mat.Dense{
		"iris":   datasets.Iris().X,
		"digits": datasets.Digits().X,
		// twenty columns of rank 10, on scales from 1e-3 to 1e3, like those of diabetes,
		// wine and breast cancer
		"scales": scalesMatrix(3, 160, 20),
	} {
		_, d := X.Dims()
		for m := 2; m <= 150; m += testkit.Size(t, 1+m/10, 1) {
			rows := X.Slice(0, m, 0, d).(*mat.Dense)
			got, err := PCA{Components: 5}.Fit(rows)
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, m, err)
				continue
			}
			var pc stat.PC
			if !pc.PrincipalComponents(rows, nil) {
				t.Fatalf("%s, %d rows: no principal components", name, m)
			}
			vars := pc.VarsTo(nil)
			floats.Scale(float64(m-1), vars)
			if total := floats.Sum(vars); math.Abs(got.Total-total) > 1e-12*total {
				t.Errorf("%s, %d rows: the total is %v, want %v", name, m, got.Total, total)
			}
			for c, v := range got.Eigenvalues {
				if math.Abs(v-vars[c]) > 1e-12*vars[0] {
					t.Errorf("%s, %d rows: value %d = %v, want %v", name, m, c, v, vars[c])
				}
			}
		}
	}
}

// A Gaussian so wide that most of its eigenvalues are rounding error still works.
func TestWideGaussian(t *testing.T) {
	for seed := range uint64(testkit.Size(t, 2, 30)) {
		k, X := kernel.RBF{Gamma: 0.001}, samples.Uniform(seed, 200, 2)
		if err := kernel.Mercer(k, X); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if m, err := (PCA{Kernel: k, Components: 5}).Fit(X); err != nil || m.Dim() != 5 {
			t.Errorf("seed %d: PCA: %v, %v", seed, m, err)
		}
		m, err := Nystroem{Kernel: k, Landmarks: 200}.Fit(X)
		if err != nil {
			t.Errorf("seed %d: Nystroem: %v", seed, err)
			continue
		}
		z := m.TransformSample(nil, X.RawRowView(0))
		if got := floats.Dot(z, z); math.Abs(got-1) > 1e-9 {
			t.Errorf("seed %d: z·z = %v of a landmark, want k(x, x) = 1", seed, got)
		}
	}
}

// PCA's result does not depend on the offset of the samples or, with the linear kernel,
// on their scale.
func TestPCAMoved(t *testing.T) {
	testkit.NoRace(t)
	testkit.Set(t, &eigen.DenseLimit, testkit.Size(t, 50, eigen.DenseLimit))
	for _, n := range []int{7, 40, eigen.DenseLimit + 20} { // fewer rows than columns, more, and many
		X := gridMatrix(5, n, 9)
		for _, k := range translations {
			p := PCA{Kernel: k, Components: 3}
			want := testkit.Try(p.Fit(X)).Or(t)
			Z := want.Transform(nil, X)
			eachMove(k, X, someOffsets(t), func(name string, Y *mat.Dense, exponent int) {
				got := testkit.Try(p.Fit(Y)).Or(t, name)
				values, all := make([]float64, len(got.Eigenvalues)), got.Transform(nil, Y)
				for c, v := range got.Eigenvalues {
					values[c] = math.Ldexp(v, -2*exponent)
				}
				all.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, -exponent) }, all)
				one := got.TransformSample(nil, Y.RawRowView(1))
				for c := range one {
					one[c] = math.Ldexp(one[c], -exponent)
				}
				if !floats.EqualApprox(values, want.Eigenvalues, 1e-12*want.Eigenvalues[0]) ||
					math.Abs(math.Ldexp(got.Total, -2*exponent)-want.Total) > 1e-12*want.Total {
					t.Errorf("%s: values %v of %v, want %v of %v", name, values, got.Total, want.Eigenvalues, want.Total)
				}
				if !mat.EqualApprox(all, Z, 1e-9) || !floats.EqualApprox(one, Z.RawRowView(1), 1e-9) {
					t.Errorf("%s: the components differ", name)
				}
			})
		}
	}
}

// The result of k-means does not depend on the offset of the samples.
func TestKMeansMoved(t *testing.T) {
	X := gridMatrix(6, 40, 3)
	for _, k := range translations {
		p := KMeans{Kernel: k, K: 3}
		want := testkit.Try(p.Fit(X)).Or(t)
		eachMove(k, X, offsets, func(name string, Y *mat.Dense, exponent int) {
			got := testkit.Try(p.Fit(Y)).Or(t, name)
			if predicted := got.Predictions(nil, Y); !slices.Equal(got.Labels, want.Labels) || !slices.Equal(predicted, want.Labels) {
				t.Errorf("%s: labels %v, predictions %v, want %v", name, got.Labels, predicted, want.Labels)
			}
			if inertia := math.Ldexp(got.Inertia, -2*exponent); math.Abs(inertia-want.Inertia) > 1e-12*want.Inertia {
				t.Errorf("%s: J = %v, want %v", name, inertia, want.Inertia)
			}
		})
	}
}

// Ridge regression with an intercept does not depend on the offset of the samples,
// neither for one score nor for many.
func TestRidgeMoved(t *testing.T) {
	testkit.Set(t, &termsTogether, testkit.Size(t, 50, termsTogether))
	for _, n := range []int{40, termsTogether + 1} {
		X := gridMatrix(7, n, 3)
		y := mat.Col(nil, 0, X)
		floats.Sub(y, mat.Col(nil, 2, X))
		y[3] = 100
		for _, k := range translations {
			if n > 40 && k != nil {
				continue // slow, and only inner products are evaluated together
			}
			// With a larger λ, rounding error matters less: it is proportional to ‖G‖/λ.
			p := Ridge{Kernel: k, Lambda: 10}
			scores := testkit.Try(p.Fit(X, y)).Or(t).Scores(nil, X)
			eachMove(k, X, someOffsets(t), func(name string, Y *mat.Dense, exponent int) {
				if exponent != 0 {
					return // λ has a unit
				}
				got := testkit.Try(p.Fit(Y, y)).Or(t, name)
				if together := got.Scores(nil, Y); !floats.EqualApprox(together, scores, 1e-9) {
					t.Errorf("%s: the scores differ by %v", name, floats.Distance(together, scores, math.Inf(1)))
				}
				if one := got.Score(Y.RawRowView(3)); math.Abs(one-scores[3]) > 1e-9 {
					t.Errorf("%s: score %v, want %v", name, one, scores[3])
				}
			})
		}
	}
}

// eachMove calls test with X moved by each of the offsets and, if k is linear, at each scale: other
// kernels do not scale with the samples.
func eachMove(k kernel.Kernel, X *mat.Dense, offsets []float64, test func(name string, Y *mat.Dense, exponent int)) {
	for _, offset := range offsets {
		for _, exponent := range exponents {
			if exponent == 0 || k == nil {
				name := fmt.Sprintf("%#v, %d rows, offset %v, exponent %d", k, X.RawMatrix().Rows, offset, exponent)
				test(name, moved(X, offset, exponent), exponent)
			}
		}
	}
}

// someOffsets returns two of the offsets, all of them in the tier long.
func someOffsets(t *testing.T) []float64 {
	if testkit.IsLong(t) {
		return offsets
	}
	return []float64{100, 1 << 40}
}

func scalesMatrix(seed uint64, n, d int) *mat.Dense {
	X := samples.Uniform(seed, n, d)
	for j := range d {
		column := mat.Col(nil, j%(d/2), X)
		floats.Scale(math.Pow(10, 6*float64(j)/float64(d-1)-3), column)
		X.SetCol(j, column)
	}
	return X
}

// gridMatrix returns multiples of 1/64 with a standard deviation of about 1, which
// float64 represents exactly even with an offset of 2⁴⁰, about 10¹².
func gridMatrix(seed uint64, n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 64))
	X := mat.NewDense(n, d, nil)
	X.Apply(func(i, j int, _ float64) float64 { return math.Round(64*rng.NormFloat64())/64 + float64(i%3*j) }, X)
	return X
}

// moved returns 2^exponent·(X + offset).
func moved(X *mat.Dense, offset float64, exponent int) *mat.Dense {
	Z := mat.DenseCopyOf(X)
	Z.Apply(func(_, j int, v float64) float64 { return math.Ldexp(v+offset*float64(j%3-1), exponent) }, Z)
	return Z
}

// The offsets are exact in a gridMatrix. The exponents scale it down to 1e-150 and up to
// 1e150.
var (
	offsets   = []float64{0, 100, 1 << 20, 1 << 24, 1 << 30, 1 << 40}
	exponents = []int{0, -498, 498}
)

// translations are kernels for which the origin does not matter once the images are
// centred.
var translations = []kernel.Kernel{nil, kernel.Any{Kernel: kernel.Linear{}}, kernel.Scaled{Factor: 0.3}, kernel.Polynomial{Degree: 1, Gamma: 2, Coef0: 1}, kernel.Sum{kernel.Linear{}, kernel.RBF{}}, kernel.RBF{Gamma: 0.1}, kernel.Laplace{}, kernel.Product{kernel.RBF{}, kernel.Scaled{Kernel: kernel.Laplace{}}}}
