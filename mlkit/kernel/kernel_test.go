package kernel

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Rows 0 and 50 of Fisher's Iris data.
var (
	iris0  = []float64{5.1, 3.5, 1.4, 0.2}
	iris50 = []float64{7.0, 3.2, 4.7, 1.4}
)

// The values are from scikit-learn 1.2.1 (sklearn.metrics.pairwise) to the digits given,
// or computed by hand from the differences 1.9, 0.3, 3.3 and 1.2.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		k    Kernel
		want float64
	}{
		{Linear{}, 5.1*7 + 3.5*3.2 + 1.4*4.7 + 0.2*1.4}, // 53.76
		{RBF{Gamma: 0.5}, 0.000330468240},
		{RBF{}, 0.000330468240},
		{Laplace{Gamma: 0.5, Taxicab: true}, 0.035084354101},
		{Laplace{Taxicab: true}, 0.035084354101},
		{Laplace{Gamma: 2}, math.Exp(-2 * math.Sqrt(3.61+0.09+10.89+1.44))},
		{Chi2{Gamma: 0.5}, 0.223462218838},
		{Chi2{}, 0.223462218838},
		{Polynomial{Degree: 3, Coef0: 1}, 164206.490176},
		{Polynomial{Degree: 3, Gamma: 1, Coef0: 1}, 164206.490176},
		{Polynomial{}, 53.76 * 53.76},
		{Polynomial{Degree: 1, Gamma: 0.5, Coef0: -2}, 53.76/2 - 2},
		{Sigmoid{Gamma: 0.01, Coef0: -0.5}, math.Tanh(0.0376)},
		{Sigmoid{}, 1},
		{Sum{Linear{}, RBF{}}, 53.76 + 0.000330468240},
		{Product{Linear{}, Linear{}, RBF{}}, 53.76 * 53.76 * math.Exp(-16.03/2)},
		{Scaled{Factor: 3, Kernel: RBF{}}, 3 * 0.000330468240},
		{Scaled{}, 53.76},
		{Func(func(x, z []float64) float64 { return x[0] * z[0] }), 5.1 * 7},
		{Any{Chi2{}}, 0.223462218838},
	} {
		got := c.k.Eval(iris0, iris50)
		if math.Abs(got-c.want) > 1e-12*math.Max(1, math.Abs(c.want)) {
			t.Errorf("%#v: k = %.12f, want %.12f", c.k, got, c.want)
		}
		if back := c.k.Eval(iris50, iris0); back != got {
			t.Errorf("%#v: k(z, x) = %v, want k(x, z) = %v", c.k, back, got)
		}
		if err := Check(c.k); err != nil {
			t.Errorf("%#v: %v", c.k, err)
		}
	}
}

// CMU: exp(-‖x-z‖²/(2σ²)) and exp(-‖x-z‖/(2σ²)).
func TestSigma(t *testing.T) {
	const sigma = 1.5
	x, z := []float64{1, 2}, []float64{4, 6} // at distance 5
	gamma := GammaOfSigma(sigma)
	if got, want := (RBF{Gamma: gamma}).Eval(x, z), math.Exp(-25/(2*sigma*sigma)); math.Abs(got-want) > 1e-15 {
		t.Errorf("RBF: k = %v, want %v", got, want)
	}
	if got, want := (Laplace{Gamma: gamma}).Eval(x, z), math.Exp(-5/(2*sigma*sigma)); math.Abs(got-want) > 1e-15 {
		t.Errorf("Laplace: k = %v, want %v", got, want)
	}
	if GammaOfSigma(1) != 0.5 {
		t.Errorf("GammaOfSigma(1) = %v, want 1/2, the meaning of zero", GammaOfSigma(1))
	}
}

// The distance kernels are exactly 1 on the diagonal, whatever the values.
func TestDiagonal(t *testing.T) {
	x := []float64{0, 0.1, 1e-300, 1e200, 1e308, math.Pi}
	for _, k := range []Kernel{RBF{}, Laplace{}, Laplace{Taxicab: true}, Chi2{}} {
		if got := k.Eval(x, x); got != 1 {
			t.Errorf("%#v: k(x, x) = %v, want 1", k, got)
		}
	}
	if got := (Chi2{}).Eval([]float64{-1}, []float64{2}); !math.IsNaN(got) {
		t.Errorf("Chi2 of a negative number = %v, want NaN", got)
	}
	// (1e200 - 0)²/(1e200 + 0) = 1e200, though the square overflows.
	if got, want := (Chi2{Gamma: 1e-200}).Eval([]float64{1e200}, []float64{0}), math.Exp(-1); math.Abs(got-want) > 1e-15 {
		t.Errorf("Chi2 of a large number = %v, want %v", got, want)
	}
}

