package libsvm

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

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
