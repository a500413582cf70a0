package smo

import (
	"math"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/work"
)

// Dual is the dual problem of the support vector machine and the state of its solution:
// maximise, over the multipliers α of n samples,
//
//	Σ αᵢ - ½ Σᵢⱼ αᵢαⱼyᵢyⱼKᵢⱼ   where   0 ≤ αᵢ ≤ Cᵢ  and  Σ αᵢyᵢ = 0
//
// All slices have the length n.
type Dual struct {
	Y []float64 // labels yᵢ, -1 or +1
	C []float64 // bounds Cᵢ > 0
	K []float64 // the diagonal Kᵢᵢ, rounded like the rows that Optimise reads

	Hard bool // the margin is hard: each Cᵢ is +Inf

	Tol     float64 // the largest violation m - M at a solution
	MaxIter int
	Trace   func(i, j int) (goOn bool, err error)   // if not nil, called after each step; false ends Optimise
	Report  func(iterations int, violation float64) // if not nil, called after many steps

	Alpha      []float64
	G          []float64 // gᵢ = yᵢ - Σⱼ αⱼyⱼKᵢⱼ
	Iterations int
}

// The gradient of the dual is ∂/∂αᵢ = 1 - yᵢ Σⱼ αⱼyⱼKᵢⱼ = yᵢgᵢ. So gᵢ is the bias b that
// would put sample i on its margin, yᵢ(w·φ(xᵢ) + b) = 1, and Fan, Chen and Lin's
// -yᵢ∇f(α)ᵢ.

// Rows is the kernel matrix as Optimise reads it: whole rows, in float32 or float64. The
// passes over a row are part of it, since they take nearly all of the time: those of exact
// are the functions Second and Update below.
type Rows[T float32 | float64] interface {
	// Row returns row i of K, valid until Row has been called for two other rows.
	Row(ctx work.Ender, i int) ([]T, error)

	// Second returns the second sample of the working set, given the first, or -1.
	Second(d *Dual, i int, Ki []T) int

	// Update updates g after a step on samples i and j, and returns the First of the next.
	Update(d *Dual, s Step, Ki, Kj []T) (i int, m, M float64)
}

// Step is a change of the multipliers of the working set by Δᵢ and Δⱼ.
type Step struct {
	I, J   int
	Di, Dj float64
}

// Optimise takes steps until the violation of G, as updated, is at most Tol, or another
// ending is reached. Each step chooses a working set of two samples and maximises the
// dual over their multipliers, with all others fixed (John Platt, "Fast training of
// support vector machines using sequential minimal optimization", 1998). err is an error
// of rows or of the trace.
func Optimise[T float32 | float64](ctx work.Ender, d *Dual, rows Rows[T]) (Ending, error) {
	i, m, M := d.First()
	every := 1 + 1<<20/len(d.G) // a millisecond or so of passes over g, beside which a report is nothing
	due := every * (1 + d.Iterations/every)
	for {
		switch {
		case ctx.Err() != nil:
			return Cancelled, nil
		case m-M <= d.Tol:
			return Converged, nil
		case !check.Finite(m - M):
			return Overflowed, nil
		case d.Iterations >= d.MaxIter:
			return OutOfSteps, nil
		}
		Ki, err := rows.Row(ctx, i)
		if err != nil {
			return 0, err
		}
		j := rows.Second(d, i, Ki)
		if j < 0 {
			return Stalled, nil
		}
		Kj, err := rows.Row(ctx, j)
		if err != nil {
			return 0, err
		}
		s := d.step(i, j, float64(Ki[j]))
		if s.Di == 0 && s.Dj == 0 {
			return Stalled, nil
		}
		i, m, M = rows.Update(d, s, Ki, Kj)
		d.Iterations++
		if d.Report != nil && d.Iterations == due {
			d.Report(d.Iterations, m-M)
			due += every
		}
		if d.Trace == nil {
			continue
		}
		if goOn, err := d.Trace(s.I, s.J); err != nil || !goOn {
			return Stopped, err
		}
	}
}

// First returns the first sample of the working set, i = argmax {gₜ : t in I_up}, with
// m = gᵢ and M = min {gₜ : t in I_low}. At the solution m ≤ M, and every b between them
// solves the primal problem (Fan, Chen, Lin, equations 5 and 6).
func (d *Dual) First() (i int, m, M float64) {
	i, m, M = -1, math.Inf(-1), math.Inf(1)
	for t, g := range d.G {
		if g > m && d.up(t) {
			i, m = t, g
		}
		if g < M && d.low(t) {
			M = g
		}
	}
	return i, m, M
}

