package main

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

func Dense(a *mat.Dense, b mat.Matrix, v *mat.VecDense) (*mat.Dense, mat.Matrix, mat.Vector) {
	r, c := a.Dims()
	var out mat.Dense
	out.Apply(func(i, j int, x float64) float64 { return x + b.At(i, j) }, a)
	a.Set(r-1, c-1, 99)
	v.SetVec(0, -v.AtVec(0))
	return &out, a.T(), a.RowView(0)
}

func Window(a *mat.Dense) *mat.Dense {
	w := a.Slice(1, 3, 1, 3).(*mat.Dense)
	w.Set(0, 0, 50)
	return w
}

func Symmetric(s *mat.SymDense) (mat.Symmetric, *mat.TriDense, *mat.DiagDense, *mat.BandDense) {
	n := s.SymmetricDim()
	s.SetSym(0, n-1, 3)
	t := mat.NewTriDense(n, mat.Lower, nil)
	d := mat.NewDiagDense(n, nil)
	b := mat.NewBandDense(n, n, 1, 1, nil)
	for i := range n {
		d.SetDiag(i, float64(i))
		for j := range i + 1 {
			t.SetTri(i, j, s.At(i, j))
		}
		if i > 0 {
			b.SetBand(i, i-1, s.At(i, i-1))
		}
	}
	return s, t, d, b
}

func Others() (*mat.SymBandDense, *mat.TriBandDense, *mat.Tridiag) {
	return mat.NewSymBandDense(3, 1, []float64{1, 2, 3, 4, 5, 0}), mat.NewTriBandDense(3, 1, mat.Upper, []float64{1, 2, 3, 4, 5, 0}), mat.NewTridiag(3, []float64{1, 2}, []float64{3, 4, 5}, []float64{6, 7})
}

func Kind(m mat.Matrix) (string, mat.Matrix) { return fmt.Sprintf("%T", m), m }

func Empty() (*mat.Dense, *mat.VecDense, mat.Matrix) { return &mat.Dense{}, nil, nil }
