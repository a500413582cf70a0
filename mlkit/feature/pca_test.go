package feature_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/eigen"
	"marginalia/mlkit/internal/samples"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/mlkittest"
)

func TestPCAContract(t *testing.T) {
	for name, p := range map[string]feature.PCA{"zero": {}, "one": {Components: 1}, "white": {Whiten: true}} {
		testkit.NoError(t, name, mlkittest.TestMap(p.Fit))
	}
	X := samples.Gaussian(rand.New(rand.NewPCG(61, 62)), 2000, 300)
	if err := mlkittest.TestContext(func(ctx context.Context) (*feature.PCAModel, error) {
		return feature.PCA{}.FitWith(mlkit.Options{Context: ctx}, X)
	}); err != nil {
		t.Error(err)
	}
	if err := mlkittest.TestUnweighted(func(o mlkit.Options) (*feature.PCAModel, error) {
		return feature.PCA{}.FitWith(o, X)
	}); err != nil {
		t.Error(err)
	}
}

// The first two ratios are printed by scikit-learn's example "Comparison of LDA and PCA 2D
// projection of Iris dataset". All numbers are those of scikit-learn 1.9.1,
// PCA().fit(X) and PCA(2, whiten=True).fit(X): explained_variance_ratio_,
// explained_variance_, components_, transform(X).
func TestPCAIris(t *testing.T) {
	X := datasets.Iris().X
	m := testkit.Try(feature.PCA{}.Fit(X)).Or(t)
	samples.Near(t, "explained", m.Explained[:2], []float64{0.92461872, 0.05306648}, 5e-9)
	samples.Near(t, "explained", m.Explained, []float64{0.924618723201734, 0.0530664831170638, 0.0171026098079275, 0.0052121838732747}, 1e-14)
	samples.Near(t, "variances", m.Variances, []float64{4.228241706034838, 0.2426707479286116, 0.0782095000429079, 0.0238350929734459}, 1e-13)
	for c, want := range [][]float64{
		{0.3613865917853652, -0.0845225140645731, 0.856670605949836, 0.3582891971515516},
		{0.6565887712868261, 0.7301614347850451, -0.1733726627958511, -0.0754810199174425},
		{-0.5820298513060405, 0.5979108301000163, 0.0762360758208994, 0.5458314320201871},
		{0.315487192904058, -0.3197231036662175, -0.4798389869946454, 0.7536574252639664},
	} {
		samples.Near(t, "direction", m.Directions[c], want, 1e-12) // rounding times λ₁ over the gap
	}
	samples.Near(t, "z", m.TransformSample(nil, X.RawRowView(149)), []float64{1.3901888619479141, -0.28266093799053316, 0.36290964808536269, -0.15503862823016418}, 1e-13)
	white := testkit.Try(feature.PCA{Components: 2, Whiten: true}.Fit(X)).Or(t)
	samples.Near(t, "white z", white.TransformSample(nil, X.RawRowView(0)), []float64{-1.3053378633198613, 0.6483693157802357}, 1e-13)
}

