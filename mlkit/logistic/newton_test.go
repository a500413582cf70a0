package logistic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// exponential is F(θ) = e^θ - 2θ, with its minimum 2 - 2 log 2 at log 2.
type exponential struct{}

func (exponential) evaluate(theta, grad []float64, _ bool) (loss, F float64, H *mat.SymDense) {
	if grad != nil {
		grad[0] = math.Exp(theta[0]) - 2
	}
	F = math.Exp(theta[0]) - 2*theta[0]
	return F, F, nil
}

func (exponential) hessian(theta []float64) *mat.SymDense {
	return mat.NewSymDense(1, []float64{math.Exp(theta[0])})
}

func (exponential) absolute([]float64) float64 { return 0 }

// Newton's method for e^θ - 2θ, by hand. The step is 2e^{-θ} - 1, and the decrement
// |e^θ - 2| e^{-θ/2}. From 0 the step is 1 with decrement 1; from 1 it is 2/e - 1 with
// decrement (e - 2)/√e. From -3 the step is 39.2, and only an eighth of it, to 1.896, makes F
// smaller than F(-3) = 6.05: a quarter leads to 6.8, where F is above 800.
func TestNewton(t *testing.T) {
	for _, c := range []struct {
		from   float64
		thetas []float64
		length float64
		decs   []float64
	}{
		{0, []float64{1, 2 / math.E}, 1, []float64{1, (math.E - 2) / math.Sqrt(math.E)}},
		{-3, []float64{-3 + (2*math.Exp(3)-1)/8}, 0.125, []float64{(2 - math.Exp(-3)) * math.Exp(1.5)}},
	} {
		run := &state{theta: []float64{c.from}, objective: math.Exp(c.from) - 2*c.from}
		var thetas, lengths, decs []float64
		m := newton{
			objective: exponential{}, ctx: context.Background(), tol: 1e-6, maxIter: 50,
			proved: func([]float64, bool) (bool, error) { return true, nil },
			after: func(_ []float64, t float64) error {
				thetas, lengths, decs = append(thetas, run.theta[0]), append(lengths, t), append(decs, run.residual)
				return nil
			},
		}
		if err := m.minimise(run); err != nil || !run.converged || !(math.Abs(run.theta[0]-math.Ln2) < 1e-12) || !(run.residual <= 1e-6) {
			t.Errorf("from %v: θ = %v, decrement %v, %v; want log 2", c.from, run.theta[0], run.residual, err)
		}
		k := len(c.thetas)
		if !floats.EqualApprox(thetas[:k], c.thetas, 1e-12) || !floats.EqualApprox(decs[:k], c.decs, 1e-12) || lengths[0] != c.length {
			t.Errorf("from %v: θ = %v with decrements %v and lengths %v; want %v, %v, and first %v", c.from, thetas, decs, lengths, c.thetas, c.decs, c.length)
		}
		// The last decrement is the first at most tol, and the ones before are above it.
		if i := slices.IndexFunc(decs, func(d float64) bool { return d <= 1e-6 }); i != len(decs)-1 {
			t.Errorf("from %v: decrements %v, want one below 1e-6, the last", c.from, decs)
		}
	}
}

// The methods of a loss agree: the gradient with differences of the loss, the second
// derivatives with differences of the gradient, and respond and tilt with both, since to first
// order the derivatives at scores f + u are g + Hu. atZero is the loss at 0, and a sample that
// prefers another class, or none, costs at least log 2.
func TestLosses(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	const n, h = 40, 1e-5
	for _, K := range []int{1, 2, 3, 7} {
		of := labels{make([]int, n), make([]float64, n), K}
		for i := range n {
			of.y[i], of.weights[i] = random.IntN(K), 0.5+random.Float64()
			if K == 1 {
				of.y[i] = 2*random.IntN(2) - 1
			}
		}
		l := Regression{}.loss(of)
		for i := range n {
			f, u := make([]float64, K), make([]float64, K)
			v := of.weight(i)
			if got := l.at(i, f, false); math.Abs(got-v*l.atZero()) > 1e-14 {
				t.Errorf("K = %d: loss %v at 0, want %v", K, got, v*l.atZero())
			}
			for k := range f {
				f[k], u[k] = 2*random.NormFloat64(), random.NormFloat64()
			}
			if loss := l.at(i, f, false); of.margin(i, f) <= 0 && loss < v*math.Ln2 {
				t.Errorf("K = %d: loss %v at scores %v, on the wrong side", K, loss, f)
			}
			g, H := slices.Clone(f), make([]float64, K*K)
			l.at(i, g, true)
			l.curvature(i, f, H)
			response, tilted := slices.Clone(u), slices.Clone(u)
			l.respond(i, f, response)
			l.tilt(i, f, tilted, 1)
			for k := range f {
				above, below := slices.Clone(f), slices.Clone(f)
				above[k] += h
				below[k] -= h
				if got := (l.at(i, slices.Clone(above), false) - l.at(i, slices.Clone(below), false)) / (2 * h); math.Abs(got-g[k]) > 1e-8 {
					t.Errorf("K = %d: derivative %v, want %v", K, g[k], got)
				}
				l.at(i, above, true)
				l.at(i, below, true)
				sum := 0.0
				for j := range f {
					hjk := H[min(j, k)*K+max(j, k)]
					if got := (above[j] - below[j]) / (2 * h); math.Abs(got-hjk) > 1e-8 {
						t.Errorf("K = %d: second derivative %v, want %v", K, hjk, got)
					}
					sum += hjk * u[j]
				}
				if math.Abs(response[k]-sum) > 1e-13 || math.Abs(tilted[k]-(g[k]+sum)) > 1e-13 {
					t.Errorf("K = %d: respond %v and tilt %v, want %v and %v", K, response[k], tilted[k], sum, g[k]+sum)
				}
			}
		}
	}
}
