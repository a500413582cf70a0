package kernelized

import "gonum.org/v1/gonum/mat"

// Matrix is a row-major matrix as plain data, for use as a field of a model: unlike
// mat.Dense it works with encoding/json. Models check their matrices when they are
// decoded. Decoded alone a Matrix is not checked.
type Matrix struct {
	Rows int       `json:"rows"`
	Cols int       `json:"cols"` // the length of a row
	Data []float64 `json:"data"` // element (i, j) at i·Cols + j
}

// Dense returns a mat.Dense that shares m's data.
func (m Matrix) Dense() *mat.Dense {
	if m.Rows == 0 || m.Cols == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(m.Rows, m.Cols, m.Data)
}

// Row returns a view of row i.
func (m Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// copyRows returns a copy of the rows of X with the given indices.
func copyRows(X *mat.Dense, indices []int) Matrix {
	_, d := X.Dims()
	m := Matrix{Rows: len(indices), Cols: d}
	for _, i := range indices {
		m.Data = append(m.Data, X.RawRowView(i)...)
	}
	return m
}

// copyOf returns a copy of X.
func copyOf(X *mat.Dense) Matrix {
	n, d := X.Dims()
	m := Matrix{Rows: n, Cols: d, Data: make([]float64, 0, n*d)}
	for i := range n {
		m.Data = append(m.Data, X.RawRowView(i)...)
	}
	return m
}
