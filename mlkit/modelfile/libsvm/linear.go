package libsvm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit"
	"marginalia/mlkit/logistic"
	"marginalia/mlkit/multiclass"
)

// Linear is a model of LIBLINEAR's train. Its Classes stand in the order of the file, so that it
// predicts as LIBLINEAR does: of two classes the second has a score of 0, and of more the first in
// a tie.
type Linear struct {
	// Solver is LIBLINEAR's name of the problem, such as L2R_LR. It matters for probabilities
	// alone, which logistic regression has.
	Solver string

	mlkit.LinearMachine
}

// The solvers of LIBLINEAR 2.50 (options -s 0 to 7) for classes. The others are for targets or for
// one class.
var (
	logisticSolvers = []string{"L2R_LR", "L1R_LR", "L2R_LR_DUAL"}
	marginSolvers   = []string{"L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL", "MCSVM_CS", "L1R_L2LOSS_SVC"}
)

// multiclassSolver has a function for each of two classes. Other solvers have one for the first.
const multiclassSolver = "MCSVM_CS"

// ProbableOneVsRest returns the model with LIBLINEAR's probabilities (predict -b 1): those of each
// class against the rest, divided by their sum. It returns an error if the solver is not one of
// logistic regression.
func (m *Linear) ProbableOneVsRest() (*multiclass.ProbableOneVsRestModel[*logistic.Model], error) {
	if !slices.Contains(logisticSolvers, m.Solver) {
		return nil, fmt.Errorf("libsvm: a model of the solver %q has no probabilities; those of %v have", m.Solver, logisticSolvers)
	}
	p := &multiclass.ProbableOneVsRestModel[*logistic.Model]{}
	p.Classes = slices.Sorted(slices.Values(m.Classes))
	for _, class := range p.Classes {
		k := slices.Index(m.Classes, class)
		w, b := m.W[k], m.B[k]
		if len(m.Classes) == 2 {
			h := m.Between(k, 1-k)
			w, b = h.W, h.B
		}
		p.Machines = append(p.Machines, &logistic.Model{LogLinearMachine: mlkit.LogLinearMachine{LinearMachine: mlkit.LinearMachine{
			Classes: []int{-1, +1}, W: [][]float64{make([]float64, len(w)), slices.Clone(w)}, B: []float64{0, b},
		}}})
	}
	return p, nil
}

// ReadLinear reads a model of LIBLINEAR's train. name stands for the file in errors. The file has
// the number of features; f.D, if there is one, must be the same, and ZeroBased has no
// meaning.
func (f Format) ReadLinear(r io.Reader, name string) (*Linear, error) {
	if err := f.check(r, name); err != nil {
		return nil, err
	}
	l := newLines(r, name)
	h, err := readHeader(l, "w", "solver_type", "nr_class", "label", "nr_feature", "bias", "rho")
	if err != nil {
		return nil, err
	}
	solver, err := h.values("solver_type", 1)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(logisticSolvers, solver[0]) && !slices.Contains(marginSolvers, solver[0]) {
		return nil, h.bad("solver_type", "solver_type %s, want one for classes: %v or %v", short(solver[0]), logisticSolvers, marginSolvers)
	}
	counts, err := h.integers("nr_class", 1, 2)
	if err != nil {
		return nil, err
	}
	labels, err := h.labels(counts[0])
	if err != nil {
		return nil, err
	}
	sizes, err := h.integers("nr_feature", 1, 1)
	if err != nil {
		return nil, err
	}
	if f.D > 0 && sizes[0] != f.D {
		return nil, h.bad("nr_feature", "%d features, want %d, as D says", sizes[0], f.D)
	}
	bias, err := h.number("bias")
	if err != nil {
		return nil, err
	}
	M, d := len(labels), sizes[0]
	columns := M
	if M == 2 && solver[0] != multiclassSolver {
		columns = 1
	}
	m := &Linear{Solver: solver[0], LinearMachine: mlkit.LinearMachine{Classes: labels, W: make([][]float64, M), B: make([]float64, M)}}
	row := func(want string) ([]float64, error) {
		fields, ok := l.next()
		if !ok {
			return nil, l.short(want)
		}
		if len(fields) != columns {
			return nil, l.bad("%d numbers, want %d", len(fields), columns)
		}
		v, err := l.numbers("weight", fields)
		if M == 2 { // LIBLINEAR looks at the first function alone
			v = append(v[:min(1, len(v))], 0)
		}
		return v, err
	}
	for range d {
		v, err := row(fmt.Sprintf("a line of weights for each of the %d features", d))
		if err != nil {
			return nil, err
		}
		for k := range m.W {
			m.W[k] = append(m.W[k], v[k])
		}
	}
	if bias >= 0 {
		v, err := row("a line of weights for the bias")
		if err != nil {
			return nil, err
		}
		floats.ScaleTo(m.B, bias, v)
	}
	if fields, ok := l.next(); ok {
		return nil, l.bad("%q, want nothing after the weights of %d features", short(fields[0]), d)
	}
	if err := l.Err(); err != nil {
		return nil, l.bad("%v", err)
	}
	return m, nil
}

