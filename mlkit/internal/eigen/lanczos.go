package eigen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/simd"
)

var (
	errNotFinite = errors.New("eigen: the operator gave a number that is not finite")
	errEnded     = errors.New("eigen: ended early")
)

// lanczos is the state of one search.
type lanczos struct {
	ctx      context.Context
	n        int
	apply    func(dst, x []float64)
	tol      float64
	limit    int // products allowed
	products int
	exponent int       // the search runs on 2^exponent·A, and norm and found refer to it
	scaled   []float64 // buffer for 2^exponent times a vector
	norm     float64   // estimate of ‖A‖: the largest |Ritz value| or |Tᵢⱼ| so far
	rng      *rand.Rand
	known    [][]float64
	found    []pair
	bad      bool   // the operator gave a number that is not finite
	ended    string // why the search ended early, or empty
}

type pair struct {
	value  float64
	vector []float64
}

func newLanczos(s Solver, ctx context.Context, n int, apply func(dst, x []float64)) *lanczos {
	l := &lanczos{
		ctx: ctx, n: n, apply: apply, tol: s.Tol, limit: s.MaxProducts, scaled: make([]float64, n),
		rng: rand.New(rand.NewPCG(s.Seed, 0x6c616e637a6f73)), known: s.Known,
	}
	l.tol = cmp.Or(l.tol, 1e-10)
	if l.limit == 0 {
		l.limit = 20000
	}
	return l
}

// search finds the k largest pairs. It then looks for further copies of multiple
// eigenvalues until the largest remaining pair is no larger than the k-th.
func (l *lanczos) search(k int) error {
	if err := l.run(k); err != nil {
		return err
	}
	for len(l.known)+len(l.found) < l.n {
		before := len(l.found)
		if err := l.run(1); err != nil {
			return err
		}
		if l.found[before].value <= l.kth(k)+l.tol*l.norm {
			return nil
		}
	}
	return nil
}

// kth returns the k-th largest value, not counting the pair found last.
func (l *lanczos) kth(k int) float64 {
	values := make([]float64, len(l.found)-1)
	for i := range values {
		values[i] = l.found[i].value
	}
	slices.Sort(values)
	return values[len(values)-k]
}

// run finds the largest want pairs of A orthogonal to all vectors in known and found,
// and appends them to found.
func (l *lanczos) run(want int) error {
	space := l.n - len(l.known) - len(l.found)
	m := min(space, max(2*want+16, 48)) // size of the basis
	V := make([][]float64, 0, m+1)      // the basis, orthonormal
	T := mat.NewSymDense(m, nil)        // VᵀAV
	V = append(V, l.direction(V))
	w := make([]float64, l.n)
	for {
		// Lanczos steps: w = A·v, orthogonalised against the whole basis and
		// normalised, is the next basis vector; the coefficients form the new column of
		// T.
		beta := 0.0
		for j := len(V) - 1; j < m; j++ {
			if err := l.step(w, V[j]); err != nil {
				return l.keep(err, V[:j], T, want)
			}
			h := make([]float64, j+1)
			beta = l.orthogonalise(w, V, h)
			for i, c := range h {
				T.SetSym(i, j, c)
			}
			l.norm = max(l.norm, math.Abs(h[j]), beta)
			if len(V) == space {
				beta = 0
				break
			}
			if beta <= 1e-14*l.norm {
				// The basis spans an invariant subspace: continue with a random
				// direction.
				V, beta = append(V, l.direction(V)), 0
				continue
			}
			V = append(V, scaled(1/beta, w))
		}
		values, S, err := l.ritz(T, m)
		if err != nil {
			return err
		}
		l.norm = max(l.norm, math.Abs(values[0]), math.Abs(values[m-1]))
		// A·V = V·T + βv·eₘᵀ, so the residual of the Ritz pair (θ, Vs) is β|sₘ|.
		converged := true
		for i := range want {
			converged = converged && beta*math.Abs(S[i][m-1]) <= l.tol*l.norm
		}
		keep := want
		if !converged {
			keep = want + (m-want)/2
		}
		rotated, err := l.combine(V[:m], S[:keep])
		if err != nil {
			return err
		}
		if converged {
			l.lock(values[:want], rotated)
			return nil
		}
		// Thick restart: keep the best Ritz vectors and the last vector of the basis.
		V = append(rotated, V[m])
		T.Zero()
		for i := range keep {
			T.SetSym(i, i, values[i])
		}
	}
}

