//go:build unix

package conventions_test

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"marginalia/mlkit"
	"marginalia/mlkit/cluster"
	"marginalia/mlkit/discriminant"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/leastsquares"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/modelfile/libsvm"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/neighbors"
	"marginalia/mlkit/perceptron"
	"marginalia/mlkit/svm"
)

// ours answers as the adapters of the peers do.

func ours(q problem) (answer, error) {
	X, Z := dense(q.X), dense(q.Z)
	switch q.Peer {
	case "perceptron":
		return linear(perceptron.Perceptron{}.Fit)(X, q.Y, Z)
	case "svc":
		return linear(svm.Classifier{C: 1}.Fit)(X, q.Y, Z)
	case "linear_svc":
		return linear(svm.DualDescent{C: 1}.Fit)(X, q.Y, Z)
	case "logistic":
		return linear(logistic.Regression{}.Fit)(X, q.Y, Z)
	case "logistic_l2":
		return linear(logistic.Regression{L2: 1}.Fit)(X, q.Y, Z)
	case "svc_scale":
		_, d := X.Dims()
		return linear(svm.Classifier{Kernel: kernel.RBF{Gamma: 1 / (float64(d) * stat.PopVariance(X.RawMatrix().Data, nil))}}.Fit)(X, q.Y, Z)
	case "svc_auto":
		_, d := X.Dims()
		return linear(svm.Classifier{Kernel: kernel.RBF{Gamma: 1 / float64(d)}}.Fit)(X, q.Y, Z)
	case "newton_1_penalized":
		return linear(svm.Newton{Bias: mlkit.PenalizedBias}.Fit)(X, q.Y, Z)
	case "newton_1_none":
		return linear(svm.Newton{Bias: mlkit.NoBias}.Fit)(X, q.Y, Z)
	case "ridge_1":
		return linear(leastsquares.Classifier{Lambda: 1}.Fit)(X, q.Y, Z)
	case "logistic_2":
		return linear(logistic.Regression{L2: 2}.Fit)(X, q.Y, Z)
	case "svc_2":
		return linear(svm.Classifier{C: 2, Tol: 1e-9}.Fit)(X, q.Y, Z)
	case "dual_2":
		return linear(svm.DualDescent{C: 2, Tol: 1e-9}.Fit)(X, q.Y, Z)
	case "dual_2_penalized":
		return linear(svm.DualDescent{C: 2, Bias: mlkit.PenalizedBias, Tol: 1e-9}.Fit)(X, q.Y, Z)
	case "newton_2":
		return linear(svm.Newton{C: 2}.Fit)(X, q.Y, Z)
	case "newton_2_penalized":
		return linear(svm.Newton{C: 2, Bias: mlkit.PenalizedBias}.Fit)(X, q.Y, Z)
	case "ridge_2":
		return linear(leastsquares.Classifier{Lambda: 2}.Fit)(X, q.Y, Z)
	case "lda_likelihood":
		return linear(discriminant.LDA{Divisor: discriminant.MaximumLikelihood}.Fit)(X, q.Y, Z)
	case "nb_likelihood":
		return probable(discriminant.GaussianNB{Divisor: discriminant.MaximumLikelihood}.Fit)(X, q.Y, Z)
	case "lda":
		return linear(discriminant.LDA{}.Fit)(X, q.Y, Z)
	case "qda":
		return probable(discriminant.QDA{}.Fit)(X, q.Y, Z)
	case "nb":
		return probable(discriminant.GaussianNB{}.Fit)(X, q.Y, Z)
	case "svc_classes", "svc_file":
		m, err := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{C: 100}}.Fit(X, q.Y)
		if err != nil {
			return answer{Error: err.Error()}, nil
		}
		a := answer{Labels: asNumbers(m.Predictions(nil, Z)), Scores: asNumbers(m.Decisions(nil, q.Z[0]))}
		if q.Peer == "svc_file" { // with the labels in the order of the samples, as LIBSVM has them
			file := &libsvm.SVM{}
			for _, label := range q.Y {
				if !slices.Contains(file.Labels, label) {
					file.Labels = append(file.Labels, label)
				}
			}
			for i, first := range file.Labels {
				for _, second := range file.Labels[i+1:] {
					k := slices.Index(m.Pairs, [2]int{min(first, second), max(first, second)})
					machine := *m.Machines[k]
					if first > second {
						machine.Coef, machine.B, machine.W = negated(machine.Coef), -machine.B, negated(machine.W)
					}
					file.Machines = append(file.Machines, &machine)
				}
			}
			a.Labels = asNumbers(file.Predictions(nil, Z))
		}
		return a, nil
	case "knn":
		return probable(neighbors.KNN{K: q.Parameters["n_neighbors"].(int)}.Fit)(X, q.Y, Z)
	case "least_squares":
		return linear(leastsquares.Classifier{}.Fit)(X, q.Y, Z)
	case "pca":
		m, err := feature.PCA{}.Fit(X)
		if err != nil {
			return answer{Error: err.Error()}, nil
		}
		a := answer{Variances: asNumbers(m.Variances)}
		for _, u := range m.Directions {
			a.Components = append(a.Components, asNumbers(u))
		}
		return a, nil
	case "scale":
		m, err := feature.Standardize{}.Fit(X)
		if err != nil {
			return answer{Error: err.Error()}, nil
		}
		var a answer
		for _, z := range q.Z {
			a.Scaled = append(a.Scaled, asNumbers(m.TransformSample(nil, z)))
		}
		return a, nil
	case "kmeans":
		m, err := cluster.KMeans{K: 3}.Fit(X)
		if err != nil {
			return answer{Error: err.Error()}, nil
		}
		return answer{Assigned: asNumbers(m.Labels)}, nil
	}
	return answer{}, fmt.Errorf("no algorithm %q", q.Peer)
}

