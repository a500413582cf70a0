package main

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ridgeValue is ½ α·(K + λI)α - α·y, of which the α of kernel ridge regression is
// the minimum. The targets are the labels.
func ridgeValue(t task, train, _ samples, s solution) (float64, error) {
	if len(s.Alpha) != len(train.y) {
		return 0, fmt.Errorf("%d coefficients, want %d", len(s.Alpha), len(train.y))
	}
	value := t.Params.Lambda / 2 * floats.Dot(s.Alpha, s.Alpha)
	for i, f := range expansion(t.Params.Gamma, train.X, s.Alpha, train.X) {
		value += s.Alpha[i] * (f/2 - float64(train.y[i]))
	}
	return value, nil
}

// lostVariance is minus the sum of v·K̃v over the components v of a kernel PCA,
// orthonormal vectors; K̃ is the centred Gram matrix. The eigenvectors with the largest
// eigenvalues minimise it (Ky Fan, 1949).
func lostVariance(t task, train, _ samples, s solution) (float64, error) {
	n := len(train.y)
	if len(s.Vectors) != t.Params.K {
		return 0, fmt.Errorf("%d components, want %d", len(s.Vectors), t.Params.K)
	}
	V := mat.NewDense(t.Params.K, n, nil)
	for c, v := range s.Vectors {
		if len(v) != n {
			return 0, fmt.Errorf("component %d has %d numbers, want %d", c, len(v), n)
		}
		V.SetRow(c, v)
		floats.Scale(1/floats.Norm(v, 2), V.RawRowView(c))
		for e := range c {
			if dot := mat.Dot(V.RowView(c), V.RowView(e)); !(math.Abs(dot) <= 1e-5) {
				return 0, fmt.Errorf("components %d and %d are not orthogonal: %g", e, c, dot)
			}
		}
	}
	value := 0.0
	for c := range t.Params.K {
		v := V.RawRowView(c)
		floats.AddConst(-floats.Sum(v)/float64(n), v) // K̃ = (I - 11ᵀ/n)K(I - 11ᵀ/n)
		value -= floats.Dot(v, expansion(t.Params.Gamma, train.X, v, train.X))
	}
	return value, nil
}

// inertia is Σ minₖ ‖xᵢ - mₖ‖². From the same centres every Lloyd goes the same way.
func inertia(t task, train, _ samples, s solution) (float64, error) {
	if len(s.Centers) != t.Params.K {
		return 0, fmt.Errorf("%d centres, want %d", len(s.Centers), t.Params.K)
	}
	total := 0.0
	for i := range train.y {
		nearest := math.Inf(1)
		for _, c := range s.Centers {
			nearest = min(nearest, floats.Distance(train.X.RawRowView(i), c, 2))
		}
		total += nearest * nearest
	}
	return total, nil
}

// normalisedCut is the normalised cut (Jianbo Shi and Jitendra Malik, "Normalized
// cuts and image segmentation", 2000) of the clusters, which are two, in the graph
// with the weights exp(-γ‖x - z‖²): a number that says whether two sides have found
// the same clusters, whatever they call them.
func normalisedCut(t task, train, _ samples, s solution) (float64, error) {
	if len(s.Labels) != len(train.y) {
		return 0, fmt.Errorf("%d labels, want %d", len(s.Labels), len(train.y))
	}
	cut, volume := 0.0, [2]float64{}
	second := make([]float64, len(s.Labels)) // 1 for those in another cluster than the first sample
	for i, label := range s.Labels {
		if label != s.Labels[0] {
			second[i] = 1
		}
	}
	gaussianBlocks(t.Params.Gamma, train.X, train.X, func(from int, K *mat.Dense) {
		rows, _ := K.Dims()
		for i := range rows {
			all, across := floats.Sum(K.RawRowView(i)), floats.Dot(K.RawRowView(i), second)
			volume[int(second[from+i])] += all
			if second[from+i] == 0 {
				cut += across
			}
		}
	})
	return cut/volume[0] + cut/volume[1], nil
}

// projectionError is 1 plus the largest error of the squared lengths of the images of the
// first 500 test samples. Nyström's map projects φ(x) onto the span of the images of the
// landmarks, which are all training samples here: the square is k·K⁻¹k, with the kernels k
// of x and the landmarks.
func projectionError(t task, train, test samples, s solution) (float64, error) {
	n := len(train.y)
	if len(s.Predicted) != len(test.y) || t.Params.K != n {
		return 0, fmt.Errorf("%d images by %d landmarks, want %d by %d", len(s.Predicted), t.Params.K, len(test.y), n)
	}
	K := mat.NewSymDense(n, nil)
	gaussianBlocks(t.Params.Gamma, train.X, train.X, func(from int, block *mat.Dense) {
		rows, _ := block.Dims()
		for i := range rows {
			for j := from + i; j < n; j++ {
				K.SetSym(from+i, j, block.At(i, j))
			}
		}
	})
	var factor mat.Cholesky
	if !factor.Factorize(K) {
		return 0, errors.New("the Gram matrix of the landmarks is singular")
	}
	worst := 0.0
	gaussianBlocks(t.Params.Gamma, test.first(500).X, train.X, func(from int, block *mat.Dense) {
		rows, _ := block.Dims()
		for i := range rows {
			k := mat.NewVecDense(n, block.RawRowView(i))
			var solved mat.VecDense
			if err := factor.SolveVecTo(&solved, k); err != nil {
				worst = math.NaN()
			}
			worst = max(worst, math.Abs(s.Predicted[from+i]-mat.Dot(k, &solved)))
		}
	})
	return 1 + worst, nil
}

// wrongLabels is 1 plus the part of the test samples with a wrong label.
func wrongLabels(_ task, _, test samples, s solution) (float64, error) {
	if len(s.Labels) != len(test.y) {
		return 0, fmt.Errorf("%d predictions, want %d", len(s.Labels), len(test.y))
	}
	return 1 + wrong(s.Labels, test.y), nil
}

// standardised is the number of samples that are looked at of those that were scaled.
const standardised = 100

// notStandard is 1 plus the largest error of the first samples, scaled.
func notStandard(_ task, train, _ samples, s solution) (float64, error) {
	n, d := train.X.Dims()
	if len(s.Vectors) != min(n, standardised) {
		return 0, fmt.Errorf("%d samples, want %d", len(s.Vectors), min(n, standardised))
	}
	worst := 0.0
	for j := range d {
		mean, variance := stat.PopMeanVariance(mat.Col(nil, j, train.X), nil)
		for i, z := range s.Vectors {
			if len(z) != d {
				return 0, fmt.Errorf("sample %d has %d numbers, want %d", i, len(z), d)
			}
			worst = max(worst, math.Abs(z[j]-(train.X.At(i, j)-mean)/math.Sqrt(variance)))
		}
	}
	return 1 + worst, nil
}