func TestCheck(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	testkit.Refusals{
		{Check(nil), "kernel: the kernel is nil…"},
		{Check(Any{}), "kernel: the kernel is nil…"},
		{Check(RBF{Gamma: -1}), "kernel: RBF.Gamma = -1, want a positive number, or 0 for 1/2"},
		{Check(RBF{Gamma: nan}), "kernel: RBF.Gamma = NaN…"},
		{Check(Laplace{Gamma: inf}), "kernel: Laplace.Gamma = +Inf…"},
		{Check(Chi2{Gamma: -2}), "kernel: Chi2.Gamma = -2…"},
		{Check(Polynomial{Degree: -1}), "kernel: Polynomial.Degree = -1…"},
		{Check(Polynomial{Gamma: -1}), "kernel: Polynomial.Gamma = -1…"},
		{Check(Polynomial{Coef0: nan}), "kernel: Polynomial.Coef0 = NaN, want a finite number"},
		{Check(Sigmoid{Gamma: -1}), "kernel: Sigmoid.Gamma = -1…"},
		{Check(Sigmoid{Coef0: inf}), "kernel: Sigmoid.Coef0 = +Inf, want a finite number"},
		{Check(Sum{}), "kernel: Sum is empty…"},
		{Check(Product(nil)), "kernel: Product is empty…"},
		{Check(Sum{Linear{}, RBF{Gamma: -1}}), "kernel: Sum[1]: kernel: RBF.Gamma = -1…"},
		{Check(Product{nil}), "kernel: Product[0]: kernel: the kernel is nil…"},
		{Check(Scaled{Factor: -1}), "kernel: Scaled.Factor = -1…"},
		{Check(Scaled{Kernel: RBF{Gamma: -1}}), "kernel: Scaled.Kernel: kernel: RBF.Gamma = -1…"},
		{Check(Func(nil)), "kernel: Func is nil, want a function"},
	}.Check(t)
}

func TestPanics(t *testing.T) {
	for _, k := range kernels() {
		testkit.Panics(t, fmt.Sprintf("%#v of samples of lengths 2 and 3", k), func() { k.Eval([]float64{1, 2}, []float64{1, 2, 3}) })
	}
}

// Every type of the package with a method Eval is in kernels, which the other tests draw from.
// Any holds another kernel, and a Func is encoded by nothing.
func TestEveryKernel(t *testing.T) {
	tested := map[string]bool{"Any": true, "Func": true}
	for _, k := range kernels() {
		tested[reflect.TypeOf(k).Name()] = true
	}
	files := testkit.Try(filepath.Glob("*.go")).Or(t)
	method := regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) Eval\(`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source := testkit.Try(os.ReadFile(file)).Or(t)
		for _, m := range method.FindAllSubmatch(source, -1) {
			if name := string(m[1]); !tested[name] {
				t.Errorf("%s: %s is missing from kernels in kernel_test.go", file, name)
			}
			delete(tested, string(m[1]))
		}
	}
	for name := range tested {
		if name != "Any" { // whose Eval is that of the kernel in it
			t.Errorf("found no method Eval of %s", name)
		}
	}
}

// Gram evaluates a kernel of its own package once for both triangles, and algorithms don't look
// for negative eigenvalues of a Mercer kernel. Both are said of each type in one place.
func TestOwnKernels(t *testing.T) {
	const sigmoid = "kernel.Sigmoid" // whose Gram matrices may have negative eigenvalues: see TestMercerProof
	for _, k := range kernels() {
		if !isOwn(k) {
			t.Errorf("%#v: isOwn doesn't know it, see gram.go", k)
		}
		if mercer := reflect.TypeOf(k).String() != sigmoid; KnownMercer(k) != mercer {
			t.Errorf("%#v: KnownMercer is %v, see mercer.go", k, !mercer)
		}
	}
}

// kernels returns a kernel of each type with non-default parameters.
func kernels() []Kernel {
	return []Kernel{
		Linear{}, Polynomial{Degree: 3, Gamma: 0.3, Coef0: 0.7}, Sigmoid{Gamma: 0.1, Coef0: -0.3},
		RBF{Gamma: 0.3}, Laplace{Gamma: 0.7}, Laplace{Gamma: 0.7, Taxicab: true}, Chi2{Gamma: 0.9},
		Sum{Linear{}, Scaled{Factor: 0.1, Kernel: RBF{Gamma: 3}}},
		Product{Sum{RBF{}, Chi2{}}, Polynomial{}, Any{Laplace{}}}, Scaled{Factor: 1.0 / 3},
	}
}

func second[T any](_ T, err error) error { return err }
