package libsvm

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/kernel"
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

// ReadSVM reads a model of svm-train. name stands for the file in errors.
func (f Format) ReadSVM(r io.Reader, name string) (*SVM, error) {
	if err := f.check(r, name); err != nil {
		return nil, err
	}
	l := newLines(r, name)
	h, err := readHeader(l, "SV", "svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class", "total_sv", "rho", "label", "probA", "probB", "prob_density_marks", "nr_sv")
	if err != nil {
		return nil, err
	}
	kind, err := h.values("svm_type", 1)
	if err != nil {
		return nil, err
	}
	if kind[0] != "c_svc" && kind[0] != "nu_svc" {
		return nil, h.bad("svm_type", "svm_type %s, want c_svc or nu_svc; mlkit has support vector machines for classes alone", short(kind[0]))
	}
	k, err := readKernel(h)
	if err != nil {
		return nil, err
	}
	counts, err := h.integers("nr_class", 1, 2)
	if err != nil {
		return nil, err
	}
	M := counts[0]
	fields, err := h.values("label", -1)
	if err == nil && len(fields) != M { // a small file with a large nr_class takes no memory
		err = h.bad("label", "%d labels of %d classes", len(fields), M)
	}
	if err != nil {
		return nil, err
	}
	m := &SVM{}
	if m.Labels, err = h.labels(M); err != nil {
		return nil, err
	}
	rho, err := h.numbers("rho", M*(M-1)/2)
	if err != nil {
		return nil, err
	}
	if m.Sigmoids, err = readSigmoids(h, len(rho)); err != nil {
		return nil, err
	}
	sizes, err := h.integers("nr_sv", M, 0)
	if err != nil {
		return nil, err
	}
	total, err := h.integers("total_sv", 1, 0)
	if err != nil {
		return nil, err
	}
	weights := 0 // rows of them, which a linear machine has
	if k == (kernel.Linear{}) {
		weights = len(rho)
	}
	v, err := f.readVectors(l, M, total[0], weights)
	if err != nil {
		return nil, err
	}
	starts := []int{0} // of the support vectors of each class
	for _, size := range sizes {
		starts = append(starts, starts[len(starts)-1]+size)
	}
	if sum := starts[M]; sum != len(v.coefs) || slices.Max(sizes) > sum {
		return nil, h.bad("nr_sv", "nr_sv has %d support vectors in all, want %d, the number of those below", sum, len(v.coefs))
	}
	if k == (kernel.Linear{}) && v.d == 0 {
		return nil, fmt.Errorf("libsvm: %s: no support vector has a feature; set D, their number", name)
	}
	for i := range M {
		for j := i + 1; j < M; j++ {
			machine := &svm.Model{Kernel: kernel.Any{Kernel: k}, B: -rho[len(m.Machines)], Vectors: [][]float64{}, Coef: []float64{}}
			v.add(machine, starts[i], starts[i+1], j-1)
			v.add(machine, starts[j], starts[j+1], i)
			if k == (kernel.Linear{}) {
				machine.W = make([]float64, v.d)
				for s, x := range machine.Vectors {
					floats.AddScaled(machine.W, machine.Coef[s], x)
				}
				machine.Norm = floats.Norm(machine.W, 2)
			}
			m.Machines = append(m.Machines, machine)
		}
	}
	return m, nil
}

// vectors are the support vectors of a file, those of the first class first. A row of coefs has
// a coefficient for each of the other classes.
type vectors struct {
	rows, coefs [][]float64
	d           int
}

// add gives a machine the vectors from and up to to, with the given column of their coefficients.
func (v vectors) add(m *svm.Model, from, to, column int) {
	for s := from; s < to; s++ {
		if c := v.coefs[s][column]; c != 0 {
			m.Vectors, m.Coef = append(m.Vectors, v.rows[s]), append(m.Coef, c)
		}
	}
}

// readVectors reads the lines of the support vectors. There will be rows of weights beside them.
func (f Format) readVectors(l *lines, M, total, weights int) (v vectors, err error) {
	var rows [][]entry
	for {
		fields, ok := l.next()
		if !ok {
			break
		}
		if len(fields) < M-1 {
			return v, l.bad("%d fields, want %d coefficients before the values", len(fields), M-1)
		}
		coefs, err := l.numbers("coefficient", fields[:M-1])
		if err != nil {
			return v, err
		}
		row, err := f.entries(l, fields[M-1:])
		if err != nil {
			return v, err
		}
		v.coefs, rows = append(v.coefs, coefs), append(rows, row)
	}
	if l.Err() != nil || len(rows) < total {
		return v, l.short(fmt.Sprintf("%d support vectors, and there are %d", total, len(rows)))
	}
	if len(rows) > total {
		return v, l.bad("%d support vectors, want %d, as total_sv says", len(rows), total)
	}
	v.rows, v.d, err = f.dense(l.name, rows, weights)
	return v, err
}

// readSigmoids returns the sigmoids of count machines, or nil if the file has none.
func readSigmoids(h *header, count int) ([]calibration.Platt, error) {
	_, hasA := h.of["probA"]
	_, hasB := h.of["probB"]
	if !hasA && !hasB {
		return nil, nil
	}
	A, err := h.numbers("probA", count)
	if err != nil {
		return nil, err
	}
	B, err := h.numbers("probB", count)
	if err != nil {
		return nil, err
	}
	sigmoids := make([]calibration.Platt, count)
	for k := range sigmoids {
		sigmoids[k] = calibration.Platt{A: A[k], B: B[k]}
	}
	return sigmoids, nil
}