// up reports whether yᵢαᵢ may increase, so that i is in I_up; low is the same for
// decrease and I_low (Fan, Chen, Lin, equation 4).
func (d *Dual) up(i int) bool {
	if d.Y[i] > 0 {
		return d.Alpha[i] < d.C[i]
	}
	return d.Alpha[i] > 0
}

func (d *Dual) low(i int) bool {
	if d.Y[i] > 0 {
		return d.Alpha[i] > 0
	}
	return d.Alpha[i] < d.C[i]
}

// Second returns the second sample of the working set, by second-order selection. Among
// the samples t in I_low with gₜ < gᵢ it is the one with the largest gain in the dual, if
// bounds are ignored: b²/(2a) with b = gᵢ - gₜ and a = Kᵢᵢ + Kₜₜ - 2Kᵢₜ (Fan, Chen, Lin,
// equations 17 and 18: WSS 2).
func Second[T float32 | float64](d *Dual, i int, Ki []T) int {
	j, most := -1, math.Inf(-1)
	for t, g := range d.G {
		if g >= d.G[i] || !d.low(t) {
			continue
		}
		if gain := d.gain(i, t, float64(Ki[t])); gain > most {
			j, most = t, gain
		}
	}
	return j
}

// gain returns twice the gain b²/(2a) of a step on i and j.
func (d *Dual) gain(i, j int, Kij float64) float64 {
	b := d.G[i] - d.G[j]
	return b * (b / d.curvature(i, j, Kij))
}

// curvature returns a = ‖φ(xᵢ) - φ(xⱼ)‖². Where this is not positive, because of rounding
// or a kernel that is not positive semidefinite, it returns a small number, as Fan, Chen
// and Lin do.
func (d *Dual) curvature(i, j int, Kij float64) float64 {
	if a := d.K[i] + d.K[j] - 2*Kij; a > 0 {
		return a
	}
	return 1e-12
}

// step increases yᵢαᵢ and decreases yⱼαⱼ by the same amount, which keeps Σ αₜyₜ = 0. It
// stops at the maximum of the dual on this line or at the first bound.
func (d *Dual) step(i, j int, Kij float64) Step {
	// δ = (gᵢ - gⱼ)/(Kᵢᵢ + Kⱼⱼ - 2Kᵢⱼ),  0 ≤ αᵢ + yᵢδ ≤ Cᵢ,  0 ≤ αⱼ - yⱼδ ≤ Cⱼ
	δ := (d.G[i] - d.G[j]) / d.curvature(i, j, Kij)
	δ = min(δ, d.room(i, d.Y[i]), d.room(j, -d.Y[j]))
	return Step{i, j, d.move(i, d.Y[i], δ), d.move(j, -d.Y[j], δ)}
}

// room returns how far αᵢ can move in the direction of sign.
func (d *Dual) room(i int, sign float64) float64 {
	if sign > 0 {
		return d.C[i] - d.Alpha[i]
	}
	return d.Alpha[i]
}

// move changes αᵢ by δ in the direction of sign and returns the change. A multiplier that
// reaches its bound is set to it exactly.
func (d *Dual) move(i int, sign, δ float64) float64 {
	before := d.Alpha[i]
	switch after := before + sign*δ; {
	case δ < d.room(i, sign):
		d.Alpha[i] = min(max(0, after), d.C[i])
	case sign > 0:
		d.Alpha[i] = d.C[i]
	default:
		d.Alpha[i] = 0
	}
	return d.Alpha[i] - before
}

// Update updates g after a step: gₜ ← gₜ - yᵢΔᵢKᵢₜ - yⱼΔⱼKⱼₜ.
func Update[T float32 | float64](d *Dual, s Step, Ki, Kj []T) (i int, m, M float64) {
	a, b := -d.Y[s.I]*s.Di, -d.Y[s.J]*s.Dj
	for t := range d.G {
		d.G[t] = d.G[t] + a*float64(Ki[t]) + b*float64(Kj[t])
	}
	return d.First()
}

// Violation returns m(α) - M(α), which is at most 0 at the solution.
func (d *Dual) Violation() float64 {
	_, m, M := d.First()
	return m - M
}

// B returns the bias b. With a soft margin it is the mean of gᵢ over the free support
// vectors, where gᵢ = b at the solution, or without any the middle of m and M. With a hard
// margin it makes the least margins of both classes equal.
func (d *Dual) B() float64 {
	if d.Hard {
		plus, minus := math.Inf(-1), math.Inf(1)
		for i, g := range d.G {
			if d.Y[i] > 0 {
				plus = max(plus, g)
			} else {
				minus = min(minus, g)
			}
		}
		return plus/2 + minus/2
	}
	sum, free := 0.0, 0
	for i, a := range d.Alpha {
		if a > 0 && a < d.C[i] {
			sum += d.G[i]
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	_, m, M := d.First()
	return m/2 + M/2
}
