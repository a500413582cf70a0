package main

import "slices"

func Integrate(f func(float64) float64, a, b float64, n int) (sum float64) {
	for i := range n {
		sum += f(a + (b-a)*(float64(i)+0.5)/float64(n))
	}
	return sum * (b - a) / float64(n)
}

func Compose(fs ...func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func Tally() (add func(...int) int, get func() (n int, all []int)) {
	var all []int
	return func(x ...int) int { all = append(all, x...); return len(all) },
		func() (n int, _ []int) { return len(all), all }
}

func Ping(n int, pong func(int, func(int) int) int) int {
	if n == 0 {
		return 1
	}
	return n * pong(n-1, func(k int) int { return Ping(k, pong) })
}

func Sort(xs []int, less func(a, b int) bool) {
	slices.SortFunc(xs, func(a, b int) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return 0
	})
}

func During(xs []float64, look func([]float64, int)) {
	for i := range xs {
		xs[i]++
		look(xs, i)
	}
}

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}

func Map[A, B any](xs []A, f func(A) B) []B {
	var out []B
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Keys[K comparable, V any](m map[K]V) int { return len(m) }
