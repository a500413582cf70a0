package svm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/internal/early"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/kernel"
)

// smo is the state of a Classifier's fit.
type smo struct {
	X      samples
	kernel kernel.Kernel
	origin []float64  // subtracted from each sample if the kernel is linear; nil means 0
	rows   *exactRows // nil until float64 rows are needed
	bytes  int64      // cache size for float64 rows
	memory *memory
	diag   []float64 // Kᵢᵢ

	// The labels times sign, which makes y[0] = +1. Swapping the classes then changes
	// only the sign of the result, not the steps.
	y    []float64
	sign float64

	bound []float64 // Cᵢ; with a hard margin +Inf, or 0 for rows of weight 0
	hard  bool
	tol   float64
	limit int
	trace func(Step) bool

	alpha []float64
	g     []float64 // gradient gᵢ = yᵢ - Σⱼ αⱼyⱼKᵢⱼ, or -yᵢ∇f(α)ᵢ of Fan, Chen, Lin: the b that would put row i on its margin

	iterations int

	proof []float64 // Alpha of mlkit.NotSeparableError, or nil
}

// newSMO returns the initial state. It reuses the slices of an earlier fit from used.
func newSMO(c Classifier, X samples, y []int, bound []float64, used *memory) *smo {
	n := len(y)
	used.y, used.g = gram.Resized(used.y, n), gram.Resized(used.g, n)
	s := &smo{
		X: X, kernel: c.Kernel, y: used.y, sign: float64(y[0]),
		bound: bound, hard: math.IsInf(c.C, 1), tol: c.Tol, limit: c.MaxIter, trace: c.Trace,
		alpha: make([]float64, n), g: used.g, memory: used,
	}
	if s.kernel == nil {
		s.kernel = kernel.Linear{}
	}
	if s.tol == 0 {
		s.tol = smoTol
	}
	if s.limit == 0 {
		s.limit = smoMaxIter(n)
	}
	bytes := c.CacheBytes
	if bytes == 0 {
		bytes = smoCache
	}
	for i := range y {
		s.y[i] = s.sign * float64(y[i])
		s.g[i] = s.y[i]
	}
	s.bytes = bytes
	if c.Start != nil {
		s.start(c.Start)
	}
	return s
}

// start clips the multipliers to their bounds, then scales down those of one class until
// Σ αᵢyᵢ = 0.
func (s *smo) start(alpha []float64) {
	var sum [2]float64
	class := func(i int) int { return int(1+s.y[i]) / 2 }
	for i, a := range alpha {
		s.alpha[i] = min(a, s.bound[i])
		sum[class(i)] += s.alpha[i]
	}
	for i := range s.alpha {
		if mine, other := sum[class(i)], sum[1-class(i)]; mine > other {
			s.alpha[i] *= other / mine
		}
	}
}

// steps takes the steps of the solver and evaluates g: smo itself in float64, or fast
// mostly in float32.
type steps interface {
	// diagonal returns Kᵢᵢ, rounded like the rows that improve uses.
	diagonal(ctx early.Ender) ([]float64, error)
	// improve takes steps until the g it updates meets the tolerance, or another ending
	// is reached.
	improve(ctx early.Ender) (ending, error)
	// evaluate computes g from its definition, in float64.
	evaluate(ctx early.Ender) error
}