func linear[M interface {
	Predictions(dst []int, X mat.Matrix) []int
	Scores(dst []float64, X mat.Matrix) []float64
}](fit func(X *mat.Dense, y []int) (M, error)) func(X *mat.Dense, y []int, Z *mat.Dense) (answer, error) {
	return func(X *mat.Dense, y []int, Z *mat.Dense) (answer, error) {
		m, err := fit(X, y)
		if converged := new(mlkit.NotConvergedError); err != nil && !errors.As(err, &converged) {
			return answer{Error: err.Error()}, nil
		}
		a := answer{Scores: asNumbers(m.Scores(nil, Z)), Labels: asNumbers(m.Predictions(nil, Z))}
		if err != nil {
			a.Beside = err.Error()
		}
		if h, ok := hyperplane(m); ok {
			b := number(h.B)
			a.W, a.B = asNumbers(h.W), &b
		}
		if p, ok := any(m).(posteriors); ok {
			a.Probabilities = asRows(p.Posteriors(nil, Z))
		}
		return a, nil
	}
}

func hyperplane(m any) (mlkit.Hyperplane, bool) {
	switch m := m.(type) {
	case *perceptron.Model:
		return m.Hyperplane, true
	case *svm.LinearModel:
		return m.Hyperplane, true
	case interface {
		Hyperplane() (mlkit.Hyperplane, bool)
	}:
		return m.Hyperplane()
	}
	return mlkit.Hyperplane{}, false
}

type posteriors interface {
	Posteriors(dst *mat.Dense, X mat.Matrix) *mat.Dense
}

func probable[M interface {
	Predictions(dst []int, X mat.Matrix) []int
	posteriors
}](fit func(X *mat.Dense, y []int) (M, error)) func(X *mat.Dense, y []int, Z *mat.Dense) (answer, error) {
	return func(X *mat.Dense, y []int, Z *mat.Dense) (answer, error) {
		m, err := fit(X, y)
		if converged := new(mlkit.NotConvergedError); err != nil && !errors.As(err, &converged) {
			return answer{Error: err.Error()}, nil
		}
		return answer{Labels: asNumbers(m.Predictions(nil, Z)), Probabilities: asRows(m.Posteriors(nil, Z))}, nil
	}
}

func negated(v []float64) []float64 {
	n := make([]float64, len(v))
	for i, x := range v {
		n[i] = -x
	}
	return n
}

func dense(rows [][]float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		X.SetRow(i, row)
	}
	return X
}

func asRows(X *mat.Dense) (rows [][]number) {
	n, _ := X.Dims()
	for i := range n {
		rows = append(rows, asNumbers(X.RawRowView(i)))
	}
	return rows
}

func asNumbers[T int | float64](v []T) []number {
	n := make([]number, len(v))
	for i, x := range v {
		n[i] = number(x)
	}
	return n
}
