package svm

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/gram"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
	"marginalia/mlkit/kernel"
)

// Scores are evaluated together from scorerSamples samples and scorerVectors support
// vectors on. Smaller jobs are fast anyway, and keep the same bits on every processor.
const (
	scorerSamples = 8
	scorerVectors = 1000
)

// scorer evaluates the scores of several models with the same kernel for many samples at
// once, in float64. It evaluates a support vector that models share once.
type scorer struct {
	models  []*Model
	f       gram.Function
	vectors [][]float64
	terms   [][]gram.Term
	shift   []float64
	space   gram.Space
}

// newScorer returns a scorer for n samples, or nil if scoring them one by one is better.
func newScorer(models []*Model, n int) *scorer {
	f, ok := kernel.OfProducts(models[0].Kernel)
	if !ok || n < scorerSamples {
		return nil
	}
	total := 0
	for _, m := range models {
		if g, ok := kernel.OfProducts(m.Kernel); !ok || g != f || m.W != nil {
			return nil
		}
		total += len(m.Vectors)
	}
	if total < scorerVectors {
		return nil
	}
	s := &scorer{models: models, f: gram.Function(f)}
	known := map[uint64][]int{}
	for k, m := range models {
		for i, v := range m.Vectors {
			h := rows.Hash(v)
			at := slices.IndexFunc(known[h], func(j int) bool { return slices.Equal(s.vectors[j], v) })
			if at < 0 {
				known[h] = append(known[h], len(s.vectors))
				at = len(known[h]) - 1
				s.vectors = append(s.vectors, v)
				s.terms = append(s.terms, nil)
			}
			j := known[h][at]
			s.terms[j] = append(s.terms[j], gram.Term{Sum: k, Coef: m.Coef[i]})
		}
	}
	if len(s.vectors) < scorerVectors {
		return nil
	}
	if f.Gauss {
		s.shift, _ = gram.Shift(work.Never{}, s.f, len(s.vectors), len(s.vectors[0]), func(i int) []float64 { return s.vectors[i] })
	}
	return s
}

// scores sets dst[k][t] to the score of models[k] for row from+t of X.
func (s *scorer) scores(dst [][]float64, X *mat.Dense, from int) {
	row := func(t int) []float64 { return X.RawRowView(from + t) }
	for _, scores := range dst {
		clear(scores)
	}
	n := len(dst[0])
	if err := gram.Sums(work.Never{}, dst, s.f, s.vectors, s.terms, n, row, s.shift, &s.space); err != nil {
		panic(err) // cannot happen: only a context ends Sums early
	}
	for k, m := range s.models {
		for t := range dst[k] {
			dst[k][t] += m.B
			if !check.Finite(dst[k][t]) {
				dst[k][t] = m.score(row(t)) // the squares overflow, but perhaps not their difference
			}
		}
	}
}

// ScoresOfAll sets dst[k][i] to the score of row i of X (n×d) by machines[k], with one
// evaluation of a support vector that several of them share: see multiclass.JointScorer.
// It panics if Scores of a machine would.
func (m *Model) ScoresOfAll(dst [][]float64, machines []*Model, X mat.Matrix) {
	n, d := X.Dims()
	for k, machine := range machines {
		machine.mustFit("ScoresOfAll", d)
		destination("ScoresOfAll", dst[k], n)
	}
	if s := newScorer(machines, n); s != nil {
		s.scores(dst, asDense(X), 0)
		return
	}
	for k, machine := range machines {
		machine.Scores(dst[k], X)
	}
}

// asDense returns X, or a dense copy, so that goroutines can read rows concurrently.
func asDense(X mat.Matrix) *mat.Dense {
	if dense, ok := X.(*mat.Dense); ok {
		return dense
	}
	return mat.DenseCopyOf(X)
}
