// Package samples has samples for the tests of mlkit: the lectures' examples, published
// tables (see mlkit/testdata), random ones, and those of fuzz tests.
package samples

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// CMU returns the worked example of CMU, "Perceptron Algorithm: Example".
func CMU() (*mat.Dense, []int) {
	return mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1}), []int{-1, +1, +1, -1, -1, +1}
}

// Theodoridis returns example 3.2 of Theodoridis: ω1 is +1, ω2 is -1.
func Theodoridis() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0}), []int{+1, +1, -1, -1}
}

// XOR returns the exclusive or with inputs and output ±1, which is not separable.
func XOR() (*mat.Dense, []int) {
	return mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, +1, +1, -1}
}

// Iris returns Fisher's samples, 150×4: setosa (0), versicolor (1) and virginica (2).
func Iris(t testing.TB) (*mat.Dense, []int) { return table(t, "iris.csv") }

// SetosaVersicolor returns setosa (-1) and versicolor (+1), 100×4.
func SetosaVersicolor(t testing.TB) (*mat.Dense, []int) {
	return table(t, "iris-setosa-versicolor.csv")
}

// VersicolorVirginica returns versicolor (-1) and virginica (+1), 100×4.
func VersicolorVirginica(t testing.TB) (*mat.Dense, []int) {
	X, y := Iris(t)
	z := make([]int, 100)
	for i := range z {
		z[i] = 2*y[50+i] - 3
	}
	return mat.DenseCopyOf(X.Slice(50, 150, 0, 4)), z
}

// Mixture returns the training set of the figures in The Elements of Statistical
// Learning, 200×2, with the labels -1 and +1.
func Mixture(t testing.TB) (*mat.Dense, []int) {
	X, y := table(t, "esl-mixture")
	for i, label := range y {
		y[i] = 2*label - 1
	}
	return X, y
}

// table reads a file of mlkit/testdata: the numbers and the label of a sample in each line,
// separated by commas or spaces, and comments that begin with #. The test is that of a
// package directly within mlkit.
func table(t testing.TB, name string) (*mat.Dense, []int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var data []float64
	var y []int
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
		last := len(fields) - 1
		for _, s := range fields[:last] {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, v)
		}
		label, err := strconv.Atoi(fields[last])
		if err != nil {
			t.Fatal(err)
		}
		y = append(y, label)
	}
	return mat.NewDense(len(y), len(data)/len(y), data), y
}

// Gaussian returns n samples of d standard normal numbers.
func Gaussian(random *rand.Rand, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, X)
	return X
}

// Uniform returns n samples of d random numbers between 0 and 2.
func Uniform(seed uint64, n, d int) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 0))
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return 2 * random.Float64() }, X)
	return X
}

// Clouds returns n samples of M classes 0, 1, …, in turn, each standard normal about a
// mean of its own.
func Clouds(n, d, M int, seed uint64) (X *mat.Dense, y []int) {
	random := rand.New(rand.NewPCG(seed, 0))
	means := Gaussian(random, M, d)
	means.Scale(0.5, means)
	X, y = mat.NewDense(n, d, nil), make([]int, n)
	for i := range y {
		y[i] = i % M
		for j := range d {
			X.Set(i, j, means.At(y[i], j)+random.NormFloat64())
		}
	}
	return X, y
}

// Overlapping returns n samples in the plane, of +1 and -1 in turn, standard normal about
// (½, ½) and (-½, -½).
func Overlapping(random *rand.Rand, n int) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = 1 - 2*(i%2)
		for j := range 2 {
			X.Set(i, j, 0.5*float64(y[i])+random.NormFloat64())
		}
	}
	return X, y
}
