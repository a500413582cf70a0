package plotting_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	. "marginalia/plotting"

	"marginalia/datasets"
	"marginalia/mlkit/calibration"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

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
