// Package arithmetic is work for a benchmark: the same natively and in a guest.
package arithmetic

import "gonum.org/v1/gonum/mat"

const n = 200

func numbers() []float64 {
	a := make([]float64, n*n)
	for i := range a {
		a[i] = float64(i%7) - 3
	}
	return a
}

// Loops multiplies two 200×200 matrices in plain Go.
func Loops() (sum float64) {
	a := numbers()
	for i := range n {
		for j := range n {
			for k := range n {
				sum += a[i*n+k] * a[j*n+k]
			}
		}
	}
	return sum
}

// Product does so with gonum, which has assembly for it on amd64.
func Product() float64 {
	a := mat.NewDense(n, n, numbers())
	var p mat.Dense
	p.Mul(a, a.T())
	return mat.Sum(&p)
}

// Map counts 300,000 keys.
func Map() float64 {
	count := map[int]int{}
	for i := range 300_000 {
		count[i*7919%10007]++
	}
	return float64(len(count))
}
