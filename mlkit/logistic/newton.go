package logistic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Newton's method for two classes. For logistic regression it is known as iteratively
// reweighted least squares (IRLS). With zᵢ = (xᵢ, 1), θ = (w, b) and the scores fᵢ = θ·zᵢ,
// P(Y = yᵢ | X = xᵢ) is σ(yᵢfᵢ), and the method minimises
//
//	F(θ) = -Σ vᵢ log σ(yᵢfᵢ) + ½ Σ λⱼθⱼ²
//
// where vᵢ is the weight of sample i, and λⱼ is L2 for a weight and 0 for b. From top to
// bottom: the iteration, the line search, F and its derivatives, and the loss of one sample.
// With L1 the step is that of proximal.go, and F includes the penalty Σ L1|θⱼ|. Many classes
// have the loss of loss_softmax.go and θ = (w₁, b₁, w₂, b₂, …).

// objective is a function that Newton's method minimises.
type objective interface {
	// evaluate returns the loss and F(θ), and writes ∇F(θ), without L1, to grad unless that is
	// nil. If ahead, it also returns ∇²F(θ) if that takes no pass of its own.
	evaluate(theta, grad []float64, ahead bool) (loss, F float64, H *mat.SymDense)
	// hessian returns ∇²F(θ).
	hessian(theta []float64) *mat.SymDense
	// absolute returns the L1 penalty.
	absolute(theta []float64) float64
}

// newton is Newton's method (Boyd and Vandenberghe, "Convex Optimization", 2004, algorithm
// 9.5). A fit sets its fields in problem.newton (solver.go).
type newton struct {
	objective
	ctx           context.Context
	tol, relative float64 // for the decrement, and for its square over F
	maxIter       int
	shortest      bool                                                       // whether a singular Hessian yields the shortest step, or errSingular
	proximal      func(H *mat.SymDense, grad, theta []float64) (s []float64) // the step with L1, or nil
	proved        func(s []float64, regular bool) (bool, error)              // whether θ is proved to be the minimum
	quick         *quick                                                     // in large problems with a penalty (maximum_gradient.go), otherwise nil
	after         func(s []float64, t float64) error                         // called after each iteration
}

// minimise takes Newton steps from run.theta, until run.converged, an error or maxIter.
func (m newton) minimise(run *state) error {
	grad, trial := make([]float64, len(run.theta)), make([]float64, len(run.theta))
	H := run.hessian
	if run.hessian = nil; H != nil {
		copy(grad, run.grad)
	} else {
		_, _, H = m.evaluate(run.theta, grad, true)
	}
	for last := math.Inf(1); run.iterations < m.maxIter; {
		// ∇²F(θ) s = -∇F(θ)
		var s []float64
		regular := true
		if err := work.Run(m.ctx, func() {
			if H == nil {
				H = m.hessian(run.theta)
			}
			if m.proximal != nil {
				s = m.proximal(H, grad, run.theta)
			} else {
				s, regular = solve(H, grad, m.shortest)
			}
		}); err != nil {
			return err
		}
		if s == nil {
			return errSingular
		}
		// Δ = √(s·Hs) is the Newton decrement: F(θ) is some ½Δ² above the minimum.
		v := mat.NewVecDense(len(s), s)
		run.residual = math.Sqrt(math.Max(0, mat.Inner(v, H, v)))
		// Rounding error may keep it above tol. Then it no longer falls.
		falls := run.residual <= last/2 || run.residual*run.residual > m.relative*run.objective
		keep := m.quick != nil && run.residual <= math.Min(m.quick.small, last/10)
		last = run.residual
		var err error
		near := run.residual <= m.tol || !falls
		if near && m.quick == nil {
			if run.converged, err = m.proved(s, regular); err != nil {
				return err
			}
		}
		// θ ← θ + ts, also when θ is proved to be near the minimum: s leads closer still.
		t, next, err := search(m.ctx, m, run, s, grad, trial, !near && !keep)
		if err != nil {
			run.converged = false
			return err
		}
		if !keep {
			H = next
		}
		if near && m.quick != nil {
			run.converged = m.quick.proved(grad)
			m.quick = nil
		}
		run.iterations++
		if err := m.after(s, t); err != nil || run.converged {
			return err
		}
	}
	return nil
}

// search is the backtracking line search (Larry Armijo, 1966): it halves t until F decreases
// by a fraction of what its slope predicts, up to rounding error. It moves θ, and leaves ∇F
// there in grad. If ahead, it returns the Hessian there if evaluate does and the step is whole;
// otherwise H is nil.
func search(ctx context.Context, f objective, run *state, s, grad, trial []float64, ahead bool) (t float64, H *mat.SymDense, err error) {
	floats.AddTo(trial, run.theta, s)
	slope := floats.Dot(grad, s) + f.absolute(trial) - f.absolute(run.theta)
	for t = 1; t >= 1e-20; t /= 2 {
		floats.AddScaledTo(trial, run.theta, t, s)
		loss, F, H := f.evaluate(trial, grad, ahead && t == 1)
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		// F(θ + ts) ≤ F(θ) + 10⁻⁴ t ∇F(θ)·s
		if F <= run.objective+1e-4*t*slope+1e-13*math.Abs(run.objective) {
			copy(run.theta, trial)
			run.loss, run.objective = loss, F
			return t, H, nil
		}
	}
	return 0, nil, fmt.Errorf("no step along Newton's direction makes the objective %v smaller, though the decrement is still %.3g; raise Tol or scale the columns of X", run.objective, run.residual)
}

