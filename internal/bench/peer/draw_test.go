//go:build unix

package peer_test

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// samples draws n×d samples with properties that trip learners up: ties, duplicates,
// collinear or constant features, and features in very different units.
func (t *trial) samples(n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	X.Apply(func(int, int, float64) float64 { return t.NormFloat64() }, X)
	kinds := []string{}
	if t.IntN(4) == 0 {
		kinds = append(kinds, "ties")
		X.Apply(func(_, _ int, x float64) float64 { return math.Round(2 * x) }, X)
	}
	if d > 1 && t.IntN(4) == 0 {
		kinds = append(kinds, "collinear")
		for i := range n {
			X.Set(i, d-1, X.At(i, 0)+X.At(i, (d-1)/2))
		}
	}
	if d > 1 && t.IntN(8) == 0 {
		kinds = append(kinds, "constant")
		for i := range n {
			X.Set(i, d-1, 1)
		}
	}
	if t.IntN(4) == 0 {
		kinds = append(kinds, "units")
		for j := range d {
			unit := math.Pow(10, 4*t.Float64()-2)
			for i := range n {
				X.Set(i, j, unit*X.At(i, j))
			}
		}
	}
	if t.IntN(4) == 0 {
		kinds = append(kinds, "duplicates")
		for range n / 2 {
			X.SetRow(t.IntN(n), X.RawRowView(t.IntN(n)))
		}
	}
	t.Logf("%d×%d %v", n, d, kinds)
	return X
}

// size draws the number of samples and of features.
func (t *trial) size() (n, d int) { return 8 + t.IntN(53), 1 + t.IntN(8) }

// signs draws labels -1 and +1 of a noisy hyperplane. Each occurs at least twice.
func (t *trial) signs(X *mat.Dense) []int {
	n, d := X.Dims()
	w := make([]float64, d)
	for j := range w {
		w[j] = t.NormFloat64()
	}
	noise := []float64{0, 0.3, 2}[t.IntN(3)] // separable, overlapping, hardly related
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = mat.Dot(X.RowView(i), mat.NewVecDense(d, w))
	}
	spread := deviation(scores)
	y := make([]int, n)
	for i := range y {
		y[i] = 1
		if scores[i]+noise*spread*t.NormFloat64() < 0 {
			y[i] = -1
		}
	}
	copy(y, []int{1, -1, 1, -1})
	return y
}

// classes draws labels of k classes, each at least twice, and shifts the samples of
// each class by a centre of its own.
func (t *trial) classes(X *mat.Dense, k int) []int {
	n, d := X.Dims()
	names := []int{-7, 0, 3, 12, 40}[:k]
	spread := deviation(X.RawMatrix().Data)
	centres := mat.NewDense(k, d, nil)
	centres.Apply(func(int, int, float64) float64 { return 1.5 * spread * t.NormFloat64() }, centres)
	y := make([]int, n)
	for i := range y {
		c := t.IntN(k)
		if i < 2*k {
			c = i % k
		}
		y[i] = names[c]
		for j := range d {
			X.Set(i, j, X.At(i, j)+centres.At(c, j))
		}
	}
	return y
}

// targets draws a noisy linear function of X.
func (t *trial) targets(X *mat.Dense) []float64 {
	n, d := X.Dims()
	w := mat.NewVecDense(d, nil)
	for j := range d {
		w.SetVec(j, t.NormFloat64())
	}
	y := mat.NewVecDense(n, nil)
	y.MulVec(X, w)
	spread := deviation(y.RawVector().Data)
	for i := range n {
		y.SetVec(i, y.AtVec(i)+0.3*spread*t.NormFloat64()+1)
	}
	return y.RawVector().Data
}

// others draws m further samples, on lines through two samples of X: between them and
// beyond.
func (t *trial) others(X *mat.Dense, m int) *mat.Dense {
	n, d := X.Dims()
	Z := mat.NewDense(m, d, nil)
	for i := range m {
		from, to := X.RawRowView(t.IntN(n)), X.RawRowView(t.IntN(n))
		a := 2*t.Float64() - 0.5
		for j := range d {
			Z.Set(i, j, from[j]+a*(to[j]-from[j]))
		}
	}
	return Z
}

// power draws 10 to a power between lo and hi, such as a C or λ from tiny to huge.
func (t *trial) power(lo, hi float64) float64 { return math.Pow(10, lo+(hi-lo)*t.Float64()) }

// weights draws sample weights: mostly small numbers, some of them 0. In each class at
// least one is positive.
func (t *trial) weights(y []int) []float64 {
	w := make([]float64, len(y))
	for i := range w {
		w[i] = []float64{0, 0.5, 1, 1, 2, 3.25}[t.IntN(6)]
		if !slices.Contains(y[:i], y[i]) {
			w[i] = 1
		}
	}
	return w
}

// positiveWeights draws n sample weights from 0.5 to 3.25, or nil.
func (t *trial) positiveWeights(n int) []float64 {
	if t.IntN(2) == 0 {
		return nil
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = []float64{0.5, 1, 2, 3.25}[t.IntN(4)]
	}
	return w
}

func deviation(x []float64) float64 {
	return stat.PopStdDev(x, nil) + 1e-3
}

// rows returns X in the form that scikit-learn gets.
func rows(X *mat.Dense) [][]float64 {
	n, _ := X.Dims()
	r := make([][]float64, n)
	for i := range r {
		r[i] = X.RawRowView(i)
	}
	return r
}

// flat returns the elements of a matrix in one slice, row by row.
func flat(A mat.Matrix) []float64 { return mat.DenseCopyOf(A).RawMatrix().Data }

func concat(rows [][]float64) []float64 { return slices.Concat(rows...) }

// condition returns the condition number of X extended by a constant column, ignoring
// singular values that are rounding errors.
func condition(X *mat.Dense) float64 {
	n, d := X.Dims()
	E := mat.NewDense(n, d+1, nil)
	E.Augment(X, constant(n))
	var svd mat.SVD
	if !svd.Factorize(E, mat.SVDNone) {
		return math.Inf(1)
	}
	s := svd.Values(nil)
	last := s[0]
	for _, v := range s {
		if v > 1e-12*s[0] {
			last = v
		}
	}
	return s[0] / last
}
