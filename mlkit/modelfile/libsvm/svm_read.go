package libsvm

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/calibration"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/svm"
)

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