// Write writes the model as svm-train does. It returns an error if the model is incomplete, if
// LIBSVM lacks the kernel, or if w does.
func (m *SVM) Write(w io.Writer) error {
	kernelLines, err := m.check()
	if err != nil {
		return err
	}
	M := len(m.Labels)
	vectors, coefs, sizes := m.vectors()
	out := writer{bufio.NewWriter(w)}
	out.line("svm_type", "c_svc")
	for _, line := range kernelLines {
		out.line(line[0], line[1])
	}
	out.line("nr_class", integers([]int{M})...)
	out.line("total_sv", integers([]int{len(vectors)})...)
	rho, A, B := make([]float64, len(m.Machines)), []float64{}, []float64{}
	for k, machine := range m.Machines {
		rho[k] = -machine.B
	}
	for _, s := range m.Sigmoids {
		A, B = append(A, s.A), append(B, s.B)
	}
	out.line("rho", numbers(rho)...)
	out.line("label", integers(m.Labels)...)
	if len(m.Sigmoids) > 0 {
		out.line("probA", numbers(A)...)
		out.line("probB", numbers(B)...)
	}
	out.line("nr_sv", integers(sizes)...)
	out.line("SV")
	for s, x := range vectors {
		fields := numbers(coefs[s])
		for j, v := range x {
			if v != 0 {
				fields = append(fields, fmt.Sprintf("%d:%s", j+1, number(v)))
			}
		}
		out.line(fields[0], fields[1:]...)
	}
	return out.Flush()
}

// vectors returns the support vectors of the machines, those of Labels[0] first, with the
// coefficients of each against the other classes, and how many each class has. A machine's
// equal vectors of one class become one, with the sum of their coefficients.
func (m *SVM) vectors() (vectors, coefs [][]float64, sizes []int) {
	M := len(m.Labels)
	type place struct {
		class int
		bytes string
	}
	at := map[place]int{}
	of := make([][]int, M) // places of the vectors of each class
	add := func(class, column int, x []float64, coef float64) {
		bytes := make([]byte, 0, 8*len(x))
		for _, v := range x {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		key := place{class, string(bytes)}
		s, known := at[key]
		if !known {
			s = len(vectors)
			at[key] = s
			vectors, coefs = append(vectors, x), append(coefs, make([]float64, M-1))
			of[class] = append(of[class], s)
		}
		coefs[s][column] += coef
	}
	k := 0
	for i := range M {
		for j := i + 1; j < M; j++ {
			for s, x := range m.Machines[k].Vectors {
				if coef := m.Machines[k].Coef[s]; coef > 0 {
					add(i, j-1, x, coef)
				} else {
					add(j, i, x, coef)
				}
			}
			k++
		}
	}
	var sorted, sortedCoefs [][]float64
	for _, class := range of {
		for _, s := range class {
			sorted, sortedCoefs = append(sorted, vectors[s]), append(sortedCoefs, coefs[s])
		}
		sizes = append(sizes, len(class))
	}
	return sorted, sortedCoefs, sizes
}

// check returns what the file says of the kernel, or why LIBSVM cannot have the model.
func (m *SVM) check() ([][2]string, error) {
	M := len(m.Labels)
	if M < 2 || len(m.Machines) != M*(M-1)/2 {
		return nil, fmt.Errorf("libsvm: %d labels and %d machines, want at least 2 labels and a machine for every two", M, len(m.Machines))
	}
	if s := len(m.Sigmoids); s != 0 && s != len(m.Machines) {
		return nil, fmt.Errorf("libsvm: %d sigmoids, want one for each of the %d machines, or none", s, len(m.Machines))
	}
	if err := checkLabels(m.Labels); err != nil {
		return nil, err
	}
	var first [][2]string
	for k, machine := range m.Machines {
		if machine == nil {
			return nil, fmt.Errorf("libsvm: Machines[%d] is nil, want a model", k)
		}
		if len(machine.Coef) != len(machine.Vectors) {
			return nil, fmt.Errorf("libsvm: Machines[%d] has %d coefficients and %d support vectors", k, len(machine.Coef), len(machine.Vectors))
		}
		if !finite(append(slices.Clone(machine.Coef), machine.B)) {
			return nil, fmt.Errorf("libsvm: Coef or B of Machines[%d] is not finite", k)
		}
		for s, x := range machine.Vectors {
			if len(x) != machine.Inputs() || !finite(x) {
				return nil, fmt.Errorf("libsvm: Machines[%d].Vectors[%d] has %d numbers, want %d finite ones", k, s, len(x), machine.Inputs())
			}
		}
		lines, err := kernelLines(machine.Kernel.Kernel)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			first = lines
		}
		if !slices.Equal(lines, first) {
			return nil, fmt.Errorf("libsvm: Machines[%d] has another kernel than Machines[0], and a file has one for all", k)
		}
		if d, want := machine.Inputs(), m.Inputs(); d > 0 && d != want {
			return nil, fmt.Errorf("libsvm: Machines[%d] takes samples of %d numbers, and others of %d", k, d, want)
		}
		if len(machine.Vectors) == 0 && floats.Norm(machine.W, math.Inf(1)) > 0 {
			return nil, fmt.Errorf("libsvm: Machines[%d] has w without support vectors; write a Linear", k)
		}
	}
	return first, nil
}
