package libsvm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// SVM is a model of svm-train (C-SVC or nu-SVC, which differ in training alone): a machine for
// every two classes, which vote.
type SVM struct {
	Labels []int // the classes, in the order of the file

	// Machines are those of Labels[0] against Labels[1], 0 against 2, …, 1 against 2, and so on. Each
	// scores the first above 0 and the second below. They share support vectors.
	Machines []*svm.Model

	// Sigmoids make a probability of the first class of a machine from its score (-b 1, probA and
	// probB). There is one for each machine, or none.
	Sigmoids []calibration.Platt
}

// OfProbable returns the machines of a model with probabilities. It shares them with m.
func OfProbable(m *multiclass.ProbableOneVsOneModel[*calibration.ClassifierModel[*svm.Model]]) *SVM {
	s := &SVM{Labels: m.Classes}
	for _, machine := range m.Machines {
		s.Machines = append(s.Machines, machine.Model)
		s.Sigmoids = append(s.Sigmoids, machine.Sigmoid)
	}
	return s
}

// Inputs returns the number of features of a sample, or 0 if no machine has a support vector.
func (m *SVM) Inputs() int {
	for _, machine := range m.Machines {
		if d := machine.Inputs(); d > 0 {
			return d
		}
	}
	return 0
}

// Predict returns the label of x, as svm-predict does: the label with most votes, the first in
// Labels in a tie. It panics if len(x) is not the number of features.
func (m *SVM) Predict(x []float64) int {
	scores := make([]float64, len(m.Machines))
	for k, machine := range m.Machines {
		scores[k] = machine.Score(x)
	}
	return m.label(scores)
}

// Predictions sets dst[i] to the label of row i of X (n×d) and returns dst, a new slice if dst is
// nil. It panics if Predict would, or if len(dst) != n.
func (m *SVM) Predictions(dst []int, X mat.Matrix) []int {
	n, _ := X.Dims()
	if dst == nil {
		dst = make([]int, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("libsvm: Predictions: len(dst) = %d, want %d, the number of samples", len(dst), n))
	}
	of := make([][]float64, len(m.Machines))
	for k, machine := range m.Machines {
		of[k] = machine.Scores(nil, X)
	}
	scores := make([]float64, len(of))
	for i := range dst {
		for k := range scores {
			scores[k] = of[k][i]
		}
		dst[i] = m.label(scores)
	}
	return dst
}

// label returns the label that the scores of the machines vote for.
func (m *SVM) label(scores []float64) int {
	votes := make([]int, len(m.Labels))
	k := 0
	for i := range m.Labels {
		for j := i + 1; j < len(m.Labels); j++ {
			if scores[k] > 0 {
				votes[i]++
			} else {
				votes[j]++
			}
			k++
		}
	}
	return m.Labels[slices.Index(votes, slices.Max(votes))]
}

// OneVsOne returns the machines as a model of package multiclass, which package modelfile stores.
// The package comment says where its labels differ. It shares support vectors with m.
func (m *SVM) OneVsOne() *multiclass.OneVsOneModel[*svm.Model] {
	o := &multiclass.OneVsOneModel[*svm.Model]{}
	m.ordered(func(first, second, k int, swapped bool) {
		machine := m.Machines[k]
		if swapped {
			machine = negated(machine)
		}
		o.Pairs, o.Machines, o.Rows = append(o.Pairs, [2]int{first, second}), append(o.Machines, machine), append(o.Rows, nil)
	})
	o.Classes = slices.Sorted(slices.Values(m.Labels))
	return o
}

// ProbableOneVsOne is OneVsOne with the probabilities. It returns an error if there are no
// Sigmoids, or if the probability of one falls with its score.
func (m *SVM) ProbableOneVsOne() (*multiclass.ProbableOneVsOneModel[*calibration.ClassifierModel[*svm.Model]], error) {
	if len(m.Sigmoids) == 0 {
		return nil, errors.New("libsvm: the model has no probabilities; train it with -b 1")
	}
	plain := m.OneVsOne()
	p := &multiclass.ProbableOneVsOneModel[*calibration.ClassifierModel[*svm.Model]]{}
	p.Classes, p.Pairs, p.Rows = plain.Classes, plain.Pairs, plain.Rows
	var err error
	m.ordered(func(first, second, k int, swapped bool) {
		s := m.Sigmoids[k]
		if s.A > 0 && err == nil {
			err = fmt.Errorf("libsvm: the probability of %d against %d falls with the score (A = %v); there is nothing like it in mlkit", first, second, s.A)
		}
		if swapped {
			s.B = -s.B // 1 - σ(-A f - B) = σ(-A(-f) + B)
		}
		p.Machines = append(p.Machines, &calibration.ClassifierModel[*svm.Model]{Model: plain.Machines[len(p.Machines)], Sigmoid: s})
	})
	return p, err
}

// ordered calls each for every two labels in ascending order, with the machine for them and whether
// it has the larger label as its first.
func (m *SVM) ordered(each func(first, second, k int, swapped bool)) {
	M := len(m.Labels)
	at := make([]int, M)
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int { return cmp.Compare(m.Labels[i], m.Labels[j]) })
	for k, first := range at {
		for _, second := range at[k+1:] {
			i, j := min(first, second), max(first, second)
			each(m.Labels[first], m.Labels[second], i*M-i*(i+1)/2+j-i-1, first > second)
		}
	}
}

// negated returns the machine with the other sign.
func negated(m *svm.Model) *svm.Model {
	n := *m.Predictor()
	minus := func(v []float64) []float64 {
		v = slices.Clone(v)
		floats.Scale(-1, v)
		return v
	}
	n.Coef, n.B, n.W = minus(n.Coef), -n.B, minus(n.W)
	return &n
}
