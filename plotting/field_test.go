package plotting_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"log"
	"math"
	"regexp"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/internal/testkit/must"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
	. "marginalia/plotting"
)

// discAndRing returns two classes that no line separates: 12 samples at radius ½ and 20 at
// radius 1½, slightly perturbed.
func discAndRing() (*mat.Dense, []int) {
	x, y := mat.NewDense(32, 2, nil), make([]int, 32)
	for i := range 32 {
		r, n := 0.5, 12.0
		y[i] = 1
		if i >= 12 {
			r, n, y[i] = 1.5, 20, -1
		}
		r += 0.15 * math.Sin(7*float64(i))
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		x.SetRow(i, []float64{r * cos, r * sin})
	}
	return x, y
}

// The score 2 - 2‖x‖² is 0 on the circle of radius 1, and ±1 at √½ and √1½.
func annulus() figure {
	score := func(x []float64) float64 { return 2 - 2*(x[0]*x[0]+x[1]*x[1]) }
	x, y := discAndRing()
	return New("a circle as boundary",
		Score(Of(score), Bar("score")),
		Boundary(Of(score), Name("score = 0, ±1")),
		Classes(x, y),
	).Equal()
}

// Three Gaussians and the regions of the class with the nearest mean.
func threeRegions() figure {
	means := [][]float64{{-1, -1}, {1.5, -0.5}, {0, 1.6}}
	covariances := [][][]float64{{{0.5, 0.2}, {0.2, 0.4}}, {{0.3, -0.2}, {-0.2, 0.6}}, {{0.6, 0}, {0, 0.2}}}
	nearest := func(x []float64) int {
		best, k := math.Inf(1), 0
		for i, m := range means {
			S := covariances[i]
			det := S[0][0]*S[1][1] - S[0][1]*S[1][0]
			u, v := x[0]-m[0], x[1]-m[1]
			if q := (S[1][1]*u*u-2*S[0][1]*u*v+S[0][0]*v*v)/det + math.Log(det); q < best {
				best, k = q, i
			}
		}
		return k
	}
	layers := []Layer{Regions(OfLabels(nearest))}
	for k, m := range means {
		layers = append(layers, Ellipse(m, covariances[k], nil, Shade(), Name(fmt.Sprintf("class %d", k))))
	}
	return New("three Gaussians", layers...)
}

// The posterior of two Gaussians with the same covariance, σ(2x₁ + x₂).
func posterior() figure {
	p := func(x1, x2 float64) float64 { return 1 / (1 + math.Exp(-2*x1-x2)) }
	return New("posterior", Probability(p, Bar("P(y = +1 | x)")), Contour(p, []float64{0.1, 0.5, 0.9}, Labeled(), Width(1))).Range(-3, 3, -2, 2)
}

// The score 1 − x₁² − x₂² is ±1 at the origin and on the circle of radius √2.
func ExampleBoundary() {
	score := func(x1, x2 float64) float64 { return 1 - x1*x1 - x2*x2 }
	fig := New("", Boundary(score, Name("score = 0, ±1"))).Range(-2, 2, -2, 2)
	fmt.Println(fig.Alt())
	// Output:
	// Figure: lines of equal value “score = 0, ±1” at −1, 0, 1. x₁ from −2 to 2, x₂ from −2 to 2.
}

// In SVG a field of few samples has few pixels, 10 between samples (samplePixels), and others
// have 400, or one per sample.
func TestPixelsOfAField(t *testing.T) {
	data := regexp.MustCompile(`href="data:image/png;base64,([^"]*)"`)
	for samples, want := range map[int]int{2: 20, 25: 250, 40: 400, 80: 400, 500: 500} {
		svg := New("", Score(func(x1, x2 float64) float64 { return x1 - x2 }, Samples(samples))).SVG()
		m := data.FindSubmatch(svg)
		if m == nil {
			t.Fatal("the figure has no picture")
		}
		picture := must.Get(base64.StdEncoding.DecodeString(string(m[1]))).Or(t)
		size, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil || size.Width != want || size.Height != want {
			t.Errorf("%d samples: %d×%d pixels (%v), want %d×%d", samples, size.Width, size.Height, err, want, want)
		}
	}
}

// softmax returns the posterior of four classes with linear scores.
func softmax(dst, x []float64) []float64 {
	sum := 0.0
	for _, w := range [][3]float64{{-2, -1, 0}, {2, -1, 0}, {0, 2.5, -0.5}, {0.5, -2, -1.5}} {
		v := math.Exp(w[0]*x[0] + w[1]*x[1] + w[2])
		dst, sum = append(dst, v), sum+v
	}
	for k := range dst {
		dst[k] /= sum
	}
	return dst
}

func surfaces() figure {
	x, y := mat.NewDense(60, 2, nil), make([]int, 60)
	for i := range y {
		sin, cos := math.Sincos(2.4 * float64(i))
		r := 2 * math.Sqrt(float64(i+1)/60)
		x.SetRow(i, []float64{r * cos, r * sin})
		p := softmax(nil, x.RawRowView(i))
		for k := range p {
			if p[k] > p[y[i]] {
				y[i] = k
			}
		}
	}
	return New("four classes", Posteriors(softmax, nil), Classes(x, y)).Equal()
}

func ExamplePosteriors() {
	fmt.Println(New("", Posteriors(softmax, nil)).Range(-2, 2, -2, 2).Alt())
	// Output:
	// Figure: the plane tinted by the most probable class, deeper where it is surer. x₁ from −2 to 2, x₂ from −2 to 2.
}

// Support vector machines on the petals of three species, with the probabilities of
// pairwise coupling.
func ExamplePosteriors_svm() {
	iris := datasets.Iris()
	petals := mat.DenseCopyOf(iris.X.Slice(0, 150, 2, 4))
	m, err := multiclass.ProbableOneVsOne[*calibration.ClassifierModel[*svm.Model]]{
		Binary: calibration.Classifier[*svm.Model]{Algorithm: svm.Classifier{Kernel: kernel.RBF{Gamma: 0.5}}},
	}.Fit(petals, iris.Y)
	if err != nil {
		log.Fatal(err)
	}
	fig := New("petals", Posteriors(m.Posterior, m.Classes), Classes(petals, iris.Y))
	fmt.Println(fig.Alt())
	fmt.Println(len(fig.PNG(60)) > 0)
	// Output:
	// Figure “petals”: the plane tinted by the most probable class, deeper where it is surer; 150 points: 50 with y = 0 (blue discs), 50 with y = 1 (vermilion squares), 50 with y = 2 (green triangles). x₁ from 0.705 to 7.195, x₂ from −0.02 to 2.62.
	// true
}
