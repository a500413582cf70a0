package main

import (
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/cluster"
	"marginalia/mlkit/kernel"
)

func fitKernelPCA(t task, train, _ samples, c *clock) (s solution, err error) {
	var m *kernel.PCAModel
	if err := c.fit(func() error {
		m, err = kernel.PCA{Kernel: kernel.RBF{Gamma: t.Params.Gamma}, Components: t.Params.K}.Fit(train.X)
		return err
	}); err != nil {
		return s, err
	}
	s.Vectors = rowsOf(m.Vectors.Dense())
	return s, nil
}

func fitKernelRidge(t task, train, _ samples, c *clock) (s solution, err error) {
	targets := make([]float64, len(train.y))
	for i, y := range train.y {
		targets[i] = float64(y)
	}
	var m *kernel.RidgeModel
	if err := c.fit(func() error {
		m, err = kernel.Ridge{Kernel: kernel.RBF{Gamma: t.Params.Gamma}, Lambda: t.Params.Lambda}.Fit(train.X, targets)
		return err
	}); err != nil {
		return s, err
	}
	s.Alpha = m.Coef
	return s, nil
}

// fitKMeans starts from the first samples, as every side does.
func fitKMeans(t task, train, _ samples, c *clock) (s solution, err error) {
	_, d := train.X.Dims()
	start := mat.DenseCopyOf(train.X.Slice(0, t.Params.K, 0, d))
	var m *cluster.KMeansModel
	if err := c.fit(func() error { m, err = cluster.KMeans{K: t.Params.K, Start: start}.Fit(train.X); return err }); err != nil {
		return s, err
	}
	s.Centres, s.Passes = m.Centres, m.Iterations
	return s, nil
}

func fitSpectral(t task, train, _ samples, c *clock) (s solution, err error) {
	p := cluster.Spectral{K: t.Params.K, Gamma: t.Params.Gamma}
	if t.Params.Neighbours > 0 {
		// scikit-learn counts a sample as its own neighbour.
		p = cluster.Spectral{K: t.Params.K, Affinity: cluster.Neighbours, Nearest: t.Params.Neighbours - 1}
	}
	var m *cluster.SpectralModel
	if err := c.fit(func() error { m, err = p.Fit(train.X); return err }); err != nil {
		return s, err
	}
	s.Labels = m.Labels
	return s, nil
}

func rowsOf(A *mat.Dense) [][]float64 {
	n, _ := A.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = A.RawRowView(i)
	}
	return rows
}