// Write writes the model as LIBLINEAR's train does. It returns an error if the model is incomplete
// or not finite, or if w does.
func (m *Linear) Write(w io.Writer) error {
	M := len(m.Classes)
	if err := m.check(); err != nil {
		return err
	}
	W, B := m.W, m.B
	if M == 2 {
		h := m.Between(0, 1)
		W, B = [][]float64{h.W}, []float64{h.B}
		if m.Solver == multiclassSolver {
			other := m.Between(1, 0)
			W, B = append(W, other.W), append(B, other.B)
		}
	}
	bias := "-1" // none
	if floats.Norm(B, math.Inf(1)) > 0 {
		bias = "1"
	}
	out := writer{bufio.NewWriter(w)}
	out.line("solver_type", m.Solver)
	out.line("nr_class", integers([]int{M})...)
	out.line("label", integers(m.Classes)...)
	out.line("nr_feature", integers([]int{len(W[0])})...)
	out.line("bias", bias)
	out.line("w")
	row := make([]float64, len(W))
	for j := range W[0] {
		for k := range W {
			row[k] = W[k][j]
		}
		out.line(number(row[0]), numbers(row[1:])...)
	}
	if bias == "1" {
		out.line(number(B[0]), numbers(B[1:])...)
	}
	return out.Flush()
}

func (m *Linear) check() error {
	M := len(m.Classes)
	if !slices.Contains(logisticSolvers, m.Solver) && !slices.Contains(marginSolvers, m.Solver) {
		return fmt.Errorf("libsvm: Solver = %q, want one of %v or %v", m.Solver, logisticSolvers, marginSolvers)
	}
	if M < 2 || len(m.W) != M || len(m.B) != M {
		return fmt.Errorf("libsvm: %d classes, %d rows of W and %d of B, want at least 2, and as many of all", M, len(m.W), len(m.B))
	}
	if err := checkLabels(m.Classes); err != nil {
		return err
	}
	for k, w := range m.W {
		if len(w) == 0 || len(w) != len(m.W[0]) {
			return fmt.Errorf("libsvm: W[%d] has %d weights, want %d, at least 1", k, len(w), len(m.W[0]))
		}
		if !finite(append(slices.Clone(w), m.B[k])) {
			return fmt.Errorf("libsvm: W[%d] or B[%d] is not finite", k, k)
		}
	}
	return nil
}

// finite reports whether all numbers are finite.
func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// checkLabels checks that labels differ and fit into LIBSVM's int.
func checkLabels(labels []int) error {
	for k, label := range labels {
		if slices.Contains(labels[:k], label) {
			return fmt.Errorf("libsvm: the label %d is there twice", label)
		}
		if int(int32(label)) != label {
			return fmt.Errorf("libsvm: the label %d does not fit into 32 bits, as LIBSVM's do", label)
		}
	}
	return nil
}
