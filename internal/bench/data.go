package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
)

// samples are what a case learns from or is asked about: X is n×d, one sample a row.
type samples struct {
	X *mat.Dense
	y []int // n labels
}

// first returns the first n samples, or all if there are fewer. They share memory with s.
func (s samples) first(n int) samples {
	n = min(n, len(s.y))
	_, d := s.X.Dims()
	return samples{s.X.Slice(0, n, 0, d).(*mat.Dense), s.y[:n]}
}

// targets are the labels as numbers.
func (s samples) targets() []float64 {
	targets := make([]float64, len(s.y))
	for i, y := range s.y {
		targets[i] = float64(y)
	}
	return targets
}

// A source makes samples, the same ones each time, and on every machine: a product that
// is added to something is rounded first, by float64, so that no compiler fuses the two.
// A change of what it makes needs another name, because the samples are kept under it.
type source struct {
	name string
	make func() (samples, error)
}

// twoGaussians draws n samples of two classes in d dimensions: x ~ N(yμ, I) with
// ‖μ‖ = 1.28, for which the best classifier is wrong in 10 % of the cases (Φ(-1.28)),
// and then 5 % of the labels are turned round. The first samples are the same for any n.
func twoGaussians(name string, seed uint64, n, d int) source {
	return source{name, func() (samples, error) {
		r := rand.New(rand.NewPCG(seed, 0))
		mu := direction(r, d, 1.28)
		s := samples{mat.NewDense(n, d, nil), make([]int, n)}
		for i := range s.y {
			s.y[i] = 1 - 2*r.IntN(2)
			for j, m := range mu {
				s.X.Set(i, j, float64(s.y[i])*m+r.NormFloat64())
			}
			if r.Float64() < 0.05 {
				s.y[i] = -s.y[i]
			}
		}
		return s, nil
	}}
}

// gaussians draws n samples of k classes with labels 0 to k-1 in d dimensions, each
// class a Gaussian of variance 1 about a mean at the distance 3 from the origin.
func gaussians(name string, seed uint64, n, d, k int) source {
	return source{name, func() (samples, error) {
		r := rand.New(rand.NewPCG(seed, 0))
		means := make([][]float64, k)
		for c := range means {
			means[c] = direction(r, d, 3)
		}
		return around(r, means, n, 1), nil
	}}
}

// blobs draws n samples of k classes in d dimensions, each class a Gaussian of
// standard deviation 2 about a mean drawn from [-10, 10]ᵈ.
func blobs(name string, seed uint64, n, d, k int) source {
	return source{name, func() (samples, error) {
		r := rand.New(rand.NewPCG(seed, 0))
		means := make([][]float64, k)
		for c := range means {
			means[c] = make([]float64, d)
			for j := range means[c] {
				means[c][j] = 20 * (r.Float64() - 0.5)
			}
		}
		return around(r, means, n, 2), nil
	}}
}

// around draws n samples, each about one of the means, with the standard deviation
// spread.
func around(r *rand.Rand, means [][]float64, n int, spread float64) samples {
	s := samples{mat.NewDense(n, len(means[0]), nil), make([]int, n)}
	for i := range s.y {
		s.y[i] = r.IntN(len(means))
		for j, m := range means[s.y[i]] {
			s.X.Set(i, j, m+float64(spread*r.NormFloat64()))
		}
	}
	return s
}

// direction draws a vector of the given length, all directions alike.
func direction(r *rand.Rand, d int, length float64) []float64 {
	v := make([]float64, d)
	square := 0.0
	for j := range v {
		v[j] = r.NormFloat64()
		square += float64(v[j] * v[j])
	}
	for j := range v {
		v[j] *= length / math.Sqrt(square)
	}
	return v
}

// moons draws n points near two half circles of radius 1 that reach into each other,
// about (0, 0) and (1, 0.5), at equal distances along them and with Gaussian noise of
// standard deviation 0.05, and puts them in a random order. n is even.
func moons(name string, seed uint64, n int) source {
	return source{name, func() (samples, error) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := samples{mat.NewDense(n, 2, nil), make([]int, n)}
		for k, i := range r.Perm(n) {
			half := k % 2
			sin, cos := math.Sincos(math.Pi * float64(k/2) / float64(n/2-1))
			if half == 1 {
				sin, cos = 0.5-sin, 1-cos
			}
			s.y[i] = half
			s.X.SetRow(i, []float64{cos + float64(0.05*r.NormFloat64()), sin + float64(0.05*r.NormFloat64())})
		}
		return s, nil
	}}
}

// mnist makes samples of MNIST's two files, labelled with the digits, pixels in [0, 1].
func mnist(name string, of func(train, test samples) samples) source {
	return source{name, func() (samples, error) {
		train, test, err := datasets.MNIST()
		if err != nil {
			return samples{}, err
		}
		return of(samples{train.X, train.Y}, samples{test.X, test.Y}), nil
	}}
}

// mnistHalves are the first n samples of MNIST's test file, digits 0 to 4 labelled
// +1 and 5 to 9 labelled -1.
func mnistHalves(name string, n int) source {
	return mnist(name, func(_, test samples) samples {
		s := test.first(n)
		s.y = slices.Clone(s.y)
		for i, digit := range s.y {
			s.y[i] = 1
			if digit >= 5 {
				s.y[i] = -1
			}
		}
		return s
	})
}

// mnistFirst are the first n samples of MNIST's test file.
func mnistFirst(name string, n int) source {
	return mnist(name, func(_, test samples) samples { return test.first(n) })
}

// mnistTrain and mnistTest are all of MNIST.
var (
	mnistTrain = mnist("mnist-train", func(train, _ samples) samples { return train })
	mnistTest  = mnist("mnist-test", func(_, test samples) samples { return test })
)