// run optimises until it reaches an ending. err reports a kernel value that is not
// finite, or is the error of ctx. reason is set for notSeparating and unresolved.
func (s *smo) run(ctx early.Ender) (ended ending, reason string, err error) {
	by, err := s.steps(ctx)
	if err != nil {
		return 0, "", err
	}
	if fast, ok := by.(*fast); ok {
		defer fast.release()
	}
	if s.diag, err = by.diagonal(ctx); err != nil {
		return 0, "", err
	}
	if s.hard {
		if reason, err = s.separable(ctx); err == errOverflow {
			return overflowed, "", nil
		} else if err != nil {
			return 0, "", err
		}
		if reason != "" {
			s.limit = min(s.limit, 100+10*len(s.y)) // enough for a usable model
		}
	}
	if err := by.evaluate(ctx); err != nil {
		return 0, "", err
	}
	if !s.report(-1, -1) {
		return stopped, "", nil
	}
	best, worse := math.Inf(1), 0
	for {
		ended, err := by.improve(ctx)
		if err != nil || ended == stopped || ended == cancelled || ended == overflowed {
			return ended, "", err
		}
		// The updates of g have accumulated rounding errors, so evaluate g afresh. If the
		// violation is really above tol, go on.
		if err := by.evaluate(ctx); err != nil {
			return 0, "", err
		}
		v := s.violation()
		switch {
		case reason != "" && s.proof != nil:
			return notSeparating, reason, nil
		case reason != "":
			return unresolved, reason, nil
		case v <= s.tol:
			if reason := s.uncertain(); reason != "" {
				return unresolved, reason, nil
			}
			return converged, "", nil
		case ended == outOfSteps:
			return outOfSteps, "", nil
		}
		if v < best {
			best = v
		} else {
			worse++
		}
		switch {
		case by != s && (worse > 0 || ended == stalled):
			// float32 makes no more progress.
			by = s.exact()
			if s.diag, err = by.diagonal(ctx); err != nil {
				return 0, "", err
			}
			best, worse = v, 0
		case worse == 3:
			return stalled, "", nil
		}
	}
}

// steps returns the fast solver if the fit qualifies for it, and otherwise s.exact().
func (s *smo) steps(ctx early.Ender) (steps, error) {
	fast, err := newFast(ctx, s)
	if fast != nil || err != nil {
		return fast, err
	}
	return s.exact(), nil
}

// exact returns s, set up with a cache of float64 rows.
func (s *smo) exact() steps {
	X := s.X.dense()
	if isLinear(s.kernel) {
		if s.origin == nil {
			s.origin = farOrigin(X)
		}
		X = shifted(X, s.origin)
	}
	s.rows = newExactRows(s.kernel, X, s.bytes)
	return s
}

func (s *smo) diagonal(ctx early.Ender) ([]float64, error) { return s.rows.diagonal(ctx) }

func (s *smo) improve(ctx early.Ender) (ending, error) {
	for {
		if ctx.Err() != nil {
			return cancelled, nil
		}
		i, m, M := s.first()
		if m-M <= s.tol {
			return converged, nil
		}
		if !finite(m - M) {
			return overflowed, nil
		}
		if s.iterations >= s.limit {
			return outOfSteps, nil
		}
		Ki, err := s.rows.row(ctx, i)
		if err != nil {
			return 0, err
		}
		j := s.second(i, Ki)
		Kj, err := s.rows.row(ctx, j)
		if err != nil {
			return 0, err
		}
		Δi, Δj := s.step(i, j, Ki[j])
		if Δi == 0 && Δj == 0 {
			return stalled, nil
		}
		// gₜ ← gₜ - yᵢΔᵢKᵢₜ - yⱼΔⱼKⱼₜ
		floats.AddScaled(s.g, -s.y[i]*Δi, Ki)
		floats.AddScaled(s.g, -s.y[j]*Δj, Kj)
		s.iterations++
		if !s.report(i, j) {
			return stopped, nil
		}
	}
}

// up reports whether yᵢαᵢ may increase, so that i is in I_up; low is the same for
// decrease and I_low (Fan, Chen, Lin, equation 4).
func (s *smo) up(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] < s.bound[i]
	}
	return s.alpha[i] > 0
}

func (s *smo) low(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] > 0
	}
	return s.alpha[i] < s.bound[i]
}

// first returns the first row of the working set, i = argmax {gₜ : t in I_up}, with
// m = gᵢ and M = min {gₜ : t in I_low}.
func (s *smo) first() (i int, m, M float64) {
	i, m, M = -1, math.Inf(-1), math.Inf(1)
	for t, g := range s.g {
		if g > m && s.up(t) {
			i, m = t, g
		}
		if g < M && s.low(t) {
			M = g
		}
	}
	return i, m, M
}