// For tall, square and wide samples, by either of two methods of finding eigenvectors, the
// variances are those of gonum's singular values. The directions are orthonormal, the
// components of the samples uncorrelated, with these variances, and the residuals of a
// projection have the variances of the components left out.
func TestPCAShapes(t *testing.T) {
	testkit.Set(t, &eigen.DenseLimit, 30)
	for _, c := range []struct{ n, d, components int }{
		{2, 1, 0}, {50, 1, 0}, {40, 5, 0}, {40, 5, 3}, {6, 6, 0}, {5, 40, 0}, {5, 40, 2}, {2, 7, 0}, {200, 60, 4}, {60, 200, 4}, {80, 70, 0},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			X := samples.Gaussian(rand.New(rand.NewPCG(uint64(c.n), uint64(c.d))), c.n, c.d)
			for j := range c.d {
				for i := range c.n {
					X.Set(i, j, X.At(i, j)*(1+float64(j%7)))
				}
			}
			var pc stat.PC
			if !pc.PrincipalComponents(X, nil) {
				t.Fatal("no principal components")
			}
			variances := pc.VarsTo(nil)
			K := min(c.n-1, c.d)
			if c.components > 0 {
				K = c.components
			}
			for _, whiten := range []bool{false, true} {
				m := testkit.Try(feature.PCA{Components: c.components, Whiten: whiten}.Fit(X)).Or(t)
				if m.Dim() != K || m.Inputs() != c.d {
					t.Fatalf("%d components of %d columns, want %d of %d", m.Dim(), m.Inputs(), K, c.d)
				}
				samples.Near(t, "variances", m.Variances, variances[:K], 1e-12*variances[0])
				for a := range K {
					if u := m.Directions[a]; floats.Max(u) < -floats.Min(u) {
						t.Errorf("direction %d is %v, want its largest element positive", a, u)
					}
					for b := range K {
						want := 0.0
						if a == b {
							want = 1
						}
						samples.Near(t, "u·u", []float64{floats.Dot(m.Directions[a], m.Directions[b])}, []float64{want}, 1e-13)
					}
				}
				Z := m.Transform(nil, X)
				var C mat.SymDense
				stat.CovarianceMatrix(&C, Z, nil)
				left := 0.0 // of the squares
				for a := range K {
					for b := range K {
						want := 0.0
						if a == b && whiten {
							want = 1
						} else if a == b {
							want = m.Variances[a]
						}
						samples.Near(t, "covariance", []float64{C.At(a, b)}, []float64{want}, 1e-10*variances[0])
					}
				}
				for i := range c.n {
					x := m.Inverse(nil, Z.RawRowView(i))
					left += math.Pow(floats.Distance(x, X.RawRowView(i), 2), 2)
				}
				samples.Near(t, "residual", []float64{left / float64(c.n-1)}, []float64{floats.Sum(variances) - floats.Sum(variances[:K])}, 1e-11*variances[0])
			}
		})
	}
}

// Samples of rank 2 in five columns have two components, at any offset, whether the
// columns depend exactly on each other or up to rounding. The components are those of the
// samples at the origin, up to the rounding of the samples.
func TestPCARank(t *testing.T) {
	random := rand.New(rand.NewPCG(63, 64))
	for _, n := range []int{4, 30} {
		low := samples.Gaussian(random, n, 2)
		at := func(offset float64) *mat.Dense {
			X := mat.NewDense(n, 5, nil)
			for i := range n {
				a, b := low.At(i, 0), low.At(i, 1)
				X.SetRow(i, []float64{a + offset, b - offset, a + b, a + b + offset, 0.1})
			}
			return X
		}
		want := testkit.Try(feature.PCA{}.Fit(at(0))).Or(t)
		if want.Dim() != 2 {
			t.Fatalf("%d components, want 2", want.Dim())
		}
		for _, offset := range []float64{1e3, 1e6, 1e9, 1e12} {
			m := testkit.Try(feature.PCA{}.Fit(at(offset))).Or(t)
			if m.Dim() != 2 {
				t.Errorf("offset %g: variances %v, want two", offset, m.Variances)
				continue
			}
			tol := 10*0x1p-53*offset + 1e-13
			samples.Near(t, "variances", m.Variances, want.Variances, tol*want.Variances[0])
			samples.Near(t, "u", m.Directions[0], want.Directions[0], 10*tol)
			samples.Near(t, "Z", m.Transform(nil, at(offset)).RawMatrix().Data, want.Transform(nil, at(0)).RawMatrix().Data, 100*tol)
		}
	}
}

