package eigen_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/internal/eigen"
)

// BenchmarkFull alternates Full with gonum's mat.EigenSym on n×n Gram matrices of full
// rank and of rank 10. The metric gonum/ours is the ratio of their median times.
func BenchmarkFull(b *testing.B) {
	for _, n := range []int{10, 50, 200, 500, 1000, 2000} {
		for _, rank := range []int{n, 10} {
			rng := rand.New(rand.NewPCG(uint64(n), 0))
			X := mat.NewDense(n, rank, each(n*rank, func(int) float64 { return rng.NormFloat64() }))
			A := mat.NewSymDense(n, nil)
			A.SymOuterK(1, X)
			b.Run(fmt.Sprintf("%dof%d", rank, n), func(b *testing.B) {
				var ours, theirs []time.Duration
				for b.Loop() {
					start := time.Now()
					if _, _, err := eigen.Full(context.Background(), A); err != nil {
						b.Fatal(err)
					}
					middle := time.Now()
					var e mat.EigenSym
					if !e.Factorize(A, true) {
						b.Fatal("gonum gave up")
					}
					ours, theirs = append(ours, middle.Sub(start)), append(theirs, time.Since(middle))
				}
				slices.Sort(ours)
				slices.Sort(theirs)
				b.ReportMetric(float64(theirs[len(theirs)/2])/float64(ours[len(ours)/2]), "gonum/ours")
				b.ReportMetric(ours[len(ours)/2].Seconds()*1e3, "ms")
			})
		}
	}
}
