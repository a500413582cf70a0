package gram

import (
	"gonum.org/v1/gonum/blas/blas64"

	"marginalia/mlkit/internal/simd"
)

// Product subtracts AᵀB from other matrices for one A and many B.
type Product struct {
	columns  int // of A
	groups   []float64
	panel    []float64
	features []uint32
}

// Left takes A.
func (p *Product) Left(A blas64.General) {
	p.columns = A.Cols
	for len(p.features) < A.Rows {
		p.features = append(p.features, uint32(len(p.features)))
	}
	p.features = p.features[:A.Rows]
	p.groups = p.groups[:0]
	for first := 0; first < A.Cols; first += simd.Rows {
		for k := range A.Rows {
			for c := first; c < first+simd.Rows; c++ {
				v := 0.0
				if c < A.Cols {
					v = A.Data[k*A.Stride+c]
				}
				p.groups = append(p.groups, v)
			}
		}
	}
}

// Subtract sets C to C - AᵀB.
func (p *Product) Subtract(C, B blas64.General) {
	rows := len(p.features)
	if cap(p.panel) < rows*width64 {
		p.panel = make([]float64, rows*width64)
	}
	p.panel = p.panel[:rows*width64]
	var tile [simd.Rows * width64]float64
	for column := 0; column < B.Cols; column += width64 {
		count := min(width64, B.Cols-column)
		for k := range rows {
			copy(p.panel[k*width64:(k+1)*width64], B.Data[k*B.Stride+column:k*B.Stride+column+count])
		}
		for first := 0; first < p.columns; first += simd.Rows {
			simd.Tile(tile[:], p.panel, p.groups[first*rows:(first+simd.Rows)*rows], p.features, simd.Rows)
			for i := first; i < min(p.columns, first+simd.Rows); i++ {
				simd.Axpy(C.Data[i*C.Stride+column:i*C.Stride+column+count], -1, tile[(i-first)*width64:])
			}
		}
	}
}
