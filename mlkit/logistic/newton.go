package logistic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Newton's method, for two classes. With zᵢ = (xᵢ, 1) and θ = (w, b) the score of sample i
// is fᵢ = θ·zᵢ, and P(Y = yᵢ | X = xᵢ) = σ(yᵢfᵢ). The objective, its gradient and its
// Hessian are
//
//	F(θ)   = -Σ vᵢ log σ(yᵢfᵢ) + ½ Σ λⱼθⱼ²
//	∇F(θ)  = -Σ vᵢyᵢσ(-yᵢfᵢ) zᵢ + λθ
//	∇²F(θ) = Σ vᵢσ(fᵢ)σ(-fᵢ) zᵢzᵢᵀ + diag λ
//
// where vᵢ is the weight of the sample, and λⱼ is L2 for a weight and 0 for b. So sample i
// pulls θ in the direction yᵢzᵢ, with the probability of the other label as its strength. The
// loss of a sample and its derivatives with respect to the score are signLoss; the sums over
// the samples are plain. Many classes have another loss, in softmax.go, and
// θ = (w₁, b₁, w₂, b₂, …).

// newton takes Newton steps (Boyd and Vandenberghe, "Convex Optimization", 2004, algorithm
// 9.5), or proximal Newton steps with L1:
//
//	∇²F(θ) s = -∇F(θ),  θ ← θ + ts
func (p *problem) newton(run *state) error {
	grad, trial := make([]float64, len(run.theta)), make([]float64, len(run.theta))
	_, _, H := p.both(run.theta, grad)
	tol := p.Tol * math.Sqrt(p.total/float64(p.n)) // Tol is for a mean weight of 1
	regular, last := true, math.Inf(1)             // of the last step: whether its Hessian was regular, and its decrement
	for run.iterations < p.MaxIter {
		var step []float64
		if err := work.Run(p.ctx, func() {
			if H == nil {
				H = p.hessian(run.theta)
			}
			if p.L1 > 0 {
				step = p.proximalStep(H, grad, run.theta)
			} else {
				step, regular = newtonStep(H, grad, !p.likelihood() || p.basis != nil)
			}
		}); err != nil {
			return err
		}
		if step == nil {
			return p.newtonInBasis(run)
		}
		// The Newton decrement √(s·Hs) of step s: F(θ) is some ½ s·Hs above the minimum.
		s := mat.NewVecDense(len(step), step)
		run.residual = math.Sqrt(math.Max(0, mat.Inner(s, H, s)))
		// Rounding error may keep the decrement above tol. Then it no longer falls.
		falls := run.residual <= last/2 || run.residual*run.residual > p.Tol*run.objective
		last = run.residual
		if (run.residual <= tol || !falls) && (regular || !p.likelihood()) {
			var err error
			if run.converged, err = p.proven(run, p.prove(run.theta, step)); err != nil {
				return err
			}
		}
		var length float64
		var err error
		if length, H, err = p.search(run, step, grad, trial); err != nil {
			run.converged = false
			return err
		}
		run.iterations++
		if err := p.proveSeparable(run, step); err != nil {
			return err
		}
		if err := p.trace(run, length); err != nil {
			return err
		}
		if run.converged {
			return nil
		}
	}
	if run.residual > tol {
		return fmt.Errorf("the Newton decrement is %.3g after %d iterations, want %.3g; raise MaxIter or Tol", run.residual, run.iterations, tol)
	}
	return p.unproven(run)
}

// newtonStep solves Hs = -∇F, and reports whether H is regular. If it is singular,
// newtonStep returns nil or, if asked for, the shortest solution in unknowns scaled to a
// diagonal of 1.
func newtonStep(H *mat.SymDense, grad []float64, shortest bool) (s []float64, regular bool) {
	D := len(grad)
	scale := make([]float64, D)
	for a := range scale {
		scale[a] = 1
		if h := H.At(a, a); h > 0 {
			scale[a] = 1 / math.Sqrt(h)
		}
	}
	S, step := mat.NewSymDense(D, nil), mat.NewVecDense(D, nil)
	for a, g := range grad {
		for b := a; b < D; b++ {
			S.SetSym(a, b, H.At(a, b)*scale[a]*scale[b])
		}
		step.SetVec(a, -g*scale[a])
	}
	const limit = 1e13
	var chol mat.Cholesky
	if regular = chol.Factorize(S) && chol.Cond() < limit; regular {
		_ = chol.SolveVecTo(step, step) // the condition number was checked
	} else if !shortest {
		return nil, false
	} else {
		regular = true
		throughEigen(S, step, func(value, largest float64) float64 {
			if value <= largest/limit {
				regular = false
				return 0
			}
			return 1 / value
		})
	}
	s = step.RawVector().Data
	floats.Mul(s, scale)
	return s, regular
}

