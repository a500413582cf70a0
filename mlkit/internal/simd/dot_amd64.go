//go:build !noasm

package simd

import "gonum.org/v1/gonum/floats"

func dot(x, y []float64) float64 { return floats.Dot(x, y) }

func addScaled(dst []float64, a float64, x []float64) { floats.AddScaled(dst, a, x) }