// step sets w to A·v, or returns an error if the search must end.
func (l *lanczos) step(w, v []float64) error {
	if err := l.done(); err != nil {
		return err
	}
	if l.products >= l.limit {
		l.ended = fmt.Sprintf("%d products are not enough", l.limit)
		return errEnded
	}
	l.mul(w, v)
	if l.bad {
		return errNotFinite
	}
	return l.done()
}

// done returns errEnded if the context is done.
func (l *lanczos) done() error {
	if l.ctx.Err() == nil {
		return nil
	}
	l.ended = "the context ended the search"
	return errEnded
}

// mul sets w to 2^exponent·A·v. The first product chooses the exponent: 0, unless the
// elements are so small that products underflow or so large that their sums overflow.
func (l *lanczos) mul(w, v []float64) {
	l.product(w, v)
	if l.products > 1 || l.bad {
		return
	}
	switch size := floats.Norm(w, math.Inf(1)); {
	case size < 0x1p-500:
		l.exponent = 700
	case size > 0x1p500:
		l.exponent = -500
	default:
		return
	}
	l.product(w, v)
}

func (l *lanczos) product(w, v []float64) {
	if l.exponent != 0 {
		floats.ScaleTo(l.scaled, math.Ldexp(1, l.exponent), v)
		v = l.scaled
	}
	l.apply(w, v)
	l.products++
	l.bad = l.bad || !(floats.Norm(w, math.Inf(1)) <= math.MaxFloat64)
}

// keep locks the best pairs of an unfinished basis, to be returned with err. It does
// nothing if the context is done, since there is no time left.
func (l *lanczos) keep(err error, V [][]float64, T *mat.SymDense, want int) error {
	if !errors.Is(err, errEnded) || len(V) == 0 || l.ctx.Err() != nil {
		return err
	}
	want = min(want, len(V))
	values, S, failed := l.ritz(T, len(V))
	if failed != nil {
		return failed
	}
	vectors, failed := l.combine(V, S[:want])
	if failed != nil {
		return failed
	}
	l.lock(values[:want], vectors)
	return err
}

func (l *lanczos) lock(values []float64, vectors [][]float64) {
	for i, v := range vectors {
		floats.Scale(1/floats.Norm(v, 2), v)
		l.found = append(l.found, pair{values[i], v})
	}
}

// orthogonalise makes w orthogonal to all vectors in known, found and V, adds the
// coefficients of V to h, and returns the norm of the remainder. Two passes are enough
// (W. Kahan and B. N. Parlett, in Parlett, The Symmetric Eigenvalue Problem, 1980,
// section 6.9).
func (l *lanczos) orthogonalise(w []float64, V [][]float64, h []float64) float64 {
	for range 2 {
		for _, v := range l.known {
			simd.AddScaled(w, -simd.Dot(v, w), v)
		}
		for _, f := range l.found {
			simd.AddScaled(w, -simd.Dot(f.vector, w), f.vector)
		}
		for i, v := range V {
			c := simd.Dot(v, w)
			simd.AddScaled(w, -c, v)
			h[i] += c
		}
	}
	return floats.Norm(w, 2)
}

// direction returns a random unit vector orthogonal to known, found and V.
func (l *lanczos) direction(V [][]float64) []float64 {
	v := make([]float64, l.n)
	h := make([]float64, len(V))
	for {
		for i := range v {
			v[i] = l.rng.NormFloat64()
		}
		// The remainder may be small if little of the space is left; a second round
		// makes it orthogonal to full precision.
		norm := l.orthogonalise(v, V, h)
		if norm <= 1e-10 {
			continue
		}
		floats.Scale(1/norm, v)
		floats.Scale(1/l.orthogonalise(v, V, h), v)
		return v
	}
}

// ritz returns the eigenpairs of the leading m×m part of T, largest eigenvalue first,
// or errEnded.
func (l *lanczos) ritz(T *mat.SymDense, m int) ([]float64, [][]float64, error) {
	values, S, err := Full(l.ctx, T.SliceSym(0, m).(*mat.SymDense))
	if err != nil && l.done() != nil {
		return nil, nil, errEnded
	}
	return values, S, err
}

// combine returns Σ sⱼvⱼ for each s in S, or errEnded.
func (l *lanczos) combine(V, S [][]float64) ([][]float64, error) {
	out := make([][]float64, len(S), len(V)+1)
	for i, s := range S {
		if err := l.done(); err != nil {
			return nil, err
		}
		out[i] = make([]float64, l.n)
		for j, v := range V {
			simd.AddScaled(out[i], s[j], v)
		}
	}
	return out, nil
}

func scaled(a float64, w []float64) []float64 {
	v := make([]float64, len(w))
	simd.AddScaled(v, a, w)
	return v
}