// evaluate is that of objective. The loss and F are NaN if the context is done.
func (p *problem) evaluate(theta, grad []float64, ahead bool) (loss, F float64, H *mat.SymDense) {
	clear(grad)
	if !ahead {
		loss = p.sums.value(p.ctx, theta, grad)
	} else if loss, H = p.sums.both(p.ctx, theta, grad); H != nil {
		H = p.curved(H)
	}
	return loss, loss + p.ridge(theta, grad) + p.absolute(theta), H
}

// hessian returns ∇²F(θ).
func (p *problem) hessian(theta []float64) *mat.SymDense {
	return p.curved(p.sums.hessian(p.ctx, theta))
}

// curved returns ∇²F, given that of the loss: H ← H + diag λ.
func (p *problem) curved(H *mat.SymDense) *mat.SymDense {
	for a := range H.SymmetricDim() {
		H.SetSym(a, a, H.At(a, a)+p.l2[a%len(p.l2)])
	}
	p.fixFlat(H)
	return H
}

// ridge returns ½ Σ λⱼθⱼ², and adds its gradient λθ to grad unless that is nil.
func (p penalties) ridge(theta, grad []float64) (penalty float64) {
	for a, t := range theta {
		l2 := p.l2[a%len(p.l2)]
		penalty += l2 * t * t / 2
		if grad != nil {
			grad[a] += l2 * t
		}
	}
	return penalty
}

// plain has the sums over the samples zᵢ, the rows of Z, as they read in a book.
type plain struct {
	Z    *mat.Dense // n×(d+1)
	loss smooth
}

// value returns Σ ℓᵢ(fᵢ), where ℓᵢ is the loss of sample i. It adds the gradient to grad
// unless that is nil.
func (s plain) value(ctx work.Ender, theta, grad []float64) (loss float64) {
	n, e := s.Z.Dims()
	f := make([]float64, len(theta)/e)
	for i := range n {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return math.NaN()
		}
		z := s.Z.RawRowView(i)
		scores(f, theta, z)
		loss += s.loss.at(i, f, grad != nil)
		if grad != nil {
			// ∇F ← ∇F + ℓ′ᵢ(fᵢ) zᵢ, where at has replaced f by the derivatives
			for k, r := range f {
				floats.AddScaled(grad[k*e:(k+1)*e], r, z)
			}
		}
	}
	return loss
}

// hessian returns Zᵀ diag(h) Z = Σ hᵢzᵢzᵢᵀ with hᵢ = ℓ″ᵢ(fᵢ), which for two classes is
// vᵢσ(fᵢ)(1 - σ(fᵢ)).
func (s plain) hessian(ctx work.Ender, theta []float64) *mat.SymDense {
	n, e := s.Z.Dims()
	if len(theta) > e {
		return s.softmaxHessian(ctx, theta)
	}
	H, A := mat.NewSymDense(e, nil), mat.NewDense(work.Chunk, e, nil)
	f, h := make([]float64, 1), make([]float64, 1)
	for from := 0; from < n && ctx.Err() == nil; from += work.Chunk {
		rows := min(work.Chunk, n-from)
		for r := range rows {
			z := s.Z.RawRowView(from + r)
			scores(f, theta, z)
			s.loss.curvature(from+r, f, h)
			floats.ScaleTo(A.RawRowView(r), math.Sqrt(h[0]), z)
		}
		// H ← H + AᵀA, where the rows of A are √hᵢ zᵢ for a chunk of the samples
		H.SymRankK(H, 1, A.Slice(0, rows, 0, e).T())
	}
	return H
}

// signLoss is the loss ℓ(f) = -v log σ(yf) of a sample of two classes.
type signLoss struct{ labels }

func (s *signLoss) at(i int, f []float64, gradient bool) float64 {
	y, v := float64(s.y[i]), s.weight(i)
	m := y * f[0]
	if gradient {
		// ℓ′(f) = -vyσ(-yf): the other label's probability pulls θ in the direction yz.
		f[0] = v * -y * rows.Sigmoid(-m)
	}
	// -log σ(m) = log(1 + e⁻ᵐ), without overflow for large -m.
	return v * (math.Log1p(math.Exp(-math.Abs(m))) + math.Max(-m, 0))
}

func (s *signLoss) curvature(i int, f, h []float64) {
	// ℓ″(f) = vσ(f)(1 - σ(f)), and 1 - σ(f) = σ(-f)
	h[0] = s.weight(i) * rows.Sigmoid(f[0]) * rows.Sigmoid(-f[0])
}
