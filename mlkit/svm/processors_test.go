package svm

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm/internal/linear"
	"marginalia/mlkit/svm/internal/smo"
)

// fitted holds the numbers of a model.
type fitted struct {
	W, Alpha       []float64
	B, Primal, Gap float64
}

// fitsOfProcessor returns models of few samples, and of enough for vector instructions.
func fitsOfProcessor(t *testing.T) map[string]fitted {
	t.Helper()
	few, fewLabels := twoGaussians(300, 6, 5)
	many, manyLabels := twoGaussians(linear.ManyRows+37, 6, 5)
	medium, mediumLabels := twoGaussians(smo.FastFrom+100, 6, 5)
	all := map[string]fitted{}
	linear := func(name string, fit func(X *mat.Dense, y []int) (*LinearModel, error)) {
		for _, c := range []struct {
			size string
			X    *mat.Dense
			y    []int
		}{{"few", few, fewLabels}, {"many", many, manyLabels}} {
			m, err := fit(c.X, c.y)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, c.size, err)
			}
			all[c.size+", "+name] = fitted{W: m.W, Alpha: m.Alpha, B: m.B, Primal: m.Primal, Gap: m.Gap}
		}
	}
	linear("Newton", Newton{C: 0.01}.Fit)
	linear("DualDescent", DualDescent{C: 0.01}.Fit)
	for size, c := range map[string]struct {
		X *mat.Dense
		y []int
	}{"few": {few, fewLabels}, "many": {medium, mediumLabels}} {
		m := testkit.Try(Classifier{Kernel: kernel.RBF{Gamma: 0.1}}.Fit(c.X, c.y)).Or(t)
		all[size+", Classifier"] = fitted{Alpha: m.Alpha, B: m.B, Primal: m.Primal, Gap: m.Gap}
	}
	return all
}

// MARGINALIA_SIMD simulates other types of processors in processes of their own. Those give the
// same bits for few samples. For many, the documentation holds: the primal values differ by at most the
// gaps, and each w is within √(2 gap) of the optimal one.
func TestProcessors(t *testing.T) {
	testkit.Long(t) // each repeats all fits
	if runtime.GOARCH != "amd64" {
		t.Skip("MARGINALIA_SIMD simulates no other processor here")
	}
	const child = "MARGINALIA_TEST_PROCESSOR"
	if os.Getenv(child) != "" {
		if err := json.NewEncoder(os.Stdout).Encode(fitsOfProcessor(t)); err != nil {
			t.Fatal(err)
		}
		os.Exit(0) // without the report of package testing
	}
	want := fitsOfProcessor(t)
	for _, level := range []string{"off", "avx2"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcessors$")
		cmd.Env = append(os.Environ(), child+"=1", "MARGINALIA_SIMD="+level)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", level, err, out)
		}
		var got map[string]fitted
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v\n%s", level, err, out)
		}
		for name, a := range want {
			b := got[name]
			if name[:3] == "few" {
				if !reflect.DeepEqual(a, b) {
					t.Errorf("%s, %s: another model of few samples", level, name)
				}
				continue
			}
			rounding := 1e-12 * a.Primal // rounding error of a sum of 10,000 terms
			gap := a.Gap + b.Gap + rounding
			if math.Abs(a.Primal-b.Primal) > gap {
				t.Errorf("%s, %s: primal %v, want %v within %v", level, name, b.Primal, a.Primal, gap)
			}
			if a.W == nil {
				continue
			}
			apart := math.Sqrt(2*(a.Gap+rounding)) + math.Sqrt(2*(b.Gap+rounding))
			if d := floats.Distance(a.W, b.W, 2); d > apart {
				t.Errorf("%s, %s: w is %v from the other, want at most %v", level, name, d, apart)
			}
		}
	}
}