// violation returns m(α) - M(α), which is at most 0 at the solution.
func (s *smo) violation() float64 {
	_, m, M := s.first()
	return m - M
}

// second returns the second row of the working set, by second-order selection. Among the
// rows t in I_low with gₜ < gᵢ it is the one with the largest gain in the dual, if bounds
// are ignored: b²/(2a) with b = gᵢ - gₜ and a = Kᵢᵢ + Kₜₜ - 2Kᵢₜ (Fan, Chen, Lin,
// equations 17 and 18).
func (s *smo) second(i int, Ki []float64) int {
	j, most := -1, math.Inf(-1)
	for t, g := range s.g {
		b := s.g[i] - g
		if b <= 0 || !s.low(t) {
			continue
		}
		if gain := b * (b / s.curvature(i, t, Ki[t])); gain > most {
			j, most = t, gain
		}
	}
	return j
}

// curvature returns a = ‖φ(xᵢ) - φ(xⱼ)‖². Where this is not positive, because of rounding
// or a kernel that is not positive semidefinite, it returns a small number, as Fan, Chen
// and Lin do.
func (s *smo) curvature(i, j int, Kij float64) float64 {
	if a := s.diag[i] + s.diag[j] - 2*Kij; a > 0 {
		return a
	}
	return 1e-12
}

// step increases yᵢαᵢ and decreases yⱼαⱼ by the same amount, which keeps Σ αₜyₜ = 0. It
// stops at the maximum of the dual on this line or at the first bound, and returns the
// changes of αᵢ and αⱼ.
func (s *smo) step(i, j int, Kij float64) (Δi, Δj float64) {
	// δ = (gᵢ - gⱼ)/(Kᵢᵢ + Kⱼⱼ - 2Kᵢⱼ),  0 ≤ αᵢ + yᵢδ ≤ Cᵢ,  0 ≤ αⱼ - yⱼδ ≤ Cⱼ
	δ := (s.g[i] - s.g[j]) / s.curvature(i, j, Kij)
	δ = min(δ, s.room(i, s.y[i]), s.room(j, -s.y[j]))
	return s.move(i, s.y[i], δ), s.move(j, -s.y[j], δ)
}

// room returns how far αᵢ can move in the direction of sign.
func (s *smo) room(i int, sign float64) float64 {
	if sign > 0 {
		return s.bound[i] - s.alpha[i]
	}
	return s.alpha[i]
}

// move changes αᵢ by δ in the direction of sign and returns the change. A multiplier that
// reaches its bound is set to it exactly.
func (s *smo) move(i int, sign, δ float64) float64 {
	before := s.alpha[i]
	switch after := before + sign*δ; {
	case δ < s.room(i, sign):
		s.alpha[i] = min(max(0, after), s.bound[i])
	case sign > 0:
		s.alpha[i] = s.bound[i]
	default:
		s.alpha[i] = 0
	}
	return s.alpha[i] - before
}

func (s *smo) evaluate(ctx early.Ender) error {
	sum := make([]float64, len(s.g))
	for i, a := range s.alpha {
		if a == 0 {
			continue
		}
		Ki, err := s.rows.row(ctx, i)
		if err != nil {
			return err
		}
		floats.AddScaled(sum, a*s.y[i], Ki)
	}
	floats.SubTo(s.g, s.y, sum)
	return nil
}

// report calls the trace, if there is one, and returns its result.
func (s *smo) report(i, j int) bool {
	if s.trace == nil {
		return true
	}
	o := s.objectives()
	t := Step{
		Iteration: s.iterations, I: i, J: j, B: s.modelB(o.b),
		Dual: o.dual, Primal: o.primal, Gap: o.gap, Violation: max(0, s.violation()),
	}
	if i >= 0 {
		t.AlphaI, t.AlphaJ = s.alpha[i], s.alpha[j]
	}
	return s.trace(t)
}