// search is the backtracking line search: it halves the step until the objective decreases
// by a fraction of what its slope predicts, up to rounding error,
//
//	F(θ + ts) ≤ F(θ) + 10⁻⁴ t ∇F(θ)·s
//
// (Larry Armijo, 1966). It moves θ, and leaves the gradient there in grad. It also returns the
// Hessian there if it takes the whole step, another iteration follows and both returns one;
// otherwise H is nil. With L1, the slope includes the change of the penalty over the whole step.
func (p *problem) search(run *state, step, grad, trial []float64) (length float64, H *mat.SymDense, err error) {
	floats.AddTo(trial, run.theta, step)
	slope := floats.Dot(grad, step) + p.absolute(trial) - p.absolute(run.theta)
	for length = 1; ; length /= 2 {
		if length < 1e-20 {
			return 0, nil, fmt.Errorf("no step along Newton's direction makes the objective %v smaller, though the decrement is still %.3g; raise Tol or scale the columns of X", run.objective, run.residual)
		}
		for a := range trial {
			trial[a] = run.theta[a] + length*step[a]
		}
		var loss, objective float64
		if H = nil; length == 1 && !run.converged {
			loss, objective, H = p.both(trial, grad)
		} else {
			loss, objective = p.value(trial, grad)
		}
		objective += p.absolute(trial)
		if err := p.ctx.Err(); err != nil {
			return 0, nil, err
		}
		if objective <= run.objective+1e-4*length*slope+1e-13*math.Abs(run.objective) {
			copy(run.theta, trial)
			run.loss, run.objective = loss, objective
			return length, H, nil
		}
	}
}

// value returns the loss, and the loss with L2. It writes the gradient of the latter to
// grad unless that is nil. Both are NaN if the context is done.
func (p *problem) value(theta, grad []float64) (loss, smooth float64) {
	clear(grad)
	loss = p.sums.value(p.ctx, theta, grad)
	return loss, loss + p.ridge(theta, grad)
}

// both is value, and returns the Hessian if sums computes it in the same pass; otherwise H is
// nil.
func (p *problem) both(theta, grad []float64) (loss, smooth float64, H *mat.SymDense) {
	clear(grad)
	loss, H = p.sums.both(p.ctx, theta, grad)
	if H != nil {
		p.curve(H)
	}
	return loss, loss + p.ridge(theta, grad), H
}

// ridge returns the penalty ½ Σ λⱼθⱼ², and adds its gradient to grad unless that is nil.
func (p *problem) ridge(theta, grad []float64) (penalty float64) {
	for a, t := range theta {
		l2 := p.l2[a%len(p.l2)]
		penalty += l2 * t * t / 2
		if grad != nil {
			grad[a] += l2 * t
		}
	}
	return penalty
}

// hessian returns the Hessian of the loss with L2.
func (p *problem) hessian(theta []float64) *mat.SymDense {
	H := p.sums.hessian(p.ctx, theta)
	p.curve(H)
	return H
}

// curve adds diag λ to the Hessian of the loss, and fixes the shift of many classes and the
// weights of constant columns, which change nothing either.
func (p *problem) curve(H *mat.SymDense) {
	for a := range H.SymmetricDim() {
		h, j := H.At(a, a)+p.l2[a%len(p.l2)], a%len(p.l2)
		if h == 0 && p.basis == nil && j < len(p.perScale) && p.perScale[j] == 0 {
			h = p.total
		}
		H.SetSym(a, a, h)
	}
	if K := p.loss.outputs(); K > 1 {
		p.fixShift(H, K)
	}
}

// signLoss is the loss of two classes, -v log σ(yf).
type signLoss struct {
	y []int
	weights
}

func (s *signLoss) outputs() int { return 1 }

func (s *signLoss) at(i int, f []float64, gradient bool) float64 {
	y := float64(s.y[i])
	m, v := y*f[0], s.weight(i)
	if gradient {
		f[0] = v * -y * rows.Sigmoid(-m)
	}
	// -log σ(m) = log(1 + e⁻ᵐ), without overflow for large -m.
	return v * (math.Log1p(math.Exp(-math.Abs(m))) + math.Max(-m, 0))
}

func (s *signLoss) curvature(i int, f, h []float64) {
	h[0] = s.weight(i) * rows.Sigmoid(f[0]) * rows.Sigmoid(-f[0])
}

// plain has the sums over the samples as they read in a book, for rows zᵢ of Z.
type plain struct {
	Z    *mat.Dense // n×(d+1)
	loss loss
}

func (s plain) value(ctx work.Ender, theta, grad []float64) (loss float64) {
	n, e := s.Z.Dims()
	f := make([]float64, s.loss.outputs())
	for i := range n {
		if i%work.Chunk == 0 && ctx.Err() != nil {
			return math.NaN()
		}
		z := s.Z.RawRowView(i)
		scores(f, theta, z)
		loss += s.loss.at(i, f, grad != nil)
		if grad == nil {
			continue
		}
		for k, r := range f { // now the derivatives of the loss with respect to the scores
			floats.AddScaled(grad[k*e:(k+1)*e], r, z)
		}
	}
	return loss
}

// both returns no Hessian: it takes a pass of its own, in vain if the step is shortened.
func (s plain) both(ctx work.Ender, theta, grad []float64) (float64, *mat.SymDense) {
	return s.value(ctx, theta, grad), nil
}

func (s plain) with(l loss) sums {
	s.loss = l
	return s
}

// hessian sums AᵀA over chunks of the samples. Row i of A is zᵢ times √(vᵢσ(fᵢ)σ(-fᵢ)).
func (s plain) hessian(ctx work.Ender, theta []float64) *mat.SymDense {
	n, e := s.Z.Dims()
	if s.loss.outputs() > 1 {
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
		H.SymRankK(H, 1, A.Slice(0, rows, 0, e).T())
	}
	return H
}

// scores sets f[k] to θ_k·z.
func scores(f, theta, z []float64) {
	for k := range f {
		f[k] = floats.Dot(theta[k*len(z):(k+1)*len(z)], z)
	}
}