// Offsets that float64 holds exactly change nothing, and scales change nothing but the
// scale.
func TestPCAMoved(t *testing.T) {
	testkit.NoRace(t)
	X := mat.NewDense(40, 3, nil)
	random := rand.New(rand.NewPCG(65, 66))
	X.Apply(func(_, j int, _ float64) float64 { return math.Round(64*random.NormFloat64()*float64(1+j)) / 64 }, X)
	want := testkit.Try(feature.PCA{}.Fit(X)).Or(t)
	for _, offset := range []float64{0, 1 << 20, 1 << 30, 1 << 40} {
		for _, exponent := range []int{0, -498, 498} {
			var Y mat.Dense
			Y.Apply(func(_, j int, v float64) float64 { return math.Ldexp(v+offset*float64(j-1), exponent) }, X)
			m := testkit.Try(feature.PCA{}.Fit(&Y)).Or(t)
			variances := make([]float64, 3)
			for c, v := range m.Variances {
				variances[c] = math.Ldexp(v, -2*exponent)
			}
			samples.Near(t, "variances", variances, want.Variances, 1e-13*want.Variances[0])
			samples.Near(t, "u", m.Directions[2], want.Directions[2], 1e-13)
			samples.Near(t, "explained", m.Explained, want.Explained, 1e-14)
		}
	}
}

func TestPCARefused(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	same := mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2})
	for _, c := range []struct {
		p   feature.PCA
		X   *mat.Dense
		say string
	}{
		{feature.PCA{Components: -1}, X, "feature: PCA.Components = -1, want a positive number, or 0 for all"},
		{feature.PCA{}, nil, "feature: X is nil, want an n×d matrix, one sample a row"},
		{feature.PCA{}, same, "feature: PCA: the rows of X are the same, but for rounding, want samples that differ"},
		{feature.PCA{}, mat.NewDense(1, 2, []float64{1, 2}), "feature: PCA: the rows of X are the same"},
		{feature.PCA{}, mat.NewDense(2, 1, []float64{0, math.NaN()}), "feature: X[1][0] = NaN, want a finite number"},
		{feature.PCA{}, mat.NewDense(2, 1, []float64{1e200, -1e200}), "feature: PCA: a sum of squares of X overflows, want smaller numbers; scale X"},
		{feature.PCA{}, mat.NewDense(2, 1, []float64{math.MaxFloat64, -math.MaxFloat64}), "feature: PCA: a sum of squares of X overflows"},
		{feature.PCA{}, mat.NewDense(2, 1, []float64{1e-170, -1e-170}), "feature: PCA: the squares of X, whose rows differ by no more than"},
	} {
		m, err := c.p.Fit(c.X)
		if m != nil || err == nil || !strings.HasPrefix(err.Error(), c.say) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.say)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := feature.PCA{Components: 1}.FitWith(mlkit.Options{Context: ctx}, X)
	if !errors.Is(err, context.Canceled) || m.Dim() != 0 || m.Inputs() != 2 || !m.Transform(nil, X).IsEmpty() {
		t.Errorf("%+v, %v, want a model of no components and context.Canceled", m, err)
	}
	if _, err := feature.Apply(&feature.PCAModel{Mean: []float64{0}, Directions: [][]float64{{1, 2}}}, mat.NewDense(1, 1, nil)); err == nil ||
		err.Error() != "feature: PCAModel: len(directions[0]) = 2, want 1" {
		t.Errorf("%v, want the length of the direction", err)
	}
}

// By hand: the samples are (2, 1) ± 5·(0.8, 0.6) and (2, 1) ± 2.5·(-0.6, 0.8), so their
// squares add up to 50 and 12.5, and the variances are 50/3 and 12.5/3.
func ExamplePCA() {
	X := mat.NewDense(4, 2, []float64{6, 4, -2, -2, 0.5, 3, 3.5, -1})
	m, err := feature.PCA{}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean %.3g, directions %.3g\n", m.Mean, m.Directions)
	fmt.Printf("variances %.3f, explained %.3g\n", m.Variances, m.Explained)
	fmt.Printf("z = %.3f\n", m.TransformSample(nil, []float64{7, 1}))
	fmt.Printf("x = %.3f\n", m.Inverse(nil, []float64{5, 0}))
	// Output:
	// mean [2 1], directions [[0.8 0.6] [-0.6 0.8]]
	// variances [16.667 4.167], explained [0.8 0.2]
	// z = [4.000 -3.000]
	// x = [6.000 4.000]
}
